"""The timeline: a lane for each key, a bar for each stretch of valid time."""
