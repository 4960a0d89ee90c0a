"""What the test scripts share."""
