"""Folders as the kernel and udev show serial adapters in, made by hand."""

from dataclasses import dataclass
from pathlib import Path

from drivers.adapter import Places


@dataclass(frozen=True)
class Plugged:
    """An adapter that shall be plugged in."""

    name: str = "ttyUSB0"
    driver: str = "ftdi_sio"
    product: str = "FT232R USB UART"
    serial: str = "A50285BI"
    latency: str = "16"
    """Empty for a driver that has no such timer."""
    socket: str = "1-1.2"


class Machine:
    """A machine with adapters in its sockets."""

    def __init__(self, folder: Path) -> None:
        self.places = Places(folder / "dev", folder / "class", folder / "proc")
        self._usb = folder / "usb"
        for made in (self.places.devices, self.places.classes, self.places.processes):
            made.mkdir(parents=True)

    def plug(self, adapter: Plugged) -> Path:
        """Plug an adapter in, and return its device file."""
        device = self.places.devices / adapter.name
        device.touch()
        usb = self._usb / adapter.socket
        port = usb / f"{adapter.socket}:1.0" / adapter.name
        port.mkdir(parents=True)
        (usb / "idVendor").write_text("0403\n")
        for file, told in (
            (usb / "product", adapter.product),
            (usb / "serial", adapter.serial),
            (port / "latency_timer", adapter.latency),
        ):
            if told:
                file.write_text(f"{told}\n")
        driver = self._usb / "drivers" / adapter.driver
        driver.mkdir(parents=True, exist_ok=True)
        (port / "driver").symlink_to(driver)
        (self.places.classes / adapter.name).mkdir()
        (self.places.classes / adapter.name / "device").symlink_to(port)
        kind = "_".join(filter(None, (adapter.product.replace(" ", "_"), adapter.serial)))
        self.link("by-id", f"usb-{kind}-if00-port0", device)
        self.link("by-path", f"pci-0:usb-0:{adapter.socket}:1.0-port0", device)
        return device

    def link(self, folder: str, name: str, device: Path) -> None:
        """Give a device another name; the last adapter of a name has it."""
        link = self.places.devices / "serial" / folder / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(device)

    def open_by(self, process: int, device: Path, *words: str) -> None:
        """Have a process hold a device open."""
        folder = self.places.processes / str(process)
        (folder / "fd").mkdir(parents=True)
        (folder / "fd" / "7").symlink_to(device)
        (folder / "cmdline").write_bytes("\0".join((*words, "")).encode())
