"""Choosing the settings of a model: by search on a development set, or by how far its topics hold."""
