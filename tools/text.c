/* text.c -- see text.h. */
#include "tools/text.h"

#include <stdbool.h>
#include <string.h>

size_t
text_character(const unsigned char *at, size_t left)
{
    static const struct {
        unsigned char mask, lead, bytes;
        unsigned least;
    } forms[] = {{0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
    for (size_t form = 0; left > 0 && form < sizeof forms / sizeof forms[0]; form++) {
        if ((at[0] & forms[form].mask) != forms[form].lead)
            continue;
        if (forms[form].bytes > left)
            return 0;
        unsigned value = at[0] & (unsigned char)~forms[form].mask;
        for (size_t i = 1; i < forms[form].bytes; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            value = value << 6 | (at[i] & 0x3f);
        }
        bool surrogate = value >= 0xd800 && value < 0xe000;
        return value < forms[form].least || value > 0x10ffff || surrogate ? 0 : forms[form].bytes;
    }
    return 0;
}

void
text_line(FILE *out, const char *text)
{
    size_t left = strlen(text);
    for (const unsigned char *at = (const unsigned char *)text; left > 0;) {
        size_t bytes = text_character(at, left);
        if (*at == '\n' || *at == '\t' || *at == '\\')
            fprintf(out, "\\%c", *at == '\n' ? 'n' : *at == '\t' ? 't' : '\\');
        else if (bytes == 0 || *at < 0x20 || *at == 0x7f)
            fprintf(out, "\\x%02x", *at);
        else
            fwrite(at, 1, bytes, out);
        bytes += bytes == 0;
        at += bytes;
        left -= bytes;
    }
}

void
text_json(FILE *out, const char *text)
{
    size_t left = strlen(text);
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; left > 0;) {
        size_t bytes = text_character(at, left);
        if (bytes == 0)
            fputs("\xef\xbf\xbd", out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f || *at == '<' || *at == '>' || *at == '&')
            fprintf(out, "\\u%04x", *at);
        else
            fwrite(at, 1, bytes, out);
        bytes += bytes == 0;
        at += bytes;
        left -= bytes;
    }
    putc('"', out);
}

void
text_html(FILE *out, const char *text)
{
    size_t left = strlen(text);
    for (const unsigned char *at = (const unsigned char *)text; left > 0;) {
        size_t bytes = text_character(at, left);
        if (bytes == 0 || (*at < 0x20 && *at != '\n' && *at != '\t') || *at == 0x7f)
            fputs("\xef\xbf\xbd", out);
        else if (strchr("<>&\"'", *at))
            fprintf(out, "&#%d;", *at);
        else
            fwrite(at, 1, bytes, out);
        bytes += bytes == 0;
        at += bytes;
        left -= bytes;
    }
}
