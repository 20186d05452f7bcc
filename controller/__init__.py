"""The shell: clock, table loops, journal, recovery, service, command line."""
