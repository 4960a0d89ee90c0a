/* reader.c -- the second file of two_files.c. */
extern int box;
int reader(void);

int
reader(void)
{
    return box; // <- B
}
