"""Tables in virtual time on wires where everything goes wrong that the simulator can script."""
