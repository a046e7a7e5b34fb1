"""Text in, a verdict out: crisis risk, helplines and the check of replies.

Nothing here knows of the web, of SQL, of a model server or of the ``app`` package.
"""
