"""The ways in for programs: gateway, permits, costs."""
