"""What results say, in words: one place for the wording, whatever shows it.

Nothing here knows a game: sides come from the values that are told.
"""
