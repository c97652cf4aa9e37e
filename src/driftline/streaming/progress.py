"""How far a pass is: sentences a second, sentences moved, time left."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

Say = Callable[[str], None]


@dataclass
class Progress:
    """Tells how a pass over so many sentences gets on."""

    title: str
    n_sentences: int
    say: Say
    n_done: int = 0
    started: float = field(default_factory=time.perf_counter)

    def advance(self, n_sentences: int) -> None:
        """Note that so many more sentences are done."""
        self.n_done += n_sentences
        rate = self.n_done / max(time.perf_counter() - self.started, 1e-9)
        left = (self.n_sentences - self.n_done) / rate
        done = f"{self.n_done:,} of {self.n_sentences:,} sentences"
        self.say(f"{self.title}: {done}, {rate:,.0f} a second, {left:.0f} s left")
