"""Learning from collections larger than memory, in one process, in several, or on a cluster."""
