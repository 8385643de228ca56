"""Protocol JSON in, Python models out: how ``cdp_protocol/generated`` is made."""
