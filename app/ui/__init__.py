"""The Gradio pages. Gradio is imported in this package only."""
