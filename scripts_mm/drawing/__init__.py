"""Clue pictures, drawn by code.

A kind of picture is a value that holds what is written and shown (`LetterSpec`) and a function
that draws it with typefaces and a Random (`letter(spec, fonts, rng)`); the same three give the
same picture. Words come from outside, so one kind serves every language. `cases/` has what only
one bundled script needs; what its pictures show is in the script's `drawing.toml`.
`python -m scripts_mm.drawing FOLDER` draws a script's pictures anew.

Written by hand:
    letter      a letter on old paper, on a table
    checklist   a list on squared paper under a clip, with ticks
    map         an area with water, paths and their times, heights, a scale
    autopsy     a police surgeon's sheet: body outlines, numbered marks, wounds in true size
Typed and printed:
    report      a filled-in official form with a signature and a stamp
    invoice     a tinted form with a table, a stamp and a remark in pencil
    log         a desk printer's list on striped paper
    receipt     a narrow slip in needle printer's type
    typescript  a typed sheet whose machine has a worn letter
    newspaper   a cutting: headline, columns, a boxed notice, a torn edge
    board       an enamel table at a stop
    tag         a small printed thing on a string
    tide        a tide table's page with its curve
    chart       a strip from a recorder with remarks by hand
Plans:
    plan        a floor plan with ways and their lengths
    seating     who sat where at a round table
Screens, films and photographs:
    chat        a telephone's screen with a conversation
    cctv        a still of a surveillance camera
    xray        a film on a light box
    bottle      a bottle, a jar or a packet with its label
    group       drawn people in rows, numbered

What they are made of: `paper` (sheets, grain, folds, tables, the finished PNG), `ink` (print, type,
handwriting, stamps), `columns` (writing from top to bottom), `fonts` (typefaces by hand), `canvas`
(shapes and letters drawn large, so that lines come out smooth), `snapshot` (the frame of a
photograph), `figure` (people from the front), `cctv_figure` (people from afar).
"""
