"""The words everyone speaks: seats, moments, what a table reports, what it may be asked."""
