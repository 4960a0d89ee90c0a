/* text.h -- strings from a file, written so that whatever they hold stays one harmless string.
 *
 * A trace comes from anywhere: the names in it may hold quotes, line feeds, or bytes that are no UTF-8. Each writer
 * here names where its output may stand. Valid UTF-8 goes through as it is.
 */
#ifndef TOOLS_TEXT_H
#define TOOLS_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of the valid UTF-8 character at `at` (1 to 4), or 0: no character starts there. */
size_t text_character(const unsigned char *at, size_t left);
/* One line for a person: a backslash, control characters and bytes that are no UTF-8 become \\, \n, \t, \xNN. */
void text_line(FILE *out, const char *text);
/* A JSON string with its quotes. It may also stand inside a <script> element. Bytes that are no UTF-8 become U+FFFD. */
void text_json(FILE *out, const char *text);
/* Element content or attribute value of HTML. */
void text_html(FILE *out, const char *text);

#endif
