"""Driftline learns how the documents of one domain are put together, from raw text alone, and uses it.

It implements the content models of Barzilay & Lee (2004), "Catching the Drift".

>>> import driftline
>>> corpus = driftline.sample_corpus("earthquakes")
>>> model = driftline.fit(corpus)
>>> len(model.v_topics(corpus[0])) == len(corpus[0])
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

from driftline.version import __version__ as __version__

if TYPE_CHECKING:
    from driftline.errors import DriftlineError as DriftlineError
    from driftline.errors import DriftlineWarning as DriftlineWarning
    from driftline.errors import InputError as InputError
    from driftline.model.content_model import ContentModel as ContentModel
    from driftline.model.fitting import fit as fit
    from driftline.model.tagging import tag as tag
    from driftline.model.topics import topics as topics
    from driftline.model.updating import update as update
    from driftline.samples.corpora import sample_corpus as sample_corpus
    from driftline.settings import Settings as Settings
    from driftline.storage import load as load
    from driftline.streaming.fitting import fit_shards as fit_shards
    from driftline.tasks.checking import check as check
    from driftline.tasks.explaining import explain_order as explain_order
    from driftline.tasks.ordering import choose_order as choose_order
    from driftline.tasks.ordering import order as order
    from driftline.tasks.ordering import score_orders as score_orders
    from driftline.tasks.ranking import rank as rank
    from driftline.tasks.summarization import learn_summaries as learn_summaries
    from driftline.tasks.summarization import summarize as summarize
    from driftline.text.corpus import Corpus as Corpus
    from driftline.text.corpus import Document as Document
    from driftline.text.reading import ReadOptions as ReadOptions

# Where each public name lives. They are imported when first used, so that `import driftline` and the
# command line's help need neither NumPy nor SciPy.
_HOME = {
    "ContentModel": "driftline.model.content_model",
    "Corpus": "driftline.text.corpus",
    "Document": "driftline.text.corpus",
    "DriftlineError": "driftline.errors",
    "DriftlineWarning": "driftline.errors",
    "InputError": "driftline.errors",
    "ReadOptions": "driftline.text.reading",
    "Settings": "driftline.settings",
    "check": "driftline.tasks.checking",
    "choose_order": "driftline.tasks.ordering",
    "explain_order": "driftline.tasks.explaining",
    "fit": "driftline.model.fitting",
    "fit_shards": "driftline.streaming.fitting",
    "learn_summaries": "driftline.tasks.summarization",
    "load": "driftline.storage",
    "order": "driftline.tasks.ordering",
    "rank": "driftline.tasks.ranking",
    "sample_corpus": "driftline.samples.corpora",
    "score_orders": "driftline.tasks.ordering",
    "summarize": "driftline.tasks.summarization",
    "tag": "driftline.model.tagging",
    "topics": "driftline.model.topics",
    "update": "driftline.model.updating",
}

__all__ = [  # noqa: PLE0604 (the table above is the list)
    *_HOME,
    "__version__",
]


def __getattr__(name: str) -> object:
    """Import a public name from its home when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module 'driftline' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
