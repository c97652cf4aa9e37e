"""Forward and Viterbi in PyTorch, for a GPU: the same signatures and answers as the NumPy kernels.

Where the NumPy kernels save work (a document's few rival states), a GPU has arithmetic to spare and wants
one large step: every document at once, every predecessor tried.
"""

from dataclasses import dataclass

import numpy as np

from driftline.kernels.hmm import Batch, Chain, Floats, Integers, batches

try:
    import torch
except ImportError:
    raise ImportError(f"{__name__} needs PyTorch; install driftline[gpu]") from None

_DOCUMENTS_AT_ONCE = 1 << 17
_WAYS_AT_ONCE = 1 << 28
"""Values of [document, from, to] that one step of Viterbi may lay out: 2 GiB."""


@dataclass(frozen=True)
class DeviceChain:
    """A chain of states on a device, in natural-log space."""

    log_initial: torch.Tensor
    log_transition: torch.Tensor
    log_final: torch.Tensor

    @classmethod
    def of(cls, chain: Chain, device: str) -> "DeviceChain":
        """Copy a chain to a device."""
        return cls(
            *(torch.from_numpy(a).to(device) for a in (chain.log_initial, chain.log_transition, chain.log_final))
        )


def forward(chain: Chain, log_emission: Floats, document_offsets: Integers, *, device: str = "cuda") -> Floats:
    """Return the log-probability of each document, as `kernels.forward.forward` does."""
    emission = torch.from_numpy(log_emission).to(device)
    return forward_on_device(DeviceChain.of(chain, device), emission, document_offsets)


def viterbi(
    chain: Chain, log_emission: Floats, document_offsets: Integers, *, device: str = "cuda"
) -> tuple[Integers, Floats]:
    """Return the best state of every sentence and the log-probability of each document's best path."""
    emission = torch.from_numpy(log_emission).to(device)
    return viterbi_on_device(DeviceChain.of(chain, device), emission, document_offsets)


def forward_on_device(chain: DeviceChain, log_emission: torch.Tensor, document_offsets: Integers) -> Floats:
    """Run the forward algorithm over emissions that are on the device already."""
    result = np.zeros(len(document_offsets) - 1)
    transition, final = chain.log_transition.exp(), chain.log_final.exp()
    for batch in batches(document_offsets, _DOCUMENTS_AT_ONCE):
        log_scale = log_emission.new_zeros(len(batch.documents))
        alpha = log_emission.new_empty((len(batch.documents), len(final)))
        for step in range(batch.n_steps):
            emission = log_emission[_rows(batch, step, log_emission.device)]
            n = len(emission)
            if step == 0:
                emission = emission + chain.log_initial
            shift = emission.amax(dim=1)
            likelihood = (emission - shift[:, None]).exp()
            value = likelihood if step == 0 else (alpha[:n] @ transition) * likelihood
            total = value.sum(dim=1)
            alpha[:n] = value / total[:, None]
            log_scale[:n] += shift + total.log()
        result[batch.documents] = (log_scale + (alpha @ final).log()).cpu().numpy()
    return result


def viterbi_on_device(
    chain: DeviceChain, log_emission: torch.Tensor, document_offsets: Integers
) -> tuple[Integers, Floats]:
    """Run Viterbi over emissions that are on the device already."""
    states = torch.zeros(len(log_emission), dtype=torch.int64, device=log_emission.device)
    log_probability = np.zeros(len(document_offsets) - 1)
    for batch in batches(document_offsets, _DOCUMENTS_AT_ONCE):
        deltas: list[torch.Tensor] = []
        for step in range(batch.n_steps):
            delta = log_emission[_rows(batch, step, log_emission.device)]
            into = _best_ways(deltas[-1][: len(delta)], chain.log_transition) if step else chain.log_initial
            deltas.append(delta + into)
        log_probability[batch.documents] = _trace_back(chain, batch, deltas, states).cpu().numpy()
    return states.cpu().numpy(), log_probability


def _rows(batch: Batch, step: int, device: torch.device) -> torch.Tensor:
    return torch.from_numpy(batch.rows(step)).to(device)


def _best_ways(delta: torch.Tensor, log_transition: torch.Tensor) -> torch.Tensor:
    """Return the best way into each state [document, state], before emission."""
    at_once = max(1, _WAYS_AT_ONCE // log_transition.numel())
    starts = range(0, len(delta), at_once)
    return torch.cat([(delta[i : i + at_once, :, None] + log_transition).amax(dim=1) for i in starts])


def _trace_back(chain: DeviceChain, batch: Batch, deltas: list[torch.Tensor], states: torch.Tensor) -> torch.Tensor:
    """Follow the best predecessors from each document's last sentence; ties go to the lower state."""
    log_probability = deltas[0].new_empty(len(batch.documents))
    current = torch.zeros(len(batch.documents), dtype=torch.int64, device=deltas[0].device)
    into = chain.log_transition.T.contiguous()
    n_before = 0
    for step in reversed(range(batch.n_steps)):
        rows = _rows(batch, step, deltas[0].device)
        ending = slice(n_before, len(rows))
        score = deltas[step][ending] + chain.log_final
        log_probability[ending], current[ending] = score.amax(dim=1), _first_highest(score)
        if n_before:
            current[:n_before] = _first_highest(into[current[:n_before]] + deltas[step][:n_before])
        states[rows] = current[: len(rows)]
        n_before = len(rows)
    return log_probability


def _first_highest(values: torch.Tensor) -> torch.Tensor:
    """Return the first place of the maximum of each row; `argmax` promises none where several are equal."""
    places = torch.arange(values.shape[1], device=values.device)
    at_top = values == values.amax(dim=1, keepdim=True)
    return torch.where(at_top, places, values.shape[1]).amin(dim=1)
