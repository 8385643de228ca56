"""What is raised when a source map cannot be used."""

from __future__ import annotations


class SourceMapError(ValueError):
    """A source map is missing or malformed; the message says how."""
