"""The inspector: what is selected, with its record, its sources and its versions on both axes."""
