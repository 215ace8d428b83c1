"""What the screen says, in English and in Chinese."""
