"""Sans-I/O: from a foul seen to a ruling that stands, and the ledger that follows the player."""
