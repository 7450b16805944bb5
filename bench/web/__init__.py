"""Speed of the pages on a large ledger: ``make bench-web``. How to read it: README.md of the folder above."""
