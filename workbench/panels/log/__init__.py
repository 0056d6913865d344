"""The log panel: what the program noted about its own work."""
