import os
from pathlib import Path

import pytest

from config.secrets import kept_secret, read_secret
from table.errors import SettingsError


def secret(folder: Path, content: bytes, mode: int = 0o600) -> Path:
    file = folder / "secret"
    file.write_bytes(content)
    file.chmod(mode)
    return file


@pytest.mark.parametrize("content", [b"hunter 2 \n", b"hunter 2 ", b"hunter 2 \r\n"])
def test_a_secret_is_the_line_of_its_file(tmp_path: Path, content: bytes) -> None:
    assert read_secret(secret(tmp_path, content)) == "hunter 2 "


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o440, 0o640])
def test_owner_and_group_may_read_a_secret(tmp_path: Path, mode: int) -> None:
    assert read_secret(secret(tmp_path, b"x", mode)) == "x"


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o602, 0o666])
def test_a_secret_that_everybody_can_read_or_change_is_refused(tmp_path: Path, mode: int) -> None:
    file = secret(tmp_path, b"x", mode)
    with pytest.raises(SettingsError) as caught:
        read_secret(file)
    assert str(caught.value) == (
        f"{file}: mode is 0{mode:o}, but others must have no access to a secret (chmod o=)."
    )


@pytest.mark.parametrize("content", [b"", b"\n", b"a\nb\n"])
def test_a_file_without_exactly_one_line_is_no_secret(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(SettingsError, match="must hold the secret on one line"):
        read_secret(secret(tmp_path, content))


def test_a_secret_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is no text in UTF-8"):
        read_secret(secret(tmp_path, b"\xff"))


def test_a_secret_that_is_not_there_is_told(tmp_path: Path) -> None:
    missing = tmp_path / "none"
    with pytest.raises(SettingsError) as caught:
        read_secret(missing)
    reason = os.strerror(2)
    assert str(caught.value) == f"{missing}: the secret cannot be read: {reason}."


@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_a_file_that_somebody_else_reads_is_kept_as_well(tmp_path: Path, mode: int) -> None:
    file = secret(tmp_path, b"two\nlines", mode)
    assert kept_secret(file) == file


def test_a_key_that_everybody_can_read_or_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="others must have no access to a secret"):
        kept_secret(secret(tmp_path, b"x", 0o644))
    with pytest.raises(SettingsError, match="the secret cannot be read"):
        kept_secret(tmp_path / "none")
