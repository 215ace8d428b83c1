"""What a world is drawn from, by ids; what they are called is told elsewhere."""

SETTINGS = (
    "train", "island", "hotel", "ship", "museum", "studio",
    "vineyard", "observatory", "garden", "mill", "monastery", "sanatorium",
)  # fmt: skip
"""Where a case may play. Each has ten places, `p0` to `p9`, and ten posts, 0 to 9."""
PLACES = 10
POSTS = 10
MOTIVES = (
    "debt", "will", "blackmail", "dismissal", "theft", "rivalry",
    "betrayal", "accident", "forgery", "love", "patent", "land",
)  # fmt: skip
"""Why a suspect may have wished the victim dead."""
SECRETS = (
    "stealing", "meeting", "gambling", "calling", "reading", "drinking",
    "burning", "sleeping", "spying", "selling", "praying", "copying",
)  # fmt: skip
"""What a suspect did alone while nobody saw it, and would rather not tell."""
RELATIONS = (
    "cousins", "lovers", "rivals", "creditor", "teacher", "schoolmates", "partners", "neighbours",
)  # fmt: skip
"""What a suspect is to the next one; in `creditor` and `teacher` the first is the one named."""
HERRINGS = ("quarrel", "threat", "stain", "burn", "scratch", "running", "lie", "purchase")
"""What looks bad about a suspect and has a harmless reason."""
