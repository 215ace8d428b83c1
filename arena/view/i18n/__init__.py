"""Messages of the program in English and Chinese, independent of the kind of screen."""
