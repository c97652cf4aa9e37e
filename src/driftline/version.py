"""The version of driftline, stated once."""

__version__ = "0.1.0"
