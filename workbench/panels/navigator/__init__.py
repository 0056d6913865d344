"""The navigator: what waits, and subjects, types and attributes to narrow everything to."""
