"""Clue pictures, drawn by code.

A kind of picture is a frozen spec of its contents (`LetterSpec`) and a function that draws it with
typefaces and a Random (`draw_letter(spec, fonts, rng)`); equal arguments give equal pictures. Words
come with the spec, so one kind serves every language. `cases/` contains drawings that only one
bundled script needs; the contents of its pictures are in the script's `drawing.toml`.
`python -m scripts_mm.drawing FOLDER` redraws a script's pictures.

`documents`, written by hand:
    letter           a letter on old paper, on a table
    checklist        a list on squared paper under a clip, with ticks
    autopsy          a police surgeon's sheet: body outlines, numbered marks, wounds at true size
`documents`, typed and printed:
    report_form      a filled-in official form with a signature and a stamp
    invoice          a tinted form with a table, a stamp and a remark in pencil
    printed_log      a desk printer's list on striped paper
    receipt          a narrow slip in dot-matrix type
    typescript       a typed sheet with a worn letter
    newspaper        a cutting: headline, columns, a boxed notice, a torn edge
    departure_board  an enamel table at a stop
    hanging_tag      a printed tag on a string
    tide_table       a page with a tide curve
    strip_chart      a recorder's strip with handwritten remarks
`plans`:
    area_map         an area with water, paths and their times, hills, a scale
    floor_plan       a floor plan with ways and their lengths
    seating_plan     the guests at a round table
`photos`:
    chat_screen      a telephone's screen with a conversation
    cctv             a still of a surveillance camera
    xray             a film on a light box

`rendered` is apart: photographs of scenes in three dimensions, by a path tracer.

`primitives`: `paper` (sheets, grain, folds, tables, the finished PNG), `ink` (print, type,
handwriting, stamps), `vertical_text` (columns from top to bottom), `fonts` (typefaces by hand),
`canvas` (shapes and letters, supersampled), `photo_print` (the frame of a photograph), `figure`
(a standing man) and `cctv_figure` (distant people).
"""
