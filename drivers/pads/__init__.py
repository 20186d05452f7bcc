"""Tables without hardware: every seat presses on a phone or tablet."""
