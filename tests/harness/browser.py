"""A real browser without a window, for tests of a page: Chromium, spoken to over its debugging pipe."""
import base64
import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

NAMES = ("chromium", "chromium-browser", "google-chrome")


def found():
    """Path of a browser, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page at a time. Use as a context."""

    def __init__(self, width=1500, height=900):
        self.folder = tempfile.mkdtemp()
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        self.size = width, height
        self.count, self.rest, self.errors, self.session = 0, b"", [], None
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
                     "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={self.folder}", f"--window-size={width},{height}",
                     "about:blank"]

        def wire():
            """The browser reads its commands from 3 and answers on 4."""
            low, high = os.dup(to_browser), os.dup(from_browser)
            os.dup2(low, 3)
            os.dup2(high, 4)
        self.process = subprocess.Popen([found(), *arguments], preexec_fn=wire, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.read_end, 1 << 20)
            if not more:
                raise AssertionError("the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self.message()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            if answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                self.errors.append(answer["params"]["entry"]["text"])
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]

    def js(self, expression):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def open(self, path, fragment="", timeout=60):
        """Opens the page and waits until it says that it is ready. Seconds that took."""
        start = time.monotonic()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=f"file://{path}#{fragment}")
        while self.js("document.documentElement?.dataset.ready") != "yes":
            if self.errors or time.monotonic() - start > timeout:
                raise AssertionError(f"{path}#{fragment}: not ready: {self.errors}")
            time.sleep(0.02)
        return time.monotonic() - start

    def settle(self):
        """Until what was asked for is drawn."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(1)))))")

    def key(self, key, text=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=(text if text is not None else key if len(key) == 1 else "") if kind == "keyDown" else "")
        self.settle()

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def shot(self, path):
        """The page as it looks, into a file."""
        self.settle()
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def pixels(self, x, y, width, height):
        """Rows of (red, green, blue) of a part of the page as it looks."""
        clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        return pixels(base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip)["data"]))


def pixels(png):
    """Rows of (red, green, blue) of an 8-bit PNG with or without alpha."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            if depth != 8 or colour not in (2, 6):
                raise AssertionError("a kind of PNG that is not read here")
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    raw, wide, step = zlib.decompress(data), (3 if colour == 2 else 4) * width, 3 if colour == 2 else 4
    rows, last = [], bytearray(wide)
    for y in range(height):
        kind, line = raw[y * (wide + 1)], bytearray(raw[y * (wide + 1) + 1:(y + 1) * (wide + 1)])
        if kind == 2:
            for i in range(wide):
                line[i] = (line[i] + last[i]) & 255
        elif kind:
            for i in range(wide):
                left, up, corner = line[i - step] if i >= step else 0, last[i], last[i - step] if i >= step else 0
                guess = (left, None, (left + up) // 2, paeth(left, up, corner))[kind - 1]
                line[i] = (line[i] + guess) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, wide, step)])
        last = line
    return rows


def paeth(left, up, corner):
    guess = left + up - corner
    a, b, c = abs(guess - left), abs(guess - up), abs(guess - corner)
    return left if a <= b and a <= c else up if b <= c else corner
