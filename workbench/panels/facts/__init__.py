"""The facts table: every fact of the current point of view, windowed to any size."""
