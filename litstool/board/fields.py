"""What a message from the page says, field by field: nothing in it is believed unread."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from litstool.errors import UsageError

MOST_TEXT = 256 * 1024
"""Characters of a text: as much as a file of positions may have."""

MOST_MOVES = 64
"""Moves of a game; no game of either kind has so many."""

_MOST_WORD = 4096


class Fields:
    """The fields of one message.

    Every reader raises :class:`UsageError` where the field is missing or not as it should be.
    """

    def __init__(self, values: Mapping[str, object]) -> None:
        self.values = values

    def text(self, name: str, default: str | None = None, most: int = MOST_TEXT) -> str:
        """A text of at most so many characters."""
        value = self.values.get(name, default)
        if not isinstance(value, str):
            raise UsageError(f"{name} should be a text")
        if len(value) > most:
            raise UsageError(f"{name} is longer than {most:,} characters")
        return value

    def word(self, name: str, default: str | None = None) -> str:
        """A short text."""
        return self.text(name, default, _MOST_WORD)

    def words(self, name: str, most: int = MOST_MOVES) -> tuple[str, ...]:
        """A list of short texts, none where it is missing."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise UsageError(f"{name} should be a list of texts")
        if len(value) > most:
            raise UsageError(f"{name} has more than {most} entries")
        if any(len(each) > _MOST_WORD for each in value):
            raise UsageError(f"an entry of {name} is too long")
        return tuple(value)

    def choice(self, name: str, choices: Collection[str], default: str | None = None) -> str:
        """One of several words."""
        value = self.word(name, default)
        if value not in choices:
            raise UsageError(f"{name} is {value[:40]!r}; expected one of {', '.join(choices)}")
        return value

    def maybe(self, name: str) -> str | None:
        """A short text, None where it is missing, null or empty."""
        return None if self.values.get(name) in (None, "") else self.word(name)

    def maybe_text(self, name: str) -> str | None:
        """A text, None where it is missing."""
        return None if self.values.get(name) is None else self.text(name)

    def number(self, name: str, low: float, high: float, default: float | None = None) -> float:
        """A number within limits."""
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise UsageError(f"{name} should be a number")
        if not low <= value <= high:
            raise UsageError(f"{name} is {value:g}: it may be {low:g} to {high:g}")
        return value

    def flag(self, name: str) -> bool:
        """Yes or no; no where it is missing."""
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise UsageError(f"{name} should be true or false")
        return value

    def mapping(self, name: str, most: int = 64) -> dict[str, str]:
        """Texts by name, none where it is missing."""
        value = self.values.get(name, {})
        if not isinstance(value, dict) or len(value) > most:
            raise UsageError(f"{name} should hold at most {most} texts by name")
        for key, each in value.items():
            if not isinstance(key, str) or not isinstance(each, str):
                raise UsageError(f"{name} should hold texts by name")
            if len(key) > _MOST_WORD or len(each) > _MOST_WORD:
                raise UsageError(f"an entry of {name} is too long")
        return dict(value)
