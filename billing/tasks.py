"""What a worker does for accounting, by itself or when woken."""
