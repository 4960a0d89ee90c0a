/* nearest.h -- the word that a misspelt one was meant to be. */
#ifndef TOOLS_NEAREST_H
#define TOOLS_NEAREST_H

/* The word of the list with the fewest changed letters, or NULL where none is close. */
const char *nearest_word(const char *word, const char *const *list, int count);

#endif
