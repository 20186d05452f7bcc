"""A small profile as its file would have it, to be spoilt line by line."""

PROFILE = """\
[profile]
id = "sample-8"
version = 1
vendor = "Sample"
model = "S8"
title = "8 inputs, 8 relays"
verification = "untested"
wiring = \"\"\"
A to A,
B to B.
\"\"\"

[sources.made-up]
title = "decision: a module for tests"
evidence = "house"

[link]
wires = ["rtu"]
source = "made-up"

[timing]
reply_timeout_milliseconds = 100
most_bits = 64
source = "made-up"

[numbering]
first_address = 1
source = "made-up"

[signals."in{n}"]
n = [1, 8]
area = "discrete"
address = 1
source = "made-up"

[signals."relay{n}"]
n = [1, 8]
area = "coil"
address = 1
motor = true
source = "made-up"

[signals."flash{n}"]
n = [1, 8]
area = "coil"
address = 513
access = "write"
source = "made-up"

[signals."count{n}"]
n = [1, 8]
area = "input"
address = 61
stride = 2
width = 32
source = "made-up"

[signals.mode]
area = "holding"
address = 9
source = "made-up"

[signals.model]
area = "holding"
address = 201
coding = "wide-text"
registers = 6
source = "made-up"

[edges."in{n}"]
sensing = "counter"
watch = "count{n}"
level = "in{n}"
wrap = 4294967296
reboot = "zero"
debounce_milliseconds = 10
source = "made-up"

[pulses.flash."relay{n}"]
trigger = "flash{n}"
unit_milliseconds = 100
least_milliseconds = 100
most_milliseconds = 500
step_milliseconds = 100
source = "made-up"

[init.mode]
signal = "mode"
value = 1
reason = "the inputs would not count"
source = "made-up"

[identify.model]
signal = "model"
any_of = ["S8"]
source = "made-up"

[health]
never_fails = ["in{n}"]
source = "made-up"

[limits]
pulses_per_minute = { "relay{n}" = 30 }
source = "made-up"
"""


def spoilt(good: str, bad: str) -> str:
    """Return the profile with one part written otherwise."""
    assert good in PROFILE
    return PROFILE.replace(good, bad, 1)
