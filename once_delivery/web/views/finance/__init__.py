"""The finance pages: costs, documents, months, terms, quotes, exports."""
