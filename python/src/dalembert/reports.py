"""The reports of the library, with the names of ``--json``.

Written by ``generate_reports.py`` from the library's JSON Schema: do not edit.
"""

# ruff: noqa
from __future__ import annotations

from typing import Any

from dalembert._report import Report

__all__ = ['Speed', 'Counts', 'ConstraintRow', 'Force', 'Moved', 'Residual', 'StartReport', 'Independent', 'Verified', 'Warning', 'CheckReport', 'NotUnique', 'ForceSplit', 'Wrench', 'Reaction', 'Undetermined', 'Determined', 'GeometryReport', 'Momentum', 'Determined2', 'Energy', 'EvalReport', 'Solved', 'FormulaEquation', 'PartialVelocity', 'DerivedMotion', 'EnergyFormulas', 'DerivedMatrices', 'NonzeroFormulas', 'Formula', 'DerivedForces', 'Digits', 'DeriveReport', 'ImpulseReport', 'CounterexampleReport', 'ProvedEquation', 'BranchReport', 'Diagnostic', 'ProveReport', 'Switched', 'Ledger', 'Event', 'WrittenFile', 'RunReport', 'SweepFailure', 'SweepReport', 'ErrorReport']


class Speed(Report):
    """A speed of the model."""

    name: str
    """Its name."""
    kind: str | None
    """"velocity" if it is the rate of a function of coordinates and time, "quasi" if it is the rate of nothing; where that is known."""
    integral: str | None
    """That function, if it is known."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Speed:
        return cls._made(
            name=data['name'],
            kind=data['kind'],
            integral=data['integral'],
        )


class Counts(Report):
    """How many there are of everything."""

    coordinates: int
    """Coordinates."""
    speeds: int
    """Speeds."""
    rows: int
    """Rows of the constraints."""
    rank: int
    """Independent rows at the start."""
    redundant: int
    """Rows that follow from others there."""
    velocity_freedoms: int
    """Velocities that the rows leave free."""
    position_freedoms: int | None
    """Positions that they leave free, if that is known without doubt."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Counts:
        return cls._made(
            coordinates=data['coordinates'],
            speeds=data['speeds'],
            rows=data['rows'],
            rank=data['rank'],
            redundant=data['redundant'],
            velocity_freedoms=data['velocity_freedoms'],
            position_freedoms=data['position_freedoms'],
        )


class ConstraintRow(Report):
    """A row of a constraint."""

    name: str
    """Its name."""
    level: str
    """"position", "velocity" or "acceleration"."""
    linear: bool
    """Whether it is linear in what it speaks of."""
    holonomic: bool | None
    """Whether it lies in the integrable part of all rows, if that is known."""
    integral: str | None
    """A function that it keeps constant on its own, if one is known."""
    rheonomic: bool
    """Whether it depends on time."""
    ideal: bool
    """Whether its reaction does no virtual work."""
    redundant: bool
    """Whether it follows from other rows at the start."""
    reaction_unique: bool
    """Whether its reaction has one value at the start."""
    factored: str | None
    """The row as a product, where it is one: `y'*(x' - y')`. One of the factors holds, and is the row to write."""
    unilateral: bool
    """Whether it is a contact, which presses and does not pull, and can open; only those say so in the document."""
    active: bool
    """Whether it holds at the start; others wait for an event, and only they say so in the document."""
    repeats: str | None
    """Of which rows it is the sum there, `rod + 2*floor`; "0" where it restricts nothing there."""
    held_by: str | None
    """The force that holds it in place of a reaction."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> ConstraintRow:
        return cls._made(
            name=data['name'],
            level=data['level'],
            linear=data['linear'],
            holonomic=data['holonomic'],
            integral=data['integral'],
            rheonomic=data['rheonomic'],
            ideal=data['ideal'],
            redundant=data['redundant'],
            reaction_unique=data['reaction_unique'],
            factored=(data['factored']) if 'factored' in data else None,
            unilateral=(data['unilateral']) if 'unilateral' in data else False,
            active=(data['active']) if 'active' in data else True,
            repeats=(data['repeats']) if 'repeats' in data else None,
            held_by=(data['held_by']) if 'held_by' in data else None,
        )


class Force(Report):
    """A given force."""

    name: str
    """Its name."""
    kind: str | None
    """"conservative" (it has a potential of the coordinates), "lamellar" (one that depends on time), "dissipative" (it takes power from every motion, or none), "gyroscopic" (it depends on rates, and has no power), or "other"; where that is known."""
    potential: str | None
    """Its potential, if that is known."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Force:
        return cls._made(
            name=data['name'],
            kind=data['kind'],
            potential=data['potential'],
        )


class Moved(Report):
    """A guess that was not met."""

    name: str
    """Of which coordinate, rate or speed."""
    given: float | None
    """The guess."""
    found: float | None
    """The value in its place."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Moved:
        return cls._made(
            name=data['name'],
            given=data['given'],
            found=data['found'],
        )


class Residual(Report):
    """What is left of constraints."""

    position: float | None
    """Of rows of positions."""
    velocity: float | None
    """Of all rows, as rows of velocities."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Residual:
        return cls._made(
            position=data['position'],
            velocity=data['velocity'],
        )


class StartReport(Report):
    """The consistent start."""

    consistent: bool
    """Whether all constraints and given values are met; a start that does not is an error."""
    solved: dict[str, float | None]
    """Values that were found."""
    moved: list[Moved]
    """Guesses that were not met."""
    residual: Residual
    """What is left of the constraints."""
    sticking: list[str]
    """What friction holds: constraints, and springs with dry friction."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> StartReport:
        return cls._made(
            consistent=data['consistent'],
            solved=data['solved'],
            moved=[Moved.read(it) for it in data['moved']],
            residual=Residual.read(data['residual']),
            sticking=(data['sticking']) if 'sticking' in data else [],
        )


class Independent(Report):
    """Coordinates and speeds that the others follow from."""

    coordinates: list[str]
    """Names of the coordinates."""
    speeds: list[str]
    """Names of the speeds."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Independent:
        return cls._made(
            coordinates=data['coordinates'],
            speeds=data['speeds'],
        )


class Verified(Report):
    """How well the formulations agree."""

    states: int
    """Random states besides the start."""
    max_difference: float | None
    """Largest relative difference of accelerations and forces, if there is something to compare."""
    change: float | None
    """Largest change of what is said to be constant along a short run from a random state, as part of its terms; where there is such a run."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Verified:
        return cls._made(
            states=data['states'],
            max_difference=data['max_difference'],
            change=(data['change']) if 'change' in data else None,
        )


class Warning(Report):
    """A warning in short."""

    code: str
    """What `explain` knows it by."""
    message: str
    """What the reader should know."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Warning:
        return cls._made(
            code=data['code'],
            message=data['message'],
        )


class CheckReport(Report):
    """Counts, rows, start state and the agreement of formulations of a model."""

    title: str | None
    """The model's title."""
    coordinates: list[str]
    """Names of the coordinates."""
    speeds: list[Speed]
    """The speeds."""
    counts: Counts
    """How many there are of everything."""
    constraints: list[ConstraintRow]
    """The constraints, row by row."""
    forces: list[Force]
    """The given forces."""
    integrals: list[str]
    """Functions of the coordinates, and of time, that rows of velocities keep constant, beyond what rows of positions hold."""
    growth: list[int]
    """Dimensions of what is reached along one, two, … of the directions that the rows leave free, in turn: its last entry is that of all positions. Empty without rows of velocities."""
    ignorable: list[str]
    """Coordinates that neither the kinetic nor the potential energy depends on."""
    conserved: list[str]
    """What is constant along every motion, proved: "energy", "Jacobi integral", and momenta as sums of `p_x`, which is ∂T/∂x'."""
    start: StartReport
    """The consistent start."""
    independent: Independent | None
    """Coordinates and speeds that the others follow from at the start."""
    verified: Verified
    """How well the formulations agree."""
    warnings: list[Warning]
    """What the reader should know."""
    identities: list[str]
    """Identities that the coordinates obey by what they are, row by row; only models with such say so in the document."""
    links: list[str]
    """Bodies of a long tree in coordinates of its joints, whose inertia is left link by link and not written out as a matrix; only models with such say so in the document."""
    could_hang: list[str]
    """Bodies that would hang by their joints with `coordinates = "relative"`, where that makes runs faster; only such models say so."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> CheckReport:
        return cls._made(
            title=data['title'],
            coordinates=data['coordinates'],
            speeds=[Speed.read(it) for it in data['speeds']],
            counts=Counts.read(data['counts']),
            constraints=[ConstraintRow.read(it) for it in data['constraints']],
            forces=[Force.read(it) for it in data['forces']],
            integrals=data['integrals'],
            growth=data['growth'],
            ignorable=data['ignorable'],
            conserved=data['conserved'],
            start=StartReport.read(data['start']),
            independent=None if data['independent'] is None else Independent.read(data['independent']),
            verified=Verified.read(data['verified']),
            warnings=[Warning.read(it) for it in data['warnings']],
            identities=(data['identities']) if 'identities' in data else [],
            links=(data['links']) if 'links' in data else [],
            could_hang=(data['could_hang']) if 'could_hang' in data else [],
        )


class NotUnique(Report):
    """Multipliers that are not determined."""

    rows: list[str]
    """Their rows."""
    why: list[str]
    """How the rows depend on each other."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> NotUnique:
        return cls._made(
            rows=data['rows'],
            why=data['why'],
        )


class ForceSplit(Report):
    """Generalized forces by speed."""

    given: dict[str, float | None]
    """h: given forces, and inertia terms without accelerations."""
    ideal: dict[str, float | None]
    """What ideal constraints exert."""
    nonideal: dict[str, float | None]
    """What is not ideal about them."""
    servo: dict[str, float | None] | None
    """Forces that hold constraints in place of reactions."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> ForceSplit:
        return cls._made(
            given=data['given'],
            ideal=data['ideal'],
            nonideal=data['nonideal'],
            servo=(data['servo']) if 'servo' in data else None,
        )


class Wrench(Report):
    """Force and moment, in world axes, on a body at its mass centre; components that are not determined are no numbers."""

    force: list[float | None]
    """Force."""
    moment: list[float | None]
    """Moment about the mass centre; zero on a particle."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Wrench:
        return cls._made(
            force=data['force'],
            moment=data['moment'],
        )


class Reaction(Report):
    """What a constraint exerts."""

    generalized: dict[str, float | None]
    """By coordinate; in large models on those that it speaks of."""
    bodies: dict[str, Wrench] | None
    """On each particle and body; null where it is not determined."""
    speeds: dict[str, float | None] | None
    """By speed; not in large models."""
    undetermined: str | None
    """Why it, or some component, is not determined."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Reaction:
        return cls._made(
            generalized=data['generalized'],
            bodies=None if data['bodies'] is None else {name: Wrench.read(it) for name, it in data['bodies'].items()},
            speeds=(data['speeds']) if 'speeds' in data else None,
            undetermined=(data['undetermined']) if 'undetermined' in data else None,
        )


class Undetermined(Report):
    """There is none."""

    undetermined: str
    """Why not."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Undetermined:
        return cls._made(
            undetermined=data['undetermined'],
        )


Determined = Wrench | Undetermined
"""A value, or why there is none."""


def read_determined(data: Any) -> Determined:
    if {'force', 'moment'} <= data.keys():
        return Wrench.read(data)
    if {'undetermined'} <= data.keys():
        return Undetermined.read(data)
    raise ValueError(f"unexpected document: {data}")


class GeometryReport(Report):
    """What constraints demand of the free motion."""

    error: list[float | None] | None
    """e = b − A a by row: by how much the motion without constraints would break it."""
    tangent: list[float | None]
    """The part of q'' that the rows leave free, by coordinate."""
    normal: list[float | None]
    """The part that they demand, by coordinate."""
    undetermined: str | None
    """Why there is no such motion."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> GeometryReport:
        return cls._made(
            error=data['error'],
            tangent=data['tangent'],
            normal=data['normal'],
            undetermined=(data['undetermined']) if 'undetermined' in data else None,
        )


class Momentum(Report):
    """Momentum of all particles and bodies."""

    linear: list[float | None]
    """Linear momentum."""
    angular: list[float | None]
    """Angular momentum about the origin."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Momentum:
        return cls._made(
            linear=data['linear'],
            angular=data['angular'],
        )


Determined2 = Momentum | Undetermined
"""A value, or why there is none."""


def read_determined2(data: Any) -> Determined2:
    if {'linear', 'angular'} <= data.keys():
        return Momentum.read(data)
    if {'undetermined'} <= data.keys():
        return Undetermined.read(data)
    raise ValueError(f"unexpected document: {data}")


class Energy(Report):
    """Energies."""

    kinetic: float | None
    """T."""
    potential: float | None
    """V."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Energy:
        return cls._made(
            kinetic=data['kinetic'],
            potential=data['potential'],
        )


class EvalReport(Report):
    """Everything about the motion at one state."""

    t: float | None
    """Time."""
    parameters: dict[str, float | None]
    """Values of the parameters."""
    coordinates: dict[str, float | None]
    """q."""
    rates: dict[str, float | None]
    """q', by coordinate."""
    speeds: dict[str, float | None]
    """v."""
    accelerations: dict[str, float | None]
    """q'', by coordinate."""
    speed_rates: dict[str, float | None]
    """v', by speed."""
    multipliers: dict[str, float | None]
    """λ, by row."""
    multipliers_ideal: dict[str, float | None]
    """λ if the constraints were ideal, by row."""
    not_unique: NotUnique
    """Multipliers that are not determined."""
    forces: ForceSplit
    """Generalized forces by speed: M v' is their sum."""
    reactions: dict[str, Reaction]
    """What each constraint exerts."""
    resultants: dict[str, Determined]
    """The sum of all reactions on each particle and body."""
    geometry: GeometryReport
    """What constraints demand of the free motion."""
    momentum: dict[str, float | None]
    """∂T/∂q', by coordinate."""
    total_momentum: Determined2
    """Of all particles and bodies."""
    energy: Energy
    """Energies."""
    power: dict[str, float | None]
    """Power of each force and constraint, and of what drives the system from outside."""
    independent: Independent | None
    """Coordinates and speeds that the others follow from."""
    formulations: dict[str, dict[str, float | None] | None]
    """v' by each formulation that was compared."""
    found: dict[str, float | None]
    """Those that were "?", and are found from the start."""
    change_point: bool
    """Whether motions branch off here: what follows from accelerations or multipliers is null then."""
    sticking: list[str]
    """What friction holds: constraints, and springs with dry friction."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> EvalReport:
        return cls._made(
            t=data['t'],
            parameters=data['parameters'],
            coordinates=data['coordinates'],
            rates=data['rates'],
            speeds=data['speeds'],
            accelerations=data['accelerations'],
            speed_rates=data['speed_rates'],
            multipliers=data['multipliers'],
            multipliers_ideal=data['multipliers_ideal'],
            not_unique=NotUnique.read(data['not_unique']),
            forces=ForceSplit.read(data['forces']),
            reactions={name: Reaction.read(it) for name, it in data['reactions'].items()},
            resultants={name: read_determined(it) for name, it in data['resultants'].items()},
            geometry=GeometryReport.read(data['geometry']),
            momentum=data['momentum'],
            total_momentum=read_determined2(data['total_momentum']),
            energy=Energy.read(data['energy']),
            power=data['power'],
            independent=None if data['independent'] is None else Independent.read(data['independent']),
            formulations=data['formulations'],
            found=(data['found']) if 'found' in data else {},
            change_point=(data['change_point']) if 'change_point' in data else False,
            sticking=(data['sticking']) if 'sticking' in data else [],
        )


class Solved(Report):
    """Independent speeds and what depends on them."""

    speeds: list[str]
    """The independent ones."""
    dependent: dict[str, str]
    """Coordinates, speeds and accelerations in terms of them."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Solved:
        return cls._made(
            speeds=data['speeds'],
            dependent=data['dependent'],
        )


class FormulaEquation(Report):
    """left = right."""

    left: str
    """Left side."""
    right: str
    """Right side."""
    latex: str
    """Both, in LaTeX."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> FormulaEquation:
        return cls._made(
            left=data['left'],
            right=data['right'],
            latex=data['latex'],
        )


class PartialVelocity(Report):
    """Derivatives by a speed."""

    velocity: list[str]
    """Of the velocity."""
    omega: list[str] | None
    """Of the angular velocity."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> PartialVelocity:
        return cls._made(
            velocity=data['velocity'],
            omega=data['omega'],
        )


class DerivedMotion(Report):
    """How a particle or body moves, in the speeds of the equations."""

    name: str
    """What the model calls it."""
    velocity: list[str]
    """Velocity of the particle or of the mass centre, in fixed axes."""
    omega: list[str] | None
    """Angular velocity of a body, in its own axes."""
    partials: dict[str, PartialVelocity]
    """Partial velocities, by speed."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> DerivedMotion:
        return cls._made(
            name=data['name'],
            velocity=data['velocity'],
            omega=data['omega'],
            partials={name: PartialVelocity.read(it) for name, it in data['partials'].items()},
        )


class EnergyFormulas(Report):
    """Energies, in the speeds of the equations."""

    kinetic: str
    """T."""
    potential: str
    """V."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> EnergyFormulas:
        return cls._made(
            kinetic=data['kinetic'],
            potential=data['potential'],
        )


class DerivedMatrices(Report):
    """The canonical problem: q' = N v + n, M v' = h + Aᵀ λ + w, A v' = b, A D = 0; matrices row by row."""

    N: list[list[str]]
    """N."""
    n: list[str]
    """n."""
    M: list[list[str]]
    """M."""
    h: list[str]
    """h."""
    A: list[list[str]]
    """A."""
    b: list[str]
    """b."""
    w: list[str]
    """w."""
    E: list[list[str]] | None
    """E, the directions in which rows are held, if forces hold some of them."""
    D: list[list[str]] | None
    """D, if one was found."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> DerivedMatrices:
        return cls._made(
            N=data['N'],
            n=data['n'],
            M=data['M'],
            h=data['h'],
            A=data['A'],
            b=data['b'],
            w=data['w'],
            E=data['E'],
            D=data['D'],
        )


class NonzeroFormulas(Report):
    """What is divided by and may vanish."""

    equations: list[str]
    """In the equations."""
    reactions: list[str]
    """In the formulas for reactions, besides."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> NonzeroFormulas:
        return cls._made(
            equations=data['equations'],
            reactions=data['reactions'],
        )


class Formula(Report):
    """An expression."""

    expr: str
    """In the model's syntax."""
    latex: str
    """In LaTeX."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Formula:
        return cls._made(
            expr=data['expr'],
            latex=data['latex'],
        )


class DerivedForces(Report):
    """Forces by speed; null where no formula was found."""

    given: dict[str, str | None]
    """h: given forces, and inertia terms without accelerations."""
    ideal: dict[str, str | None]
    """What ideal constraints exert."""
    nonideal: dict[str, str | None]
    """What is not ideal about them."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> DerivedForces:
        return cls._made(
            given=data['given'],
            ideal=data['ideal'],
            nonideal=data['nonideal'],
        )


class Digits(Report):
    """How well equations agree with numbers."""

    digits: int
    """Digits that both have in common."""
    states: int
    """At how many states."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Digits:
        return cls._made(
            digits=data['digits'],
            states=data['states'],
        )


class DeriveReport(Report):
    """Equations of motion in the model's own syntax, which can be read again, and in LaTeX."""

    formulation: str
    """The formulation."""
    coordinates: list[str]
    """Names of the coordinates."""
    speeds: list[str]
    """Names of the speeds that the equations are in."""
    independent: Solved | None
    """Independent and dependent speeds, in that formulation."""
    kinematics: list[FormulaEquation]
    """q' in terms of quasi-velocities."""
    shorthands: dict[str, str]
    """Names for parts that occur often, each in terms of those before."""
    shorthands_latex: list[str]
    """The same as equations in LaTeX, for the names in `latex` elsewhere."""
    motions: list[DerivedMotion]
    """How particles and bodies move; where steps or matrices are asked for."""
    energies: EnergyFormulas | None
    """T and V, where the model gives them; where steps or matrices are asked for."""
    matrices: DerivedMatrices
    """The canonical problem; where matrices are asked for."""
    nonzero: NonzeroFormulas
    """What is divided by and may vanish."""
    equations: list[FormulaEquation]
    """The equations of motion."""
    multipliers: dict[str, Formula | None]
    """λ of each row; null where it is not unique, or where no formula was found."""
    forces: DerivedForces
    """Forces by speed: M v' is their sum."""
    reactions: dict[str, dict[str, str]]
    """Reactions of the constraints by coordinate, in terms of the multipliers."""
    proved: list[str]
    """Formulations that were proved to give the same motion."""
    agrees: dict[str, Digits]
    """Those that were not, but agree with numbers."""
    not_proved: dict[str, str]
    """Those that were neither, and why."""
    notes: list[str]
    """What the reader should know."""
    identities: list[FormulaEquation]
    """What the coordinates obey by what they are, as the four of a unit quaternion; only models with such say so in the document."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> DeriveReport:
        return cls._made(
            formulation=data['formulation'],
            coordinates=data['coordinates'],
            speeds=data['speeds'],
            independent=None if data['independent'] is None else Solved.read(data['independent']),
            kinematics=[FormulaEquation.read(it) for it in data['kinematics']],
            shorthands=data['shorthands'],
            shorthands_latex=data['shorthands_latex'],
            motions=[DerivedMotion.read(it) for it in data['motions']],
            energies=None if data['energies'] is None else EnergyFormulas.read(data['energies']),
            matrices=DerivedMatrices.read(data['matrices']),
            nonzero=NonzeroFormulas.read(data['nonzero']),
            equations=[FormulaEquation.read(it) for it in data['equations']],
            multipliers={name: None if it is None else Formula.read(it) for name, it in data['multipliers'].items()},
            forces=DerivedForces.read(data['forces']),
            reactions=data['reactions'],
            proved=data['proved'],
            agrees={name: Digits.read(it) for name, it in data['agrees'].items()},
            not_proved=data['not_proved'],
            notes=data['notes'],
            identities=([FormulaEquation.read(it) for it in data['identities']]) if 'identities' in data else [],
        )


class ImpulseReport(Report):
    """A blow in the model's own syntax, and in LaTeX."""

    event: str
    """The event."""
    coordinates: list[str]
    """Names of the coordinates."""
    shorthands: dict[str, str]
    """Names for parts that occur often, each in terms of those before."""
    after: list[FormulaEquation]
    """Rates after the blow, in terms of those before."""
    impulses: dict[str, Formula | None]
    """Impulses of the rows that hold in the blow, and of what is struck by its number, `hit.0`; null where rows that depend on each other share them."""
    lost: Formula | None
    """The energy that rows and walls take, in terms of the impulses, `Lambda(ROW)`; null where these are not unique."""
    nonzero: list[str]
    """What is divided by and may vanish."""
    notes: list[str]
    """What the reader should know."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> ImpulseReport:
        return cls._made(
            event=data['event'],
            coordinates=data['coordinates'],
            shorthands=data['shorthands'],
            after=[FormulaEquation.read(it) for it in data['after']],
            impulses={name: None if it is None else Formula.read(it) for name, it in data['impulses'].items()},
            lost=None if data['lost'] is None else Formula.read(data['lost']),
            nonzero=data['nonzero'],
            notes=data['notes'],
        )


class CounterexampleReport(Report):
    """A state where an equation does not hold."""

    t: float | None
    """Time."""
    coordinates: dict[str, float | None]
    """q."""
    rates: dict[str, float | None]
    """q', by coordinate."""
    accelerations: dict[str, float | None]
    """q'', by coordinate."""
    multipliers: dict[str, float | None]
    """λ, by row."""
    left: float | None
    """Value of the left side."""
    right: float | None
    """Value of the right side."""
    difference: float | None
    """Their difference."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> CounterexampleReport:
        return cls._made(
            t=data['t'],
            coordinates=data['coordinates'],
            rates=data['rates'],
            accelerations=data['accelerations'],
            multipliers=data['multipliers'],
            left=data['left'],
            right=data['right'],
            difference=data['difference'],
        )


class ProvedEquation(Report):
    """What is known about an equation."""

    text: str
    """As written."""
    line: int
    """Its line in the file."""
    verdict: str
    """"proved", "refuted" or "not proved"."""
    parameters: str | None
    """For which values of the parameters it is proved: "all", "as written" or "values"."""
    difference: str | None
    """Terms by which it differs from a right equation."""
    counterexample: CounterexampleReport | None
    """A state where it does not hold."""
    why: str | None
    """Why it is neither proved nor refuted."""
    nonzero: list[str]
    """What must not be zero where it is proved."""
    states: int | None
    """States at which an equation that is not proved was tried."""
    within: float | None
    """How well it holds there, relative to its terms."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> ProvedEquation:
        return cls._made(
            text=data['text'],
            line=data['line'],
            verdict=data['verdict'],
            parameters=data['parameters'],
            difference=data['difference'],
            counterexample=None if data['counterexample'] is None else CounterexampleReport.read(data['counterexample']),
            why=data['why'],
            nonzero=(data['nonzero']) if 'nonzero' in data else [],
            states=(data['states']) if 'states' in data else None,
            within=(data['within']) if 'within' in data else None,
        )


class BranchReport(Report):
    """A branch of the constraints."""

    start: str
    """What holds on the branch of the start."""
    other: str
    """What holds on the other."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> BranchReport:
        return cls._made(
            start=data['start'],
            other=data['other'],
        )


class Diagnostic(Report):
    """A diagnostic for programs: lines and columns count from 1, columns in characters, the end is exclusive."""

    code: str | None
    """What `explain` knows it by; null where the command was used wrongly."""
    severity: str
    """"error" or "warning"."""
    message: str
    """What is wrong."""
    help: str | None
    """How to put it right."""
    file: str | None
    """The file, or the argument that a text was given as."""
    line: int | None
    """Where it begins."""
    column: int | None
    """Where it begins in its line."""
    end_line: int | None
    """Where it ends."""
    end_column: int | None
    """Where it ends in that line."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Diagnostic:
        return cls._made(
            code=data['code'],
            severity=data['severity'],
            message=data['message'],
            help=data['help'],
            file=data['file'],
            line=data['line'],
            column=data['column'],
            end_line=data['end_line'],
            end_column=data['end_column'],
        )


class ProveReport(Report):
    """What is known about the equations of a file."""

    equations: list[ProvedEquation]
    """Equation by equation."""
    branches: list[BranchReport]
    """Where the constraints have several branches, those of the start: the proofs hold there."""
    change_point: bool
    """Whether constraints depend on each other at the start that do not elsewhere."""
    open_accelerations: int | None
    """Accelerations that the proved equations leave open together with the constraints, if that is known."""
    open_multipliers: int | None
    """Multipliers that they leave open."""
    equivalent: bool
    """Whether all are proved, and determine the accelerations."""
    diagnostics: list[Diagnostic]
    """What is wrong with lines that could not be read, then what else the reader should know; in the document where there is an error."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> ProveReport:
        return cls._made(
            equations=[ProvedEquation.read(it) for it in data['equations']],
            branches=[BranchReport.read(it) for it in data['branches']],
            change_point=data['change_point'],
            open_accelerations=data['open_accelerations'],
            open_multipliers=data['open_multipliers'],
            equivalent=data['equivalent'],
            diagnostics=([Diagnostic.read(it) for it in data['diagnostics']]) if 'diagnostics' in data else [],
        )


class Switched(Report):
    """A change of the integrator."""

    t: float | None
    """When."""
    to: str
    """The integrator from there on."""
    reason: str
    """Why."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Switched:
        return cls._made(
            t=data['t'],
            to=data['to'],
            reason=data['reason'],
        )


class Ledger(Report):
    """Energy and work of a run."""

    start: float | None
    """Energy at the start."""
    end: float | None
    """Energy at the end."""
    work: float | None
    """Work of all that is not the potential."""
    balance_error: float | None
    """How far they are from balance."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Ledger:
        return cls._made(
            start=data['start'],
            end=data['end'],
            work=data['work'],
            balance_error=data['balance_error'],
        )


class Event(Report):
    """Something that happened on the way."""

    name: str
    """Its name."""
    t: float | None
    """When."""
    kind: str
    """What it is: `event`, `impact` where velocities jump by a blow, `open` and `close` of a contact, `stick`, `slip` or `change point`."""
    lost: float | None
    """Energy that constraints and walls took in a blow, or that was taken by new values."""
    before: dict[str, float | None]
    """Rates before it."""
    after: dict[str, float | None]
    """Rates after it."""
    impulses: dict[str, float | None]
    """Impulses of the rows in a blow, and of what was struck by its number: `hit.0`."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Event:
        return cls._made(
            name=data['name'],
            t=data['t'],
            kind=data['kind'],
            lost=data['lost'],
            before=data['before'],
            after=data['after'],
            impulses=data['impulses'],
        )


class WrittenFile(Report):
    """A file of samples."""

    path: str
    """Its name."""
    rows: int
    """Samples."""
    columns: int
    """Quantities."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> WrittenFile:
        return cls._made(
            path=data['path'],
            rows=data['rows'],
            columns=data['columns'],
        )


class RunReport(Report):
    """A run: finished, or as far as it came."""

    status: str
    """"done" at the end of the span, "until" where the condition became true, "event" where one ended it, "rest" where impacts, or other events, that follow each other ever faster are over, "interrupted", or "error"."""
    t_end: float | None
    """Time reached."""
    steps: int
    """Accepted steps."""
    rejected: int
    """Rejected steps."""
    rhs_evaluations: int
    """Evaluations of the right-hand side."""
    wall_s: float | None
    """Seconds spent integrating and recording. The three together are what a run takes, but for reading and writing files and the start of a process."""
    derive_s: float | None
    """Seconds from text to equations and a consistent start."""
    compile_s: float | None
    """Seconds spent on the programs of the run."""
    formulation: str
    """Where accelerations and reactions came from."""
    integrator: str
    """The integrator, the last where there were several."""
    jacobians: int
    """Derivatives of the right-hand side by the state, for implicit steps."""
    factorisations: int
    """Factorisations for implicit steps."""
    switched: list[Switched]
    """Changes of the integrator on the way."""
    max_residual: Residual
    """Largest residuals of the constraints."""
    energy: Ledger
    """The ledger of energy and work."""
    events: list[Event]
    """What happened on the way."""
    end: dict[str, float | None]
    """Coordinates and rates at the end."""
    found: dict[str, float | None]
    """Parameters that were "?", and are found from the start."""
    independent: Independent | None
    """What governed the run, if that was its formulation."""
    rechosen: int | None
    """How often these changed on the way, to stay well conditioned."""
    not_unique: NotUnique | None
    """Multipliers that were to be recorded and are not determined: the samples have no numbers of them."""
    files: list[WrittenFile]
    """The files that the samples were written to."""
    diagnostics: list[Diagnostic]
    """What ended the run on its way or kept its file from being written, then what else the reader should know; in the document where there is an error."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> RunReport:
        return cls._made(
            status=data['status'],
            t_end=data['t_end'],
            steps=data['steps'],
            rejected=data['rejected'],
            rhs_evaluations=data['rhs_evaluations'],
            wall_s=data['wall_s'],
            derive_s=data['derive_s'],
            compile_s=data['compile_s'],
            formulation=data['formulation'],
            integrator=data['integrator'],
            jacobians=data['jacobians'],
            factorisations=data['factorisations'],
            switched=[Switched.read(it) for it in data['switched']],
            max_residual=Residual.read(data['max_residual']),
            energy=Ledger.read(data['energy']),
            events=[Event.read(it) for it in data['events']],
            end=data['end'],
            found=(data['found']) if 'found' in data else {},
            independent=(None if data['independent'] is None else Independent.read(data['independent'])) if 'independent' in data else None,
            rechosen=(data['rechosen']) if 'rechosen' in data else None,
            not_unique=(None if data['not_unique'] is None else NotUnique.read(data['not_unique'])) if 'not_unique' in data else None,
            files=([WrittenFile.read(it) for it in data['files']]) if 'files' in data else [],
            diagnostics=([Diagnostic.read(it) for it in data['diagnostics']]) if 'diagnostics' in data else [],
        )


class SweepFailure(Report):
    """A reason for which runs have no results."""

    code: str
    """The code of the diagnostic."""
    message: str
    """What it says of the first of them."""
    count: int
    """How many there are."""
    first_run: int
    """The first of them."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> SweepFailure:
        return cls._made(
            code=data['code'],
            message=data['message'],
            count=data['count'],
            first_run=data['first_run'],
        )


class SweepReport(Report):
    """A sweep: whole, or as far as it came."""

    status: str
    """"done" if all runs of the sweep are there, "shard" if those of the share are, else "interrupted"."""
    out: str
    """The folder with the results."""
    runs: int
    """Runs of the sweep."""
    there: int
    """Runs that are there."""
    made: int
    """Runs that were made now; the others were there."""
    parts: int
    """Parts of the sweep, each a file."""
    wall_s: float | None
    """Seconds that it took."""
    ended: dict[str, int]
    """How many runs ended how, as `status` of `run --json`; "refused" could not begin."""
    failures: list[SweepFailure]
    """Why runs have no results."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> SweepReport:
        return cls._made(
            status=data['status'],
            out=data['out'],
            runs=data['runs'],
            there=data['there'],
            made=data['made'],
            parts=data['parts'],
            wall_s=data['wall_s'],
            ended=data['ended'],
            failures=[SweepFailure.read(it) for it in data['failures']],
        )


class ErrorReport(Report):
    """Why there is no report: diagnostics that know their files."""

    status: str
    """Always "error"."""
    diagnostics: list[Diagnostic]
    """What is wrong, all at once."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> ErrorReport:
        return cls._made(
            status=data['status'],
            diagnostics=[Diagnostic.read(it) for it in data['diagnostics']],
        )
