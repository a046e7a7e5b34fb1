"""All SQL of the application: tables, the engine, and one repository a file."""
