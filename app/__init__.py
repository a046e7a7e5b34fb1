"""The web application: everything that has a user, a request or a row in it."""
