"""One turn of a conversation, and the conversations it belongs to."""
