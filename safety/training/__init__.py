"""Messages written for this project to train the crisis classifier on; no person wrote them in need."""
