"""What a model is used for: ordering sentences, ranking orders."""
