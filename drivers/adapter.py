"""What a serial port is besides its path: its adapter, its names, how long it holds bytes back.

Read from the files in which the kernel and udev show it; nothing is opened.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

BY_ID, BY_PATH = "serial/by-id", "serial/by-path"
PROMPT = timedelta(milliseconds=1)
"""The shortest latency timer; FTDI chips come with 16 ms (AN232B-04, section 3)."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the system shows its devices; folders made by hand show others."""

    devices: Path = Path("/dev")
    classes: Path = Path("/sys/class/tty")
    processes: Path = Path("/proc")


SYSTEM = Places()
"""Those of this machine."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """A serial port that is plugged in, or built in."""

    name: str
    """What the kernel calls it now, for example `ttyUSB0`."""
    driver: str = ""
    """For example `ftdi_sio`; empty where there is none, as at a pseudo-terminal."""
    product: str = ""
    """What the adapter calls itself."""
    serial: str = ""
    """Its serial number; many have none."""
    latency: timedelta | None = None
    """How long it may hold received bytes back; None where it has no such timer."""
    by_id: str = ""
    by_path: str = ""

    @property
    def lasting(self) -> str:
        """The name that is its own: by id if it has a number, else by the socket it is in."""
        return (self.by_id if self.serial else self.by_path) or self.by_id or self.by_path

    @property
    def late(self) -> bool:
        """Whether it holds bytes back for longer than it must."""
        return self.latency is not None and self.latency > PROMPT

    def __str__(self) -> str:
        kind = ", ".join(filter(None, (self.product, self.driver)))
        return f"{self.name} ({kind})" if kind else self.name


def is_path(port: str) -> bool:
    """Say whether a port is a device of this machine, not an address."""
    return "://" not in port


def adapter_at(port: str, places: Places = SYSTEM) -> Adapter | None:
    """Return what is at a device path; None if nothing is there, or it is an address.

    A pseudo-terminal has a number for a name, which tells nobody anything without its path.
    """
    device = Path(port)
    if not is_path(port) or not device.exists():
        return None
    device = device.resolve()
    shown = places.classes / device.name / "device"
    usb = _usb(shown)
    names = {folder: _name_in(places.devices / folder, device) for folder in (BY_ID, BY_PATH)}
    return Adapter(
        str(device) if device.name.isdecimal() else device.name,
        (shown / "driver").resolve().name if (shown / "driver").exists() else "",
        _line(usb / "product") if usb else "",
        _line(usb / "serial") if usb else "",
        _milliseconds(shown / "latency_timer"),
        names[BY_ID],
        names[BY_PATH],
    )


def plugged_in(places: Places = SYSTEM) -> tuple[str, ...]:
    """Return the lasting names of all adapters there are."""
    named = (adapter_at(str(link), places) for link in _links(places.devices / BY_PATH))
    return tuple(one.lasting for one in named if one)


def latency_advice(adapter: Adapter) -> str:
    """Return how its latency timer is made short for good."""
    rule = f'SUBSYSTEM=="usb-serial", DRIVER=="{adapter.driver}", ATTR{{latency_timer}}="1"'
    return (
        f"copy systemd/99-tablewarden-serial.rules to /etc/udev/rules.d and plug the adapter in"
        f' anew; its line is ACTION=="add", {rule}'
    )


def _usb(shown: Path) -> Path | None:
    """Return the folder of the USB device that a port belongs to."""
    folder = shown.resolve()
    return next((one for one in (folder, *folder.parents) if (one / "idVendor").exists()), None)


def _name_in(folder: Path, device: Path) -> str:
    return next((str(link) for link in _links(folder) if link.resolve() == device), "")


def _links(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.iterdir()) if folder.is_dir() else ()


def _milliseconds(file: Path) -> timedelta | None:
    told = _line(file)
    return timedelta(milliseconds=int(told)) if told.isdecimal() else None


def _line(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
