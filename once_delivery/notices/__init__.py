"""Telling people and programs what happened: e-mails and signed webhooks, through an outbox that is seen and retried."""
