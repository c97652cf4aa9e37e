"""The bundled corpora: five synthetic domains, written by grammars with fixed seeds."""
