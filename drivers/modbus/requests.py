"""What is asked of one module, before a master makes frames of it.

Functions and limits: Modbus Application Protocol Specification V1.1b3, section 6.
"""

from dataclasses import dataclass
from typing import TypeAlias

BIT_READS = frozenset({1, 2})
"""Read Coils and Read Discrete Inputs; 3 and 4 read registers."""
SINGLE_COIL, SINGLE_REGISTER, COILS, REGISTERS = 5, 6, 15, 16


@dataclass(frozen=True, slots=True)
class Read:
    """Read so many bits or registers; the reply has as many values, bits as 0 and 1."""

    function: int
    """1 coils, 2 discrete inputs, 3 holding registers, 4 input registers."""
    address: int
    """On the wire, from 0."""
    count: int

    @property
    def of_bits(self) -> bool:
        """Whether the reply holds bits, not registers."""
        return self.function in BIT_READS

    @property
    def end(self) -> int:
        """The first address after it."""
        return self.address + self.count


@dataclass(frozen=True, slots=True)
class Write:
    """Write these values; a single coil too takes numbers, which are not always 0 and 1.

    A flash address of Waveshare takes a number of 100 ms in function 5, where the specification
    knows 0x0000 and 0xFF00 only. So for function 5 the value is the word as it is sent.
    """

    function: int
    """5, 6, 15 or 16."""
    address: int
    """On the wire, from 0."""
    values: tuple[int, ...]
    """Words for functions 5, 6 and 16, bits for 15; exactly one for 5 and 6."""


Request: TypeAlias = Read | Write
