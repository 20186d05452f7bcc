"""The web pages: a client of the MQTT contract."""
