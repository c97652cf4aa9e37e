"""Every implementation of the HMM kernels: they answer to the same tests."""

from functools import partial

import pytest

from driftline.kernels import forward as numpy_forward
from driftline.kernels import viterbi as numpy_viterbi

try:
    import torch

    from driftline.kernels import torch_hmm
except ImportError:
    DEVICES = []
else:
    DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]

FORWARDS = [pytest.param(numpy_forward.forward, id="numpy")]
VITERBIS = [pytest.param(numpy_viterbi.viterbi, id="numpy")]
for device in DEVICES:
    FORWARDS.append(pytest.param(partial(torch_hmm.forward, device=device), id=f"torch-{device}"))
    VITERBIS.append(pytest.param(partial(torch_hmm.viterbi, device=device), id=f"torch-{device}"))
if not DEVICES:
    skipped = pytest.mark.skip(reason="PyTorch is not installed: pip install 'driftline[gpu]'")
    FORWARDS.append(pytest.param(None, id="torch", marks=skipped))
    VITERBIS.append(pytest.param(None, id="torch", marks=skipped))
