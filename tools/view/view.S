/* view.S -- the files of this folder as strings, for export_html.c. */
    .section .rodata
    .global view_page_html, view_page_css, view_script_js
view_page_html:
    .incbin "page.html"
    .byte 0
view_page_css:
    .incbin "page.css"
    .byte 0
view_script_js:
    .incbin "rows.js"
    .incbin "draw.js"
    .incbin "far.js"
    .incbin "marks.js"
    .incbin "page.js"
    .byte 0
    .section .note.GNU-stack, "", @progbits
