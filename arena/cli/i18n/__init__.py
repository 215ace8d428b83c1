"""What the program says on a screen, in English and in Chinese. Bound to no kind of screen."""
