"""A second, naive reading of the rules, and random hands that both readings must agree on."""
