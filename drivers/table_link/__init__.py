"""The open protocol between a table's box and the daemon (docs/table-link.md)."""
