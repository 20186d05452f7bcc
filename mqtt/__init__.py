"""Everything that touches the broker: topics, payloads, inbox, publisher."""
