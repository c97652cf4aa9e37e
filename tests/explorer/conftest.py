"""Subjects to explore, and a client that asks the server as a browser would, without a network."""

import pytest

from asking import LOCAL, Client
from driftline.explorer.desk import Desk
from driftline.explorer.server import make_app
from driftline.explorer.subject import Documents, Subject
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus


@pytest.fixture(scope="session")
def quakes():
    """The bundled documents."""
    return sample_corpus("earthquakes")


@pytest.fixture(scope="session")
def quake_model(quakes):
    """A model of the bundled documents."""
    return fit(quakes)


@pytest.fixture(scope="session")
def subject(quake_model, quakes):
    """The model with the documents it was learned from."""
    return Subject(quake_model, "quakes.driftline", Documents(quake_model, quakes))


@pytest.fixture(scope="session")
def bare(quake_model):
    """The model alone."""
    return Subject(quake_model, "quakes.driftline")


@pytest.fixture
def desk(subject):
    """A desk with the model and its documents, and no file."""
    return Desk(subject)


@pytest.fixture
def client(desk):
    """A browser on this machine."""
    return Client(make_app(desk))


@pytest.fixture
def send(client, desk):
    """A function that sends something back as our pages do."""

    def send(address, record, **headers):
        given = {"X-Driftline-Token": desk.page_token, "Origin": LOCAL, **headers}
        return client.post(address, json=record, headers=given)

    return send
