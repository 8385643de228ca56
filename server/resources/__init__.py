"""What a client may read of sessions without calling a tool."""
