//! Dormand–Prince 5(4): six stages and a seventh that is the first of the next step, order 5.
//!
//! ```text
//! yᵢ = y + h Σⱼ aᵢⱼ kⱼ        kᵢ = f(t + cᵢ h, yᵢ)        y⁺ = y + h Σᵢ bᵢ kᵢ
//! err = h ‖Σᵢ eᵢ kᵢ‖,   e = b − b̂ with b̂ of order 4,      k₆ = f(t + h, y⁺)
//! ```
//!
//! * Taken instead of Tsitouras 5(4), which saves about a tenth of the steps, because every coefficient
//!   is a short rational number: the order conditions hold exactly and can be checked by hand.
//! * k₆ enters the error. It is the first stage of the next step unless a projection moves the state;
//!   then a step costs seven evaluations instead of six.
//! * The dense output has order 4 and needs no further evaluation.
//!
//! References: Dormand, Prince, "A family of embedded Runge–Kutta formulae", J. Comput. Appl. Math. 6
//! (1980) 19–26; dense output: Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I",
//! 2nd edition, Springer 1993, section II.6, in the form of the code DOPRI5.

use super::{Controller, Estimate, Tableau};

pub(crate) const DORMAND_PRINCE_5: Tableau = Tableau {
    order: 5,
    dense_order: 4,
    nodes: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0],
    stages: &[
        &[],
        &[(0, 1.0 / 5.0)],
        &[(0, 3.0 / 40.0), (1, 9.0 / 40.0)],
        &[(0, 44.0 / 45.0), (1, -56.0 / 15.0), (2, 32.0 / 9.0)],
        &[
            (0, 19372.0 / 6561.0),
            (1, -25360.0 / 2187.0),
            (2, 64448.0 / 6561.0),
            (3, -212.0 / 729.0),
        ],
        &[
            (0, 9017.0 / 3168.0),
            (1, -355.0 / 33.0),
            (2, 46732.0 / 5247.0),
            (3, 49.0 / 176.0),
            (4, -5103.0 / 18656.0),
        ],
    ],
    weights: &[
        (0, 35.0 / 384.0),
        (2, 500.0 / 1113.0),
        (3, 125.0 / 192.0),
        (4, -2187.0 / 6784.0),
        (5, 11.0 / 84.0),
    ],
    estimate: Estimate::Single(&[
        (0, 71.0 / 57600.0),
        (2, -71.0 / 16695.0),
        (3, 71.0 / 1920.0),
        (4, -17253.0 / 339200.0),
        (5, 22.0 / 525.0),
        (6, -1.0 / 40.0),
    ]),
    extra_nodes: &[],
    extra_stages: &[],
    dense: &[&[
        (0, -12715105075.0 / 11282082432.0),
        (2, 87487479700.0 / 32700410799.0),
        (3, -10690763975.0 / 1880347072.0),
        (4, 701980252875.0 / 199316789632.0),
        (5, -1453857185.0 / 822651844.0),
        (6, 69997945.0 / 29380423.0),
    ]],
    controller: Controller {
        safety: 0.9,
        shrink: 0.2,
        grow: 10.0,
        order: 5.0,
        beta: 0.04,
    },
};
