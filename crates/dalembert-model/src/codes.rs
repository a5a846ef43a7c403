//! Every diagnostic of this room, explained.

use crate::model::form_codes::CODES as FORM;

/// Diagnostics of meaning (E04xx) and of the start and the motion (E05xx).
#[rustfmt::skip] // A table: one line for each code.
const MEANING: &[(&str, &str)] = &[
    ("E0326", "--set NAME=VALUE overrides a parameter, a start value, a start rate (\"theta'=2\") or a speed; the name is one of these, the value an expression."),
    ("E0401", "Names are defined by each other in a circle, so none of them has a value.\nWrite one of them without the others."),
    ("E0402", "A number, vector, rotation, point or body stands where something else is needed.\nVectors have three components [a, b, c]; their components are .x, .y and .z; dot(a, b) and cross(a, b) multiply them."),
    ("E0403", "Something has no member of that name.\nVectors have .x .y .z, frames and bodies .ex .ey .ez, bodies also .center and their named points."),
    ("E0404", "A parameter is a constant: it is written in numbers and other parameters.\nWhat depends on coordinates or time belongs into [definitions]."),
    ("E0405", "Three rows are an attitude if they are those of a rotation matrix, from the body's axes to the world's, for all values of coordinates and parameters: unit vectors normal to each other, right-handed.\nFor components of a quaternion write quat(q0, q1, q2, q3), which is a rotation whatever their length."),
    ("E0410", "An expression depends on rates or accelerations where that makes no sense: positions and potentials are functions of coordinates and time, forces and kinetic energies of rates too."),
    ("E0411", "A model has at least one coordinate: [coordinates] x = 0"),
    ("E0412", "Nothing has mass, so no force has an effect.\nAdd a particle, a body, a kinetic energy, or [dynamics]."),
    ("E0413", "Gravity acts on particles and bodies. Where a system is given by its energies, weight is part of the potential energy."),
    ("E0414", "Masses, inertias and measures are constants, written in parameters."),
    ("E0415", "[dynamics] has one row, one column and one force for each speed, or for each coordinate where there are no speeds."),
    ("E0416", "The mass matrix of [dynamics] is symmetric."),
    ("E0417", "What is differentiated must not jump: the derivative of a step is zero almost everywhere, and what happens at the step would be missing.\nx*sign(x) does not jump, sign(x) does. smooth_sign(x, width) is a sign without a jump. Positions are differentiated twice: a table for them is a spline (kind = \"cubic\"), for straight lines between its points have corners."),
    ("E0420", "There are as many speeds as coordinates."),
    ("E0421", "A speed is linear in the rates, for every value of them, with coefficients that are functions of coordinates and time. sign, abs, min and max of a rate are not linear."),
    ("E0422", "`gravity` is uniform: constant, or a function of time. A field of forces is written as forces."),
    ("E0423", "A generalized force has components along coordinates or speeds."),
    ("E0424", "A force acts on a body or a particle; `in` names a body or a frame."),
    ("E0425", "A particle takes a force, at itself: it has no other point and takes no moment."),
    ("E0426", "The stiffness, damping and unstretched length of a spring do not depend on the motion. A nonlinear spring is a potential energy or a force."),
    ("E0427", "A body needs its inertia, or a shape that gives it."),
    ("W0427", "A body turns, and only about axes about which it has no inertia, so that it moves like a point mass. A thin rod has none about its own axis, which is z unless its shape says axis = \"x\" or \"y\"; principal moments are about the axes x, y, z of the body, in that order."),
    ("E0428", "A thin disk or rod has no volume, so a density gives it no mass."),
    ("E0429", "[start] gives rates (\"phi'\") or speeds; start values of coordinates stand in [coordinates]."),
    ("E0430", "A constraint is an equation: two numbers or two vectors with = between them."),
    ("E0431", "A constraint speaks of coordinates, rates, or accelerations; of accelerations it must be linear, for every value of them. sign, abs, min and max of an acceleration are not linear."),
    ("E0432", "A constraint without any coordinate in it is not true."),
    ("E0433", "A condition compares two numbers with < or >."),
    ("E0434", "Third derivatives are not part of the motion: record coordinates, rates, accelerations and what they give."),
    ("E0435", "lambda(ROW) speaks of a row, reaction(NAME) of a constraint, power(NAME) of a force or a constraint."),
    ("E0436", "There is no such integrator."),
    ("E0440", "A parameter has no finite value."),
    ("E0441", "Masses are positive."),
    ("E0442", "Inertia matrices are symmetric."),
    (
        "E0443",
        "No distribution of mass has these principal moments: none is negative, and none is larger than the sum of the other two. \
         Moments about axes that the body does not turn about, as in a plane, may be left 0.",
    ),
    ("E0450", "Quantities of different dimension are added, compared or set equal."),
    ("W0450", "An angle is given as a number without a unit, and is larger than a full turn. Numbers without a unit are in radians: write \"90 deg\" for degrees, or \"90 rad\" if so many radians are meant."),
    ("E0451", "The argument of a function such as sin or exp, and an exponent, have no dimension."),
    ("E0460", "Linear and angular momentum are sums over particles and bodies. A kinetic energy or [dynamics] does not say which mass moves where.\nThe generalized momentum of a coordinate, momentum(x), is always defined."),
    ("E0461", "The force of a constraint on a particle or body is known where the constraint speaks of it (pos, vel, omega, its points), or where the coordinates it is written in move one thing alone.\nA coordinate that moves several things leaves open on which of them the force acts: write the constraint with pos, vel or omega of what is held."),
    ("E0462", "The resultant of all reactions on a body is m a minus the given forces on it. A given force in coordinates that move several things leaves open which of them it acts on.\nWrite it with `on`, as a force or torque on a body."),
    ("E0470", "reaction(NAME), or lambda(NAME), is known only where forces are described, in [force.NAME], in `nonideal` and in the coefficient of `friction`, in the condition `until` of a run, and in definitions that these use. Positions, constraints and energies do not depend on reactions."),
    ("E0471", "A law may use a reaction, and not its derivative by time: reactions are found from one moment to the next."),
    ("E0472", "reaction(NAME), or lambda(NAME), in a law or in `until` is the multiplier of a scalar constraint, reaction(NAME.0) that of a row; reaction(NAME, on = \"P\") is the force on a particle or body."),
    ("E0473", "Friction acts at one point that slides: the only particle that the constraint moves, or what `at` names, a particle or a point of a body: at = \"point(rod, [-1, 0, 0])\"."),
    ("E0474", "Friction needs a normal force and a direction to slide in: one row in a plane, one or two in space."),
    ("E0475", "`against` names the body that the point slides on; without it that is the ground."),
    ("E0476", "The reaction of a constraint with friction is a force at the sliding point, and the opposite force on what it slides on. Here it is not: the constraint holds something else, or `at` or `against` name the wrong thing."),
    ("E0478", "A coefficient of friction is not negative; `smoothing`, the slip speed below which the law is smooth, is positive."),
    ("E0479", "A force that holds a constraint (`enforced_by`) gives the direction in which the constraint is held, and that must be known before the reactions are: it may not use them. What follows a reaction is a force of its own beside it."),
    ("W0470", "The virtual-work vector w of a constraint can be written Aᵀ λ: constraints take it up in their reactions, so that it changes these and not the motion. For a bead on a wire y = 0 a friction has a component along x; one along y does nothing."),
    ("E0480", "`enforced_by` names forces of the model: [force.NAME]. Such a force gives the direction in which the constraint is held; its size is found."),
    ("E0481", "A force has one size, so it can hold one row of one constraint only."),
    ("E0482", "A constraint that is held by forces needs one force for each of its rows: fewer could not hold it, and the sizes of more would not be determined. Rows that say 0 = 0 need none."),
    ("E0483", "A constraint that is held by forces has no reaction of its own, so that there is nothing that `nonideal` or `friction` could add to."),
    ("E0484", "The equations of constraints held by forces are not symmetric and are solved with full matrices, which large models have no room for."),
    ("E0485", "table(\"drive.csv\", x) takes values from a file beside the model. It cannot be read, or is no table: the first line has the names of the columns, with units in brackets if there are any (force [kN]); below it stand numbers, separated by commas, of which those of the first column ascend."),
    ("E0486", "table(\"drive.csv\", x) is the value of the second column where the first is x. With more columns, column = \"force\" says which; kind = \"cubic\" is a spline in place of straight lines, outside = \"hold\" or \"line\" gives values beyond the ends, derivative = 1 is the slope."),
    ("E0487", "A table has no value outside its range, unless it was told: outside = \"hold\" keeps the value of the end, outside = \"line\" goes straight on."),
    ("E0490", "`engage` and `release` name constraints of the model: [constraint.NAME]."),
    ("E0491", "`set` gives new values to coordinates (x), rates (\"x'\") and speeds; all of them are taken from the state before the event."),
    ("E0492", "A blow acts along the gradient of a function of the coordinates, and of time if the wall moves: the gap that closes."),
    ("E0493", "A constraint that events engage or release is held by its own reaction, without friction, for now: neither `friction`, nor `enforced_by`, nor a `nonideal` that uses reactions."),
    ("W0494", "A constraint with active = false waits for an event to engage it, and there is none: it never holds."),
    ("E0495", "A coefficient of restitution is the part of the rate of approach that comes back: from 0, a plastic blow, to 1, an elastic one. More would bring energy out of nothing."),
    ("E0501", "Start values are defined by each other in a circle."),
    ("E0502", "A start value is written in another that is yet to be found."),
    ("E0503", "A start value is infinite or not a number."),
    ("E0504", "The start values that must be met contradict a constraint. The message names the smallest set of constraints and values that exclude each other: all of them but one can be met, whichever that is; the help says what becomes of each where the others are met.\nMake one of the values \"?\" (found for you) or a guess: { value = 1, priority = \"guess\" }."),
    ("E0505", "A coordinate is \"?\", but no position constraint determines it."),
    ("W0505", "A start value is \"?\", and several values of it meet the constraints, as the two ends of a chord do. The one nearest to zero is taken, of mirror images the positive one. A guess near the other, { value = -0.8, priority = \"guess\" }, gets that one; a guess near the one that is taken ends the warning."),
    ("E0506", "The velocities that must be met at the start contradict a constraint, or each other. The message names the smallest set of constraints and values that exclude each other; the help says what becomes of each where the others are met.\nMake one of the values a guess: { value = 1, priority = \"guess\" }."),
    ("E0507", "A constraint has no finite value or slope where the start is looked for, such as sqrt(x) at x = 0."),
    ("E0508", "The gradient of a position constraint vanishes at the start, so it exerts no reaction there and the motion is not determined by it: write x - 1 = 0 for (x - 1)^2 = 0."),
    ("E0509", "No start was found that meets these constraints, whatever the values given: the search began at the given values and, when that failed, at many others. Of the constraints named all but one can be met, whichever that is. Usually a sign or a length is wrong; if not, give values near a start that you know."),
    ("E0510", "The speeds do not determine the rates at this state: their matrix is singular there."),
    ("E0511", "Constraints ask for accelerations that exclude each other."),
    ("E0512", "Some acceleration is determined neither by inertia nor by a constraint."),
    ("E0513", "Some motion has negative kinetic energy: no mass distribution does that."),
    ("E0514", "A quantity of the equations is infinite or not a number at this state."),
    ("E0515", "The formulation `independent` solves the constraints for dependent speeds. It cannot do so for rows that are not linear in the velocities, such as x'^2 + y'^2 = 1, nor for rows of accelerations: all velocities are independent under these."),
    ("E0516", "The equations of a large system have no answer that double precision could find: constraints are so nearly dependent, or masses and lengths so different in size, that what is left of the equations is more than rounding."),
    ("E0517", "Slips vanish, and it is not decided whether friction holds them: none of the combinations that were tried agrees with itself, or forces hold constraints in place of reactions.\nWith smoothing = 1e-3 the law is smooth below that slip speed: the point then creeps in place of resting."),
    ("E0518", "A law uses a reaction, which depends on the law. This algebraic problem has no solution, or several: Painlevé's paradox of rigid bodies with Coulomb friction.\nA rod that slides with its mass centre behind is the classical example: friction lifts or presses its end until no finite reaction is enough."),
    ("E0519", "Constraints that depend on each other share a reaction in any proportion. A law that uses the reaction of one of them has no meaning."),
    ("E0520", "Nothing says how long to run: `span` in [run], or --span."),
    ("E0521", "A number or an option of a run makes no sense, or not for this model."),
    ("E0522", "The integrator could not go on."),
    ("E0523", "The start is a change point: a place, such as a parallelogram laid flat, where constraints depend on each other for an instant, so that several motions branch off. The velocities decide which; of those near the given ones the nearest that lies on a branch is taken."),
    ("E0524", "The start is a change point (see E0523), and the velocities that must be met lie on none of the motions that branch off there: no accelerations belong to them."),
    ("E0525", "A run passed a change point (see E0523): a constraint's gradient vanished for an instant, and another motion was possible. The run goes on along the motion it comes from, as a mechanism with inertia does: that its direction does not change there and that energy and work balance was looked at; else it would have stopped (E0540, E0541)."),
    ("E0526", "The formulations are different roads to one motion, and should agree to rounding. Where they do not, the numbers of none can be relied on: the system is singular there, or so nearly that double precision does not tell. `check` compares them at the start and at random states near it, and refuses the model; `eval` compares them at one state, warns, and refuses to show numbers that have nothing in common."),
    ("E0527", "Constraints are nearly the same: one depends on others but for a part of its length that is more than rounding of its coefficients, and less than numbers of double precision tell from none on the way of a motion. Taken for dependent they would allow motions that they forbid. Usually a coefficient was rounded: write it exactly (1/3, sqrt(2)), or leave one of the constraints out."),
    ("E0530", "The forces named by `enforced_by` cannot hold their constraints at this state, whatever their size: A M^-1 G^T is singular, with A the rows and G the directions of reactions and forces. A force has no effect on its constraint there, or none that other forces and reactions do not have too; or the constraint follows from others."),
    ("E0531", "The constraints cannot be met any more: lengths that change with time leave no positions, as a ring that shrinks to a point does. Or, in a run by independent coordinates and speeds, which finds the others from the constraints at every evaluation, no choice of these determines the others: the constraints are singular there."),
    ("E0540", "In every run the energy changes by the work of all that is not the potential. Here they differ by more than the tolerance and the estimated error of the work explain: by 30 rtol sqrt(n) S in n steps, or 100 rtol S in one, where S is the largest kinetic energy, the range of the potential energy and all work exchanged together; or by more than a thousandth of what these usually are, as where nearly all speed is lost again after a near collision. The motion up to that time is written; what would come after it is wrong."),
    ("E0541", "At a change point (see E0523) constraints that are independent elsewhere depend on each other, and several motions branch off. A motion with inertia goes on as it came: its direction after the point is the one before it. The run could not follow it, or came out on another one, and ends there."),
    ("E0542", "A constraint has a corner, such as that of y = |x|, and its slope after the corner contradicts the velocity before it: coordinates or speeds would have to jump. That is an impact, which a constraint alone does not describe. (y = x*|x| has no corner: only its curvature jumps, and runs pass it.)"),
    ("E0543", "At some sample times the motion is not determined: constraints contradict or depend on each other there, or a law has no answer. What needs accelerations or multipliers is left out there (not a number); coordinates, rates and energies are as good as elsewhere."),
    ("E0544", "The condition `until` has no value on the way, as sqrt(x) has none for a negative x, nor a multiplier of constraints that depend on each other, so that it cannot be told when the run ends."),
    ("E0545", "Constraints that depend on each other share their forces in any proportion: only sums of their multipliers are determined, which the help names. `eval` shows the smallest multipliers and marks them; a table has no place for a mark, so columns of such multipliers, and of the forces that need one of them, have no numbers. The resultant force on each body (`resultant(B)`) is determined all the same."),
    ("E0600", "--independent names coordinates, rates or speeds of the model, all of one kind."),
    ("E0550", "An event could not happen: what it sets misses a constraint, a constraint is engaged where it is not met, or the blow is not determined. The message says which, when, and by how much."),
    ("W0551", "Impacts with a restitution below one follow each other ever faster: infinitely many are over in a finite time, after which what bounced rests. The run ends there, at the time that the sequence of intervals leads to."),
    ("E0552", "An event happened a million times in one run: usually its condition becomes true again right after it."),
    ("E0601", "The speeds named by --independent must determine all others by the constraints, and none of them another one: as many as there are freedoms."),
    ("E0602", "The formulation `independent` solves the constraints for dependent speeds. It cannot do so for rows that are not linear in the velocities, nor for rows of accelerations: all velocities are independent under these."),
    ("E0603", "The formulation `lagrange` differentiates energies. A system that is given by its mass matrix and forces has none."),
    ("E0604", "A constraint contradicts the others wherever the system is: no velocity meets them all."),
    ("E0605", "The equations of this formulation are too long to be computed in symbols, or hold a function that it cannot differentiate.\nAnother formulation may be small enough: multipliers needs no solution of equations. Without --formulation the shortest is found."),
    ("E0606", "Forces depend on reactions, as friction does, or hold constraints in place of reactions. Then only formulations that keep the multipliers say what the motion is: multipliers, lagrange."),
    ("E0607", "The constraints depend on each other at some states and not at others, as x' = abs(x)*y' and x' = x*y' do. Equations in symbols that solve the constraints are right at one kind of states only: so only formulations that solve nothing are right, multipliers and lagrange."),
    ("E0608", "What is derived in symbols is put to states that meet the constraints before it is printed, in thirty digits. Here the equations were not true there, or had no value: they are not shown.\nThis is a mistake of this program, not of the model: please report the model. Another formulation may be right."),
    ("E0609", "Equations in symbols are derived and printed for systems of up to some thousand coordinates and rows of constraints; beyond that the page would take minutes to find, and nobody would read it. Numbers have no such limit: `run`, `eval` and `check` work all the same.\nTo read the equations, derive a model with fewer parts of the same kind: three links of a chain show what three thousand do."),
    ("E0620", "lambda(ROW) in a file of equations is the multiplier of a row of the model: `wire` for a scalar constraint, `contact.0`, `contact.1`, … for the components of a vector.\nF_ideal(x) is what ideal constraints would exert along a coordinate or a speed, and F_nonideal(x) the rest of what the constraints exert."),
    ("E0621", "Each line of a file of equations is an equation, a name (let NAME = …) or a direction (direction NAME = …, …)."),
    ("E0622", "The sides of an equation are both numbers, or both vectors."),
    ("E0623", "The motion determines coordinates, rates, accelerations and multipliers, but no third derivatives."),
    ("E0624", "A file of equations has at least one equation."),
    ("E0625", "let NAME = EXPRESSION gives a name to an expression for the rest of the file, before or after it. The name is new: no name of the model, and none given before."),
    ("E0626", "direction NAME = VALUE, NAME = VALUE claims that the constraints allow velocities along it. The names are coordinates, or they are speeds; those not mentioned have no part in it."),
    ("E0627", "A direction in speeds is turned into one in coordinates in symbols, and the speeds are too long for that, or do not determine the rates."),
];

/// What a code means, with examples where there are any.
#[must_use]
pub fn explanation(code: &str) -> Option<String> {
    if let Some((_, text)) = MEANING.iter().find(|(known, _)| *known == code) {
        return Some((*text).to_owned());
    }
    let found = FORM.iter().find(|explanation| explanation.code == code)?;
    let mut text = format!("{}\n\n{}", found.title, found.text);
    if !found.wrong.is_empty() {
        text += &format!(
            "\n\nwrong:\n{}\n\nright:\n{}",
            found.wrong.trim_end(),
            found.right.trim_end()
        );
    }
    Some(text)
}

/// All codes of this room.
pub fn all() -> impl Iterator<Item = &'static str> {
    FORM.iter()
        .map(|explanation| explanation.code)
        .chain(MEANING.iter().map(|(code, _)| *code))
}
