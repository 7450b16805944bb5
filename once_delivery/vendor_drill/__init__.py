"""The acceptance drill of any vendor's workflow: a proxy that injects the failure, and a verdict from the target."""
