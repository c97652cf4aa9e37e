"""Scoring and decoding on a device: the answers of the NumPy code, from the device's own arithmetic."""

import warnings

import numpy as np
import pytest

import driftline
from driftline.errors import InputError
from driftline.kernels.forward import forward
from driftline.kernels.viterbi import viterbi
from implementations import DEVICES

pytestmark = pytest.mark.skipif(not DEVICES, reason="PyTorch is not installed: pip install 'driftline[gpu]'")
if DEVICES:
    from driftline.model import torch_scoring
    from driftline.model.torch_scoring import DeviceEmissions, DeviceModel, check_device

STRANGE = [["A quake hit."], ["Zyxwv qwert."], [""], ["!", "Officials said at least 3 people died.", ""]]
on_each_device = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture(scope="module", params=["default", "sharp", "one state"])
def model(request):
    settings = {
        "default": driftline.Settings(),
        "sharp": driftline.Settings(emission_smoothing=1e-12),
        "one state": driftline.Settings(n_states=1),
    }[request.param]
    with warnings.catch_warnings():  # one state is few
        warnings.simplefilter("ignore", driftline.DriftlineWarning)
        return driftline.fit(driftline.sample_corpus("earthquakes"), settings)


@pytest.fixture(scope="module")
def encoded(model):
    return model.encode([*driftline.sample_corpus("earthquakes", "test"), *STRANGE])


@on_each_device
def test_scores_are_those_of_the_plain_code(model, encoded, device):
    """Every state gives every sentence the same log-probability, unknown and empty sentences included."""
    want = model.estimate.emissions.score(encoded)

    got = DeviceEmissions(model.estimate.emissions, device).score(encoded).cpu().numpy()

    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)


@on_each_device
@pytest.mark.parametrize("at_once", [1 << 20, 100, 1])
def test_decoding_finds_the_same_topics(model, encoded, device, at_once, monkeypatch):
    """V-topics are the same, and log-probabilities agree to 1e-9, however the collection is cut into pieces."""
    monkeypatch.setattr(torch_scoring, "_SENTENCES_AT_ONCE", at_once)
    scores = model.estimate.emissions.score(encoded)
    states, best = viterbi(model.chain, scores, encoded.document_offsets)
    total = forward(model.chain, scores, encoded.document_offsets)
    on_device = DeviceModel(model.estimate, device)

    got_states, got_best = on_device.decode(encoded)

    assert got_states.tolist() == states.tolist()
    np.testing.assert_allclose(got_best, best, rtol=1e-9, atol=0)
    np.testing.assert_allclose(on_device.log_probability(encoded), total, rtol=1e-9, atol=0)


@on_each_device
def test_an_empty_collection_is_no_error(model, device):
    """No documents have no topics."""
    states, log_probability = DeviceModel(model.estimate, device).decode(model.encode([]))

    assert states.shape == log_probability.shape == (0,)


@pytest.mark.parametrize("device", ["nonsense", "cuda:99"])
def test_a_device_that_there_is_not_is_refused(device):
    """The message names the device, and what the library says of it."""
    with pytest.raises(InputError, match=f"^device: '{device}' cannot be used \\("):
        check_device(device)
