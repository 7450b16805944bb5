"""One's own account, invitations, and a project's members, tokens, notices, hours and settings."""
