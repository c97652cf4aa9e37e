"""What can go wrong, in one place.

DriftlineError            anything that a caller may want to catch
 └─ InputError            an argument, a file or its content is not what it should be
     ├─ SettingsError     a setting, or a combination of settings
     └─ ModelFileError    a file that should hold a saved model
DriftlineWarning          something to know about a result that was still made
"""


class DriftlineError(Exception):
    """Base of all errors that driftline raises on purpose."""


class InputError(DriftlineError, ValueError):
    """An argument, a file or its content is not what it should be; the message names it."""


class SettingsError(InputError):
    """One or more settings have a value that cannot work; the message lists all of them."""


class ModelFileError(InputError):
    """A file that should hold a saved model is damaged, foreign or too new."""


class DriftlineWarning(UserWarning):
    """Something a user should know about a result: too few documents, arbitrary merges, ..."""
