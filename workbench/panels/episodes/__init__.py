"""The episodes: what agents observed, and the facts that came of it."""
