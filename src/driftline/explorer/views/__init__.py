"""Views: pure functions from a subject (a model, perhaps with documents) to plain records that pages draw."""
