"""What the modules for devices say where PyTorch is not installed."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["driftline.kernels.torch_hmm", "driftline.model.torch_scoring"])
def test_without_torch(module):
    """A module for devices says in a sentence what to install."""
    command = f"import sys; sys.modules['torch'] = None; import {module}"

    failed = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)

    assert failed.stderr.splitlines()[-1] == f"ImportError: {module} needs PyTorch; install driftline[gpu]"
