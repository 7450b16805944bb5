"""Acceptance of assets: what people decide about drafts. Reads the ledger, writes none of it."""
