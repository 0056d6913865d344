"""The journal: every transaction with who, when and why, before and after, and the way back."""
