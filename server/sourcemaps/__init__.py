"""From the files that people wrote to the code that runs, and back."""
