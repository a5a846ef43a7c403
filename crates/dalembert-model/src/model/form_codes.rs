//! The codes of what can be wrong with the form of a model, E03xx, each explained.
//!
//! E01xx and E02xx are about expressions, see [`dalembert_expr::syntax::CODES`].

/// What a code means, for `dalembert explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The code.
    pub code: &'static str,
    /// The rule, in one clause.
    pub title: &'static str,
    /// Why it is so, and what to do.
    pub text: &'static str,
    /// Lines of a model file that break the rule.
    pub wrong: &'static str,
    /// The same lines put right.
    pub right: &'static str,
}

/// Names for the codes, for use in the code.
pub(super) mod names {
    pub(in crate::model) const SYNTAX: &str = "E0301";
    pub(in crate::model) const NO_VERSION: &str = "E0302";
    pub(in crate::model) const VERSION: &str = "E0303";
    pub(in crate::model) const UNKNOWN_KEY: &str = "E0304";
    pub(in crate::model) const MISSING: &str = "E0305";
    pub(in crate::model) const WRONG_KIND: &str = "E0306";
    pub(in crate::model) const NOT_A_NAME: &str = "E0307";
    pub(in crate::model) const RESERVED: &str = "E0308";
    pub(in crate::model) const GIVEN_TWICE: &str = "E0309";
    pub(in crate::model) const NOT_YET: &str = "E0310";
    pub(in crate::model) const NO_EQUATION: &str = "E0311";
    pub(in crate::model) const NO_COMPARISON: &str = "E0312";
    pub(in crate::model) const NO_VALUE: &str = "E0313";
    pub(in crate::model) const NOT_A_CHOICE: &str = "E0314";
    pub(in crate::model) const EXCLUSIVE: &str = "E0315";
    pub(in crate::model) const ONE_OF: &str = "E0316";
    pub(in crate::model) const WRONG_COUNT: &str = "E0317";
    pub(in crate::model) const NOT_A_RATE: &str = "E0318";
    pub(in crate::model) const QUESTION_MARK: &str = "E0319";
    pub(in crate::model) const NO_MASSES: &str = "E0320";
    pub(in crate::model) const BELOW_A_HEADER: &str = "E0321";
    pub(in crate::model) const NOT_FINITE: &str = "E0322";
    pub(in crate::model) const OWN_TABLE: &str = "E0323";
    pub(in crate::model) const NO_VOLUME: &str = "E0324";
    pub(in crate::model) const NO_EFFECT: &str = "E0325";
    pub(in crate::model) const NO_SUCH_END: &str = "E0327";
    pub(in crate::model) const PART: &str = "E0328";
    pub(in crate::model) const MORE: &str = "E0349";
}

/// Every code of this room, in order.
pub const CODES: &[Explanation] = &[
    Explanation {
        code: names::SYNTAX,
        title: "the file is not TOML",
        text: "A model file is written in TOML: lines of the form key = value, below headers in \
               brackets. Numbers stand as they are; formulas, numbers with units, vectors and \
               everything else that is text stand in double quotes, and so do keys with a prime.",
        wrong: "[parameters]\nm = 2 kg\n",
        right: "[parameters]\nm = \"2 kg\"\n",
    },
    Explanation {
        code: names::NO_VERSION,
        title: "the file does not say which version of the format it uses",
        text: "Every model file has a line dalembert = 1 before its first table, so that files \
               written today keep their meaning when the format grows.",
        wrong: "title = \"Pendulum\"\n",
        right: "dalembert = 1\ntitle = \"Pendulum\"\n",
    },
    Explanation {
        code: names::VERSION,
        title: "the version of the format is not known",
        text: "This program reads version 1 of the format. A file with a higher number was written \
               for a newer program.",
        wrong: "dalembert = 7\n",
        right: "dalembert = 1\n",
    },
    Explanation {
        code: names::UNKNOWN_KEY,
        title: "a key or table does not exist",
        text: "Keys that are not part of the format are never skipped, because a misspelt key \
               would then change the model without a word. The message suggests the nearest key, \
               or the table that has such a key.",
        wrong: "[particle.P]\nmass = 1\npositon = \"[x, 0, 0]\"\n",
        right: "[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n",
    },
    Explanation {
        code: names::MISSING,
        title: "a required key is missing",
        text: "Some keys have no default that would make sense: a particle has a mass and a \
               position, a constraint an equation, a model at least one coordinate.",
        wrong: "[particle.P]\nmass = 1\n",
        right: "[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n",
    },
    Explanation {
        code: names::WRONG_KIND,
        title: "a value is of the wrong kind",
        text: "Each key takes one kind of value: a number or an expression in quotes, a word in \
               quotes, true or false, a list, or a table. Vectors are expressions, so they stand \
               in quotes as a whole.",
        wrong: "gravity = [0, 0, -9.81]\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n",
        right: "gravity = \"[0, 0, -9.81]\"\n[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n",
    },
    Explanation {
        code: names::NOT_A_NAME,
        title: "this cannot be a name",
        text: "Names consist of the letters a-z and A-Z, digits and _, and do not start with a \
               digit, because they are used in expressions. Greek letters are spelled out.",
        wrong: "[parameters]\nrod-length = 1\n",
        right: "[parameters]\nrod_length = 1\n",
    },
    Explanation {
        code: names::RESERVED,
        title: "a name means something else already",
        text: "t is time, pi is the number, ground and world do not move; functions and what [run] \
               can record keep their names; names that end in _dot and _ddot are other spellings \
               of x' and x''.",
        wrong: "[parameters]\nt = 3\n",
        right: "[parameters]\nt_end = 3\n",
    },
    Explanation {
        code: names::GIVEN_TWICE,
        title: "a name or key is given twice",
        text: "Parameters, definitions, coordinates and speeds are used by their bare names, so \
               all of them differ; so do particles, bodies and frames among each other, and the \
               keys of one table.",
        wrong: "[parameters]\nx = 3\n[coordinates]\nx = 0\n",
        right: "[parameters]\nx0 = 3\n[coordinates]\nx = 0\n",
    },
    Explanation {
        code: names::NOT_YET,
        title: "a part of the format is not supported yet",
        text: "The format is larger than what this version of the program can do. What it cannot do \
               it refuses by name: a model never runs with a part of it left out in silence.",
        wrong: "[body.b]\nmass = 1\nshape = { cone = { radius = 1, length = 2 } }\n[contact.c]\nbetween = [\"b\", \"ground\"]\nplane = { normal = \"[0, 0, 1]\" }\n",
        right: "[body.b]\nmass = 1\nshape = { cone = { radius = 1, length = 2 } }\npoint = { tip = \"[0, 0, 1.5]\" }\n[contact.c]\nbetween = [\"b.tip\", \"ground\"]\nplane = { normal = \"[0, 0, 1]\" }\n",
    },
    Explanation {
        code: names::NO_EQUATION,
        title: "a constraint is not an equation",
        text: "What holds is written left = right. The residual of the row is left minus right, and \
               its multiplier belongs to the row as it is written. A contact, which presses and does \
               not pull, is written left >= right or left <= right.",
        wrong: "[constraint.rod]\nholds = \"x^2 - 4\"\n",
        right: "[constraint.rod]\nholds = \"x^2 - 4 = 0\"\n",
    },
    Explanation {
        code: names::NO_COMPARISON,
        title: "a condition is not a comparison",
        text: "A condition becomes true at some time, which an equation between numbers that are \
               computed in steps never does exactly: write it with < or >.",
        wrong: "[run]\nuntil = \"x = 3\"\n",
        right: "[run]\nuntil = \"x > 3\"\n",
    },
    Explanation {
        code: names::NO_VALUE,
        title: "an equation stands where a value is needed",
        text: "Only holds of a constraint takes an equation, and only until of [run] a comparison. \
               Everywhere else an expression has a value.",
        wrong: "[energy]\npotential = \"V = 3*x\"\n",
        right: "[energy]\npotential = \"3*x\"\n",
    },
    Explanation {
        code: names::NOT_A_CHOICE,
        title: "a word is not one of those that are possible",
        text: "Some keys take one of a few words: the priority of a start value is must or guess, an \
               axis is x, y or z.",
        wrong: "[coordinates]\nx = { value = 0, priority = \"maybe\" }\n",
        right: "[coordinates]\nx = { value = 0, priority = \"guess\" }\n",
    },
    Explanation {
        code: names::EXCLUSIVE,
        title: "two keys exclude each other",
        text: "Two keys that say the same thing in different ways could contradict each other: a body \
               has a mass or a density, a spring acts between two points or on a coordinate.",
        wrong: "[run]\nspan = 10\nsamples = 101\nstep = 0.1\n",
        right: "[run]\nspan = 10\nsamples = 101\n",
    },
    Explanation {
        code: names::ONE_OF,
        title: "one of several keys is needed",
        text: "Something can be said in several ways, and none of them is there: a body without mass \
               and density, a spring without stiffness and damping, a force that acts on nothing.",
        wrong: "[spring.S]\non = \"x\"\n",
        right: "[spring.S]\non = \"x\"\nstiffness = 100\n",
    },
    Explanation {
        code: names::WRONG_COUNT,
        title: "a list has the wrong number of elements",
        text: "A spring is between two points, principal moments are three, and a matrix has as many \
               elements in each row as it has rows.",
        wrong: "[dynamics]\nmass_matrix = [[\"m\", 0], [0]]\nforce = [0, 0]\n",
        right: "[dynamics]\nmass_matrix = [[\"m\", 0], [0, \"m\"]]\nforce = [0, 0]\n",
    },
    Explanation {
        code: names::NOT_A_RATE,
        title: "[start] gives something else than a rate or a speed",
        text: "Start values of coordinates stand in [coordinates]. [start] gives their rates, with a \
               prime and in quotes, or the speeds of [speeds]. Accelerations follow from the equations \
               of motion.",
        wrong: "[coordinates]\nx = 0\n[start]\nx = 2\n",
        right: "[coordinates]\nx = 0\n[start]\n\"x'\" = 2\n",
    },
    Explanation {
        code: names::QUESTION_MARK,
        title: "\"?\" stands where nothing can be found",
        text: "\"?\" leaves a start value open, to be found from the constraints, or a parameter, to be found from \
               accelerations that [start] asks for. All other values must be given, and a value that is open \
               cannot be one that must be met.",
        wrong: "[definitions]\nm = \"?\"\n",
        right: "[definitions]\nm = 2\n[coordinates]\nx = \"?\"\n",
    },
    Explanation {
        code: names::NO_MASSES,
        title: "gravity has nothing to act on",
        text: "gravity acts on particles and bodies. A system given by its energies or by its \
               equations has its weight in there.",
        wrong: "gravity = \"[0, 0, -9.81]\"\n[energy]\nkinetic = \"x'^2\"\n",
        right: "[energy]\nkinetic = \"x'^2\"\npotential = \"2*9.81*x\"\n",
    },
    Explanation {
        code: names::BELOW_A_HEADER,
        title: "a key of the whole model stands below a header",
        text: "In TOML a key belongs to the header above it. Keys of the whole model, such as gravity \
               and title, stand before the first header; for this reason nothing else can have their \
               names.",
        wrong: "[parameters]\nm = 2\ntitle = \"Pendulum\"\n",
        right: "title = \"Pendulum\"\n[parameters]\nm = 2\n",
    },
    Explanation {
        code: names::NOT_FINITE,
        title: "a number is infinite or no number",
        text: "inf and nan are numbers for TOML, but nothing can be computed with them.",
        wrong: "[parameters]\nk = inf\n",
        right: "[parameters]\nk = 1e6\n",
    },
    Explanation {
        code: names::OWN_TABLE,
        title: "things need tables with their names",
        text: "There can be many particles, so each has a table with its name in the header, such as \
               [particle.P]. The same is true of bodies, frames, forces, springs and constraints.",
        wrong: "[particle]\nmass = 1\nposition = \"[x, 0, 0]\"\n",
        right: "[particle.P]\nmass = 1\nposition = \"[x, 0, 0]\"\n",
    },
    Explanation {
        code: names::NO_VOLUME,
        title: "a thin shape has no volume for a density",
        text: "Disks and rods are thin: their inertia follows from their mass alone. A density needs a \
               volume, so use a cylinder.",
        wrong: "[body.b]\ndensity = 7850\ncenter = \"[x, 0, 0]\"\nattitude = \"Rz(x)\"\n\
                shape = { rod = { length = 1 } }\n",
        right: "[body.b]\ndensity = 7850\ncenter = \"[x, 0, 0]\"\nattitude = \"Rz(x)\"\n\
                shape = { cylinder = { length = 1, radius = 0.01 } }\n",
    },
    Explanation {
        code: names::NO_EFFECT,
        title: "a key has no effect",
        text: "A warning: a key says something about what is not there, such as the unstretched length of \
               a damper.",
        wrong: "[spring.S]\non = \"x\"\ndamping = 3\nlength = 1\n",
        right: "[spring.S]\non = \"x\"\ndamping = 3\n",
    },
    Explanation {
        code: names::NO_SUCH_END,
        title: "a joint does not find what it connects",
        text: "A joint connects points of bodies, particles or the ground: named points such as link.tip, \
               point(link, [a, b, c]), or a body for its mass centre. Joints with an axis or an angle need bodies \
               that have one: in the plane with an attitude Rz(angle). Gears couple two other joints.",
        wrong: "[particle.P]\nmass = 1\nposition = \"[x, 1, 0]\"\n\
                [joint.A]\ntype = \"distance\"\nlength = 2\nbetween = [\"ground\", \"Q\"]\n",
        right: "[particle.P]\nmass = 1\nposition = \"[x, 1, 0]\"\n\
                [joint.A]\ntype = \"distance\"\nlength = 2\nbetween = [\"ground\", \"P\"]\n",
    },
    Explanation {
        code: names::PART,
        title: "a part is another model file",
        text: "[use.leg] takes the model in a file beside this one as a part: its names become leg.NAME, its start \
               values are guesses, and `set` gives its parameters other values. Gravity, and how to run, are said by the \
               model that uses it. A file cannot be a part of itself.",
        wrong: "[use.leg]\nfile = \"leg.toml\"\nset = { weight = 2 }\n",
        right: "[use.leg]\nfile = \"leg.toml\"\nset = { m = 2 }\n",
    },
    Explanation {
        code: names::MORE,
        title: "there are more mistakes than are shown",
        text: "At most fifty mistakes are shown, in the order of the file. Many of the others are often \
               consequences of the first ones.",
        wrong: "",
        right: "",
    },
];
