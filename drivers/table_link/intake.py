"""Puts the box's events into order, and makes table events of them.

Pure apart from its own counts: no wire, no clock.
"""

from dataclasses import dataclass
from datetime import timedelta
