"""Everything that touches a wire to a table."""
