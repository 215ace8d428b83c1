"""Photographs: scenes as data, built of meshes and rendered by a path tracer.

`python -m scripts_mm.drawing.rendered FOLDER [PICTURE ...]` renders a bundled script's photographs
again. It needs Mitsuba 3, which the extra `photos` installs; nothing else of the project does.

    scene_data    what a scene's file `library/ID/scenes/NAME.toml` may say
    scene_files   these files, read for one language
    mesh          triangle meshes of boxes, turned bodies, rods, panels
    outlines      flat bodies from an outline
    solid         soft bodies that melt together: cloth, people, animals
    patterns      surfaces that repeat without a seam: wood, plaster, rust, snow
    labels        pictures on things: signs, pages, dials, maps, the script's own documents
    surfaces      a material as the path tracer takes it
    kinds, things the things that scenes are made of, and their placing
    renderer      the path tracer
    development   from light to a picture: noise, tones, grain
    photograph    the finished print with its caption
"""
