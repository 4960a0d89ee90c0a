/* nearest.c -- edit distance (letters added, dropped, changed, or two swapped) over a short list of words. */
#include "tools/nearest.h"

#include <string.h>

enum { length_max = 32 };

static int
least(int a, int b)
{
    return a < b ? a : b;
}

static int
distance(const char *a, const char *b)
{
    int la = (int)strnlen(a, length_max), lb = (int)strnlen(b, length_max), d[length_max + 1][length_max + 1];
    for (int i = 0; i <= la; i++)
        d[i][0] = i;
    for (int j = 0; j <= lb; j++)
        d[0][j] = j;
    for (int i = 1; i <= la; i++)
        for (int j = 1; j <= lb; j++) {
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[la][lb];
}

const char *
nearest_word(const char *word, const char *const *list, int count)
{
    const char *best = NULL;
    /* A third of the letters may be wrong; beyond that a guess is no help. */
    int best_distance = (int)strnlen(word, length_max) / 3 + 2;
    for (int i = 0; i < count; i++) {
        int d = distance(word, list[i]);
        if (d < best_distance) {
            best_distance = d;
            best = list[i];
        }
    }
    return best;
}
