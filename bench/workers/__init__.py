"""Programs that do one kind of work when told to, each a process of its own."""
