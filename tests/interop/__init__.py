"""Clients and parsers of other people, against our broker, our daemon and our contract."""
