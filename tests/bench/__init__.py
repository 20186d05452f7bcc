"""Measures the budgets of the design beside their floors; `make bench` runs it."""
