"""Answers for agents, and their size limits."""
