//! Where a function of time becomes not negative first in a cell of a step, from its values at points and from what is known of it over stretches of time.

/// A cell is halved at most so often.
const MOST_HALVINGS: u32 = 40;
/// Cells of one step that are looked at, at most: a g that changes faster than this resolves is not followed any further.
const MOST_CELLS: u32 = 4000;
/// Halvings from which bounds that shrink no more than this with a cell, and are no wider than so many times those at a point of it, hold nothing but
/// rounding.
const DEEP: u32 = 12;
const SHRUNK: f64 = 0.9;
const ROUNDED: f64 = 4.0;
/// How much more than it misses the points in between a parabola may err.
const DOUBT: f64 = 4.0;
/// Rounds of the search for a zero in which parabolas are tried.
const INTERPOLATED: u32 = 12;
/// Rounds in which an earlier place is looked for.
const ROUNDS: u32 = 64;

/// What is known of a function over a stretch of time.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The least and the largest value that it can have; infinite where that is not known.
    pub bounds: [f64; 2],
    /// 1 where it never falls, −1 where it never rises, else 0.
    pub way: i8,
}

impl Known {
    /// Nothing.
    pub const NOTHING: Self = Self {
        bounds: [f64::NEG_INFINITY, f64::INFINITY],
        way: 0,
    };

    /// A function that has one value.
    #[must_use]
    pub const fn always(value: f64) -> Self {
        Self {
            bounds: [value; 2],
            way: 1,
        }
    }

    /// What is known of its negative.
    #[must_use]
    pub fn negative(self) -> Self {
        let [low, high] = self.bounds;
        Self {
            bounds: [-high, -low],
            way: -self.way,
        }
    }

    pub(crate) fn is_below_zero(&self) -> bool {
        self.bounds[1] < 0.0
    }

    pub(crate) fn is_not_below_zero(&self) -> bool {
        self.bounds[0] >= 0.0
    }

    pub(crate) fn is_one_way(&self) -> bool {
        self.way != 0
    }

    pub(crate) fn is_bounded(&self) -> bool {
        (self.bounds[1] - self.bounds[0]).is_finite()
    }

    /// What is known of [`untrue`] of it.
    fn untrue(self) -> Self {
        let [low, high] = self.bounds;
        Self {
            bounds: [-high, untrue(low)],
            way: -self.way,
        }
    }

    /// Whether it may turn as often as it likes between two places at which it was looked at.
    fn is_open(&self) -> bool {
        self.is_bounded() && !self.is_one_way()
    }
}

/// Both ends and the middle of a cell with the values there, how often it was halved, and how wide bounds were before that.
type Cell = ([f64; 3], [f64; 3], u32, f64);

/// A time, and the value there.
type Seen = (f64, f64);

/// Room for the cells still to be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    cells: Vec<Cell>,
    /// From when on a search was followed no further than points tell.
    pub(crate) unfollowed: Option<f64>,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            cells: Vec::with_capacity(MOST_HALVINGS as usize + 2),
            unfollowed: None,
        }
    }
}

/// A search in one cell.
pub(crate) struct Search<'c, G, K> {
    pub(crate) g: G,
    pub(crate) known: K,
    pub(crate) room: &'c mut Room,
}

impl<G: FnMut(f64) -> f64, K: FnMut([f64; 2]) -> Known> Search<'_, G, K> {
    /// Where g becomes not negative first between two times; its values at the probes may be known.
    pub(crate) fn first_rise(
        &mut self,
        [a, b]: [Seen; 2],
        probed: Option<[f64; 3]>,
    ) -> Option<f64> {
        match (a.1 < 0.0, b.1 < 0.0) {
            (true, false) => Some(self.earliest([a, b])),
            (true, true) => {
                let [before, at, _] = self.hidden([a, b], probed)?;
                Some(self.earliest([before, at]))
            }
            // It was not negative but for what bounds allow: when that ended says nothing.
            (false, true) if (self.known)([a.0; 2]).is_below_zero() => {
                let start = (a.0, -f64::MIN_POSITIVE);
                let [before, at, _] = self.hidden([start, b], None)?;
                Some(self.earliest([before, at]))
            }
            (false, is_false_then) => {
                let mut back = Search {
                    g: |t: f64| untrue((self.g)(t)),
                    known: |cell| (self.known)(cell).untrue(),
                    room: self.room,
                };
                let turned = [(a.0, untrue(a.1)), (b.0, untrue(b.1))];
                let [before, at, after] = match is_false_then {
                    true => [turned[0], turned[1], turned[1]],
                    false => back.hidden(turned, probed.map(|it| it.map(untrue)))?,
                };
                // It falls there, may rise before the place at which it was seen to be false, and is true again after that.
                let over = (back.known)([before.0, at.0]);
                let fall = over.is_open().then(|| back.earliest([before, at]));
                let [at, after] = [at, after].map(|(t, value)| (t, -value));
                let fallen = fall.map(|t| (t, -f64::MIN_POSITIVE));
                match fallen.and_then(|fallen| self.hidden([fallen, at], None)) {
                    Some([before, at, _]) => Some(self.earliest([before, at])),
                    None => (!is_false_then).then(|| self.earliest([at, after])),
                }
            }
        }
    }

    fn hidden(&mut self, ends: [Seen; 2], probed: Option<[f64; 3]>) -> Option<[Seen; 3]> {
        let [a, b] = ends.map(|it| it.0);
        let probed = probed.unwrap_or_else(|| probes([a, b]).map(&mut self.g));
        hidden_rise(ends, probed, self.room, (&mut self.g, &mut self.known))
    }

    /// The first time between two from which on g is not negative: negative at the first, not negative at the second.
    fn earliest(&mut self, [a, b]: [Seen; 2]) -> f64 {
        let mut ends = [a, b];
        let mut first = b.0;
        for _ in 0..ROUNDS {
            let [(from, g_from), (to, g_to)] = ends;
            first = rising_zero([from, to], [g_from, g_to], &mut self.g);
            let before = first - (to - from).signum() * 4.0 * f64::EPSILON * first.abs();
            let is_between = (before - from) * (to - from) > 0.0;
            if !is_between || !(self.known)([from, before]).is_open() {
                break;
            }
            let before = (before, (self.g)(before));
            if before.1 >= 0.0 {
                break;
            }
            let Some([before, at, _]) = self.hidden([ends[0], before], None) else {
                break;
            };
            ends = [before, at];
        }
        first
    }
}

/// The negative of a value, where zero is true: not negative where that is false.
fn untrue(value: f64) -> f64 {
    match value == 0.0 {
        true => -f64::MIN_POSITIVE,
        false => -value,
    }
}

/// The middle of a cell, and of its halves.
pub(crate) fn probes([a, b]: [f64; 2]) -> [f64; 3] {
    let middle = f64::midpoint(a, b);
    [middle, f64::midpoint(a, middle), f64::midpoint(middle, b)]
}

/// Where g, negative at both ends of a cell, becomes not negative inside, if it does: the last place before that was looked at, one where it is not
/// negative, and the next after it, where it is negative again. Its values at the ends and at the probes are known, and bounds over stretches of time.
fn hidden_rise(
    [(a, g_a), (b, g_b)]: [Seen; 2],
    [g_middle, g_left, g_right]: [f64; 3],
    Room { cells, unfollowed }: &mut Room,
    (g, known_of): (
        &mut impl FnMut(f64) -> f64,
        &mut impl FnMut([f64; 2]) -> Known,
    ),
) -> Option<[Seen; 3]> {
    // Cells still to be looked at, the earliest last.
    let [middle, ..] = probes([a, b]);
    cells.clear();
    cells.push(([a, middle, b], [g_a, g_middle, g_b], 0, f64::INFINITY));
    let mut known = Some((g_left, g_right));
    let mut looked_at = 0;
    let mut is_bounded = true;
    while let Some(([a, m, b], [g_a, g_m, g_b], depth, before)) = cells.pop() {
        if g_m >= 0.0 {
            return Some([(a, g_a), (m, g_m), (b, g_b)]);
        }
        let over = match is_bounded {
            true => known_of([a, b]),
            false => Known::NOTHING,
        };
        if over.is_below_zero() || over.is_one_way() {
            known = None;
            continue;
        }
        let wide = over.bounds[1] - over.bounds[0];
        // Near rounding all that is left are the values at points.
        let stays = depth >= DEEP && over.is_bounded() && wide >= SHRUNK * before;
        if stays {
            let [low, high] = known_of([m; 2]).bounds;
            is_bounded &= wide > ROUNDED * (high - low);
        }
        let (left, right) = (f64::midpoint(a, m), f64::midpoint(m, b));
        // Where bounds ask for a closer look, what rounding may make of zero is not true.
        let mut clearly = |t: f64| match g(t) {
            value if value >= 0.0 && over.is_bounded() && !known_of([t; 2]).is_not_below_zero() => {
                -f64::MIN_POSITIVE
            }
            value => value,
        };
        let (g_left, g_right) = known
            .take()
            .unwrap_or_else(|| (clearly(left), clearly(right)));
        if g_left >= 0.0 {
            return Some([(a, g_a), (left, g_left), (m, g_m)]);
        }
        // The parabola g_m + s x + c x², x from −1 to 1.
        let (s, c) = ((g_b - g_a) / 2.0, f64::midpoint(g_a, g_b) - g_m);
        let at = |x: f64| g_m + x * (s + x * c);
        let missed = (g_left - at(-0.5)).abs().max((g_right - at(0.5)).abs());
        let peak = match c < 0.0 && s.abs() < -2.0 * c {
            true => at(-s / (2.0 * c)),
            false => g_a.max(g_b),
        };
        looked_at += 1;
        let is_open = is_bounded && over.is_bounded();
        let resolved = !is_open && peak + DOUBT * missed < 0.0;
        let is_too_long = looked_at >= MOST_CELLS;
        if !resolved && is_too_long && unfollowed.is_none() {
            *unfollowed = Some(a);
        }
        if resolved || depth == MOST_HALVINGS || is_too_long {
            // Not a number is left to who wrote g.
            if g_right >= 0.0 {
                return Some([(m, g_m), (right, g_right), (b, g_b)]);
            }
            continue;
        }
        cells.push(([m, right, b], [g_m, g_right, g_b], depth + 1, wide));
        cells.push(([a, left, m], [g_a, g_left, g_m], depth + 1, wide));
    }
    None
}

/// Where g changes its sign between two places, if it has one at the first and another, or is zero, at the second; to within two spacings of
/// the numbers.
pub fn change_of_sign([a, b]: [f64; 2], mut g: impl FnMut(f64) -> f64) -> Option<f64> {
    let (g_a, g_b) = (g(a), g(b));
    let sign = if g_a > 0.0 { -1.0 } else { 1.0 };
    let ends = [sign * g_a, sign * g_b];
    (ends[0] < 0.0 && ends[1] >= 0.0).then(|| rising_zero([a, b], ends, |x| sign * g(x)))
}

/// The first representable time at or after which g, negative at a and not negative at b, is not negative;
/// to within two spacings of the numbers.
fn rising_zero([a, b]: [f64; 2], [g_a, g_b]: [f64; 2], mut g: impl FnMut(f64) -> f64) -> f64 {
    let epsilon = f64::EPSILON * a.abs().max(b.abs());
    // The last place looked at, one on the other side of the zero, and the one before.
    let (mut last, mut other, mut before) = ((a, g_a), (b, g_b), (b, g_b));
    for round in 0.. {
        let width = (other.0 - last.0).abs();
        if width <= 2.0 * epsilon {
            break;
        }
        let part = match round {
            0 => last.1 / (last.1 - other.1),
            1..INTERPOLATED => interpolated([last, other, before]).unwrap_or(0.5),
            _ => 0.5,
        };
        let least = epsilon / width;
        // Not a number is no place.
        let part = part.max(least).min(1.0 - least);
        let x = last.0 + part * (other.0 - last.0);
        let here = (x, g(x));
        before = match (here.1 < 0.0) == (last.1 < 0.0) {
            true => last,
            false => std::mem::replace(&mut other, last),
        };
        last = here;
    }
    if last.1 < 0.0 { other.0 } else { last.0 }
}

/// Where the inverse parabola through three places vanishes, as a part of the way from the first to the second; `None` where it does not
/// lead from one to the other.
fn interpolated([(x, g_x), (y, g_y), (z, g_z)]: [Seen; 3]) -> Option<f64> {
    let (xi, phi) = ((x - y) / (z - y), (g_x - g_y) / (g_z - g_y));
    let is_monotone = 1.0 - (1.0 - xi).sqrt() < phi && phi < xi.sqrt();
    let part = || {
        let first = g_x / (g_y - g_x) * (g_z / (g_y - g_z));
        first + (z - x) / (y - x) * (g_x / (g_z - g_x)) * (g_y / (g_z - g_y))
    };
    is_monotone.then(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: f64, b: f64, zero: f64, g: impl Fn(f64) -> f64) {
        let mut evaluations = 0;
        let found = rising_zero([a, b], [g(a), g(b)], |t| {
            evaluations += 1;
            g(t)
        });
        let spacing = f64::EPSILON * a.abs().max(b.abs());
        assert!(
            (found - zero).abs() <= 3.0 * spacing,
            "{found} is not {zero}"
        );
        assert!(g(found) >= 0.0);
        assert!(evaluations <= 56, "{evaluations} evaluations");
    }

    #[test]
    fn zeros_are_found_to_the_last_digits() {
        check(1.0, 2.0, 2f64.sqrt(), |t| t * t - 2.0);
        check(2.0, 1.0, 2f64.sqrt(), |t| 2.0 - t * t);
        check(0.0, 3.0, 1.0, |t| (t - 1.0) * 1e-200);
        check(0.0, 10.0, 2.0, |t| (t - 2.0).powi(9));
        check(-4.0, 9.0, 0.0, |t| t.atan());
        check(100.0, 101.0, 100.7, |t| if t < 100.7 { -1.0 } else { 1.0 });
        check(0.0, 1.0, 1.0, |t| t - 1.0);
    }

    #[test]
    fn smooth_zeros_need_few_evaluations() {
        let mut evaluations = 0;
        rising_zero([1.0, 2.0], [-1.0, 2.0], |t: f64| {
            evaluations += 1;
            t * t - 2.0
        });
        assert!(evaluations <= 12, "{evaluations}");
    }
}
