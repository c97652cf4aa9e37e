"""Pure functions of arrays; nothing here knows of words, files or settings.

The border to the rest is `log_emission[sentence, state]`: whatever made it, here is a plain HMM.
"""
