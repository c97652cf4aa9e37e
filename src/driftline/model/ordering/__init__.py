"""What orders sentences beside the content model: evidence of pairs, and one score of all of it."""
