"""Text in, text or scores out: chat models, tactics, novelty, empathy and the re-ranker.

Nothing here knows of the web, of SQL or of the ``app`` package.
"""
