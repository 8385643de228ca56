"""What the agent sees: a file a tool, and what they share."""
