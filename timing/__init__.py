"""Sans-I/O: the hand and the machine as state machines, limits, and what is over them."""
