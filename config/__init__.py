"""Settings and rule sets: strict models, one file per published edition."""
