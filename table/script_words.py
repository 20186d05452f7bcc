"""The words of one line of a hand file; every mistake names line, word and cure."""

import re
from collections.abc import Iterable
from datetime import timedelta
from difflib import get_close_matches
from typing import NoReturn

from table.errors import ScriptError
from table.sanctions import WRITTEN, Sanction, read_sanction
from table.seat import Seat


class Words:
    """The words of one line, taken from the left.

    Whatever is taken raises `ScriptError` where it is missing or means nothing.
    """

    def __init__(self, number: int, words: list[str]) -> None:
        self.number = number
        self.left = words

    def fail(self, sentence: str) -> NoReturn:
        """Say what is wrong with this line.

        Raises:
            ScriptError: always.
        """
        message = f"line {self.number}: {sentence}"
        raise ScriptError(message)

    def take(self, wanted: str) -> str:
        """Take one word, whatever it is."""
        if not self.left:
            self.fail(f"ends where {wanted} should stand")
        return self.left.pop(0)

    def takes(self, word: str) -> bool:
        """Take the next word if it is this one."""
        if self.left[:1] != [word]:
            return False
        self.left.pop(0)
        return True

    def choose(self, wanted: str, allowed: Iterable[str]) -> str:
        """Take one of some words."""
        choices = list(allowed)
        listed = ", ".join(choices)
        word = self.take(f"{wanted} ({listed})")
        if word not in choices:
            near = get_close_matches(word, choices, n=1)
            hint = f"; nearest: {near[0]}" if near else ""
            self.fail(f"'{word}' is not {wanted}; allowed: {listed}{hint}")
        return word

    def whole(self, wanted: str, span: range) -> int:
        """Take a whole number within a span."""
        word = self.take(wanted)
        if re.fullmatch("-?[0-9]{1,5}", word) is None or int(word) not in span:
            self.fail(f"'{word}' is not {wanted}; allowed: {span.start} to {span[-1]}")
        return int(word)

    def seat(self) -> Seat:
        """Take the number of a seat."""
        return Seat(self.whole("a seat", range(1, 5)))

    def seats(self) -> tuple[Seat, ...]:
        """Take all words that are left as seats, each once."""
        seats: list[Seat] = []
        while self.left:
            seats.append(self.seat())
            if seats[-1] in seats[:-1]:
                self.fail(f"seat {seats[-1]} stands twice; name each seat once")
        return tuple(seats)

    def seconds(self, wanted: str) -> timedelta:
        """Take seconds with up to six decimals."""
        word = self.take(wanted)
        found = re.fullmatch(r"([0-9]{1,6})(?:\.([0-9]{1,6}))?", word)
        if found is None:
            self.fail(f"'{word}' is not {wanted}; allowed: seconds with up to 6 decimals (12.345)")
        return timedelta(seconds=int(found[1]), microseconds=int((found[2] or "").ljust(6, "0")))

    def sanction(self) -> Sanction:
        """Take a sanction as it is written."""
        word = self.take("a sanction")
        try:
            return read_sanction(word)
        except ValueError:
            self.fail(f"'{word}' is not a sanction; allowed: {WRITTEN}")

    def sentence(self, wanted: str) -> str:
        """Take all words that are left as one text, at least one."""
        words = [self.take(wanted), *self.left]
        self.left = []
        return " ".join(words)

    def remark(self) -> str:
        """Take all words that are left as one text, which may be empty."""
        return self.sentence("a remark") if self.left else ""

    def end(self) -> None:
        """Be content only if every word was taken."""
        if self.left:
            self.fail(f"'{self.left[0]}' is one word too many; the line should end before it")
