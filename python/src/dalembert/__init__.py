"""Derives, explains and simulates the motion of constrained mechanical systems.

The same nouns as the command line::

    import dalembert as da

    m = da.load("pendulum.toml", set={"l": "2 m"})
    print(m.check())
    eq = m.derive()
    sol = m.run(span=4.0, rtol=1e-10, record=["energy"])
"""

from dalembert.builder import Body
from dalembert.equations import Equations
from dalembert.errors import ContradictoryConstraints, DalembertError, ModelError, RunError, StartError
from dalembert.many import Many
from dalembert.model import Model, View, explain, gallery, gallery_names, load, read
from dalembert.simulator import Simulator
from dalembert.solution import Reaction, Solution
from dalembert.sweep import Dataset, merge
from dalembert.symbols import Coordinate, Expression, Symbol
from dalembert.symbols import equal as Eq
from dalembert.symbols import vector

__all__ = [
    "Body",
    "ContradictoryConstraints",
    "Coordinate",
    "Dataset",
    "DalembertError",
    "Eq",
    "Equations",
    "Expression",
    "Many",
    "Model",
    "ModelError",
    "Reaction",
    "RunError",
    "Simulator",
    "Solution",
    "StartError",
    "Symbol",
    "View",
    "explain",
    "gallery",
    "gallery_names",
    "load",
    "merge",
    "read",
    "vector",
]
