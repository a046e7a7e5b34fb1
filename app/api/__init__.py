"""HTTP routes beside the pages: health, metrics, a person's own data."""
