"""The core, in the language of debugging: no wire names here."""
