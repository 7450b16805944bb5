"""Benchmarks of the ledger: ``make bench``. What is measured and how to read it: README.md beside this file."""
