"""Saving models to files that are safe to open, and opening them."""

from driftline.storage.model_file import check_target as check_target
from driftline.storage.model_file import load as load
from driftline.storage.model_file import save as save
