"""What a conversation ended with, where several tasks were at it."""

from collections.abc import Iterator
from contextlib import contextmanager

from table.errors import SpokenForError, TablewardenError


@contextmanager
def first_known_error() -> Iterator[None]:
    """Raise the first of the errors that tasks ended with, unless there is a bug among them.

    That somebody else speaks in our name explains every other error, so it comes before them.
    """
    try:
        yield
    except ExceptionGroup as group:
        known, bugs = group.split(TablewardenError)
        if bugs or known is None:
            raise
        spoken_for = known.subgroup(SpokenForError)
        raise _first(spoken_for or known) from group


def _first(group: ExceptionGroup[TablewardenError]) -> TablewardenError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, ExceptionGroup) else error
