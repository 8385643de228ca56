"""Resources, prompts and notifications in the words of the Model Context Protocol, in both of its eras."""
