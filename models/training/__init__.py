"""Recipes that make the trained weights under ``models/heads`` and ``models/adapters``."""
