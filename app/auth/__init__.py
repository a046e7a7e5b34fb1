"""Who is asking: signed browser cookies of persons, staff accounts and roles."""
