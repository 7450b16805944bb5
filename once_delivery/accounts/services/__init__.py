"""One verb a file, or one noun with its verbs where they are few lines."""
