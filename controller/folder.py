"""Files that belong together: written all or none, with secrets closed to others from the start."""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from pwd import getpwnam

from table.errors import SetupError

_CLOSED, _OPEN, _FOLDER = 0o600, 0o644, 0o700
_ROOT = 0


@dataclass(frozen=True, slots=True)
class Paper:
    """A file to be written."""

    name: str
    """Path below the folder."""
    content: str | bytes
    secret: bool = False


def write_new(folder: Path, papers: Iterable[Paper]) -> None:
    """Write files that are not there yet.

    Raises:
        SetupError: one of them is there already, or cannot be written; then none is written.
    """
    wanted = [*papers]
    for paper in wanted:
        if os.path.lexists(folder / paper.name):
            message = f"{folder / paper.name} is there already, so nothing was written"
            raise SetupError(message)
    written: list[Path] = []
    with _all_or_none(written):
        for paper in wanted:
            path = folder / paper.name
            _make_folders(folder, path.parent)
            _write(path, paper)
            written.append(path)


def write_over(folder: Path, papers: Iterable[Paper]) -> None:
    """Write files in the place of others, each of which keeps its owner.

    Raises:
        SetupError: one of them cannot be written; then none is changed.
    """
    pairs = [(folder / paper.name, paper) for paper in papers]
    fresh: list[Path] = []
    with _all_or_none(fresh):
        for path, paper in pairs:
            new = path.with_name(f".{path.name}.new")
            new.unlink(missing_ok=True)
            _write(new, paper)
            fresh.append(new)
            if path.exists():
                was = path.stat()
                os.chown(new, was.st_uid, was.st_gid)
        for new, (path, _) in zip(fresh, pairs, strict=True):
            new.replace(path)


def check_open(folder: Path, user: str) -> None:
    """Make sure that a user is there, and may pass everything above a folder.

    Raises:
        SetupError: there is no such user, or it could not reach the folder.
    """
    try:
        number = getpwnam(user).pw_uid
    except KeyError as error:
        message = f"there is no user {user} on this machine, so nothing was written"
        raise SetupError(message) from error
    for above in filter(Path.exists, folder.absolute().parents):
        at = above.stat()
        if number not in {_ROOT, at.st_uid} and not at.st_mode & stat.S_IXOTH:
            message = (
                f"{above} is closed to the user {user}, who could not read the broker's files below"
                " it; choose a folder that everybody may pass, such as /srv/venue"
            )
            raise SetupError(message)


def hand_over(folder: Path, user: str) -> None:
    """Make a user the owner of a folder and all in it; only root may."""
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, user)


@contextmanager
def _all_or_none(written: list[Path]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        message = f"{error.filename}: {error.strerror}, so nothing was written"
        raise SetupError(message) from error


def _make_folders(folder: Path, inner: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if inner != folder:
        inner.mkdir(_FOLDER, exist_ok=True)


def _write(path: Path, paper: Paper) -> None:
    content = paper.content.encode() if isinstance(paper.content, str) else paper.content
    mode = _CLOSED if paper.secret else _OPEN
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _CLOSED), "wb") as file:
        file.write(content)
        os.fchmod(file.fileno(), mode)
