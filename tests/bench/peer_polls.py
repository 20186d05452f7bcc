"""Polls one device with the whole of modbus4mqtt, its own code, and nothing in its place.

Runs under the interpreter of the peer: `python peer_polls.py BROKER MODULES COUNT FOLDER`, the
first two being ports. Prints the processor time in seconds that all polls took.
"""

import sys
import time
from pathlib import Path

from modbus4mqtt.modbus4mqtt import mqtt_interface  # type: ignore[import-not-found] # the peer's

INPUTS = 8


def _main(broker: int, modules: int, count: int, folder: Path) -> None:
    path = folder / "polls.yaml"
    registers = [
        f"  - {{pub_topic: in/{each}, address: {each}, table: input}}" for each in range(INPUTS)
    ]
    lines = ["ip: 127.0.0.1", f"port: {modules}", "registers:", *registers]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    interface = mqtt_interface("127.0.0.1", broker, None, None, str(path), "peer", use_tls=False)
    interface.connect()
    interface.poll()  # the first one publishes everything
    used = time.process_time()
    for _ in range(count):
        interface.poll()
    print(time.process_time() - used)  # noqa: T201 - what the bench reads


if __name__ == "__main__":
    _broker, _modules, _count = map(int, sys.argv[1:4])
    _main(_broker, _modules, _count, Path(sys.argv[4]))
