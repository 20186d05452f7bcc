"""Publishes changes by the path of modbus4mqtt, its own code, with registers that are no device.

Runs under the interpreter of the peer: `python peer_theirs.py PORT COUNT RATE FOLDER`. A changed
register holds the moment of its change in microseconds, which is thus the payload, too. Prints the
processor time in seconds that all changes took.
"""

import sys
import time
from pathlib import Path

from modbus4mqtt.modbus4mqtt import mqtt_interface  # type: ignore[import-not-found] # the peer's

INPUTS = 8
"""Discard and claim of four seats."""


class Registers:
    """What was read of the device last."""

    def __init__(self) -> None:
        self.values = [0] * INPUTS

    def poll(self) -> None:
        """Take the registers for read."""

    def get_value(self, _table: str, address: int, _type: str) -> int:
        """Return a register."""
        return self.values[address]


def _interface(port: int, folder: Path) -> mqtt_interface:
    path = folder / "peer.yaml"
    lines = [
        "ip: 127.0.0.1",
        "update_rate: 1",
        "registers:",
        *(f"  - {{pub_topic: change/{each}, address: {each}}}" for each in range(INPUTS)),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    interface = mqtt_interface("127.0.0.1", port, None, None, str(path), "peer", use_tls=False)
    for register in interface.registers:
        register["value"] = 0
    return interface


def _main(port: int, count: int, rate: int, folder: Path) -> None:
    interface, registers = _interface(port, folder), Registers()
    interface._mb = registers  # noqa: SLF001 - in the place of what speaks Modbus
    interface.connect_mqtt()
    time.sleep(1)
    used, due = time.process_time(), time.monotonic()  # noqa: TID251 - a process of the bench
    for number in range(count):
        due += 1 / rate
        time.sleep(max(due - time.monotonic(), 0))  # noqa: TID251
        registers.values[number % INPUTS] = time.monotonic_ns() // 1000  # noqa: TID251
        interface.poll()
    time.sleep(1)
    print(time.process_time() - used)  # noqa: T201 - what the bench reads


if __name__ == "__main__":
    _port, _count, _rate = map(int, sys.argv[1:4])
    _main(_port, _count, _rate, Path(sys.argv[4]))
