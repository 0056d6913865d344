"""The list of conflicts: what sources disagree about, and how it was decided."""
