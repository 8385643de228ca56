"""Procedures that a user can give to an agent, with the facts of a session put in."""
