"""Whole processes in real time: simulator, broker, daemon, board, browser."""
