"""Whole jobs for people, of any game: puzzles, reviews, play."""
