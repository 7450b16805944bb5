"""The calls: parse, ask for the role, call one service, answer."""
