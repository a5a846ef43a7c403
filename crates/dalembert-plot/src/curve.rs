//! From samples to the lines that are drawn, without points that nobody can see.
//!
//! * If x only grows or only falls, the axis is cut into [`BINS`] bins, and of each bin remain the first,
//!   the lowest, the highest and the last sample (M4 [JJHM14]): the picture stays the same.
//! * Otherwise (a phase portrait) a sample is dropped if it is within half a pixel of the one before it.
//!   That bounds the error but not the number of points.
//!
//! [JJHM14]: Jugel, Jerzak, Hackenbroich, Markl, "M4: a visualization-oriented time series data
//! aggregation", Proc. VLDB Endowment 7 (2014) 797–808.

/// A place on the drawing, in units of the drawing.
pub(super) type Point = (f64, f64);

/// Series up to this length are drawn sample by sample.
const ALL_DRAWN: usize = 4000;

/// Bins across the axis; less than a pixel wide for figures up to 1000 pixels.
const BINS: f64 = 1000.0;

/// The lines through `samples`, where `None` is a gap, on axes that begin at `left` and are `width` wide.
/// `near` is the distance that does not matter.
pub(super) fn lines(
    samples: &[Option<Point>],
    (left, width): (f64, f64),
    near: f64,
) -> Vec<Vec<Point>> {
    if samples.len() <= ALL_DRAWN {
        let runs = samples.split(Option::is_none);
        let lines = runs.map(|run| run.iter().flatten().copied().collect());
        lines.filter(|line: &Vec<Point>| !line.is_empty()).collect()
    } else if is_monotonic(samples) {
        extremes_by_bin(samples, |x| ((x - left) / width * BINS).floor())
    } else {
        without_neighbours(samples, near)
    }
}

fn is_monotonic(samples: &[Option<Point>]) -> bool {
    let x = || samples.iter().flatten().map(|point| point.0);
    x().is_sorted() || x().rev().is_sorted()
}

/// What remains of the samples in one bin.
struct Bin {
    number: f64,
    first: (usize, Point),
    lowest: (usize, Point),
    highest: (usize, Point),
    last: (usize, Point),
}

impl Bin {
    fn new(number: f64, sample: (usize, Point)) -> Bin {
        Bin {
            number,
            first: sample,
            lowest: sample,
            highest: sample,
            last: sample,
        }
    }

    fn add(&mut self, sample: (usize, Point)) {
        if sample.1.1 < self.lowest.1.1 {
            self.lowest = sample;
        }
        if sample.1.1 > self.highest.1.1 {
            self.highest = sample;
        }
        self.last = sample;
    }

    /// Its points, in the order of the samples, each once.
    fn append_to(&self, line: &mut Vec<Point>) {
        let mut kept = [self.first, self.lowest, self.highest, self.last];
        kept.sort_by_key(|sample| sample.0);
        let mut before = None;
        for (index, point) in kept {
            if before != Some(index) {
                line.push(point);
            }
            before = Some(index);
        }
    }
}

/// Gaps inside of a bin are narrower than a pixel and closed; other gaps break the line.
fn extremes_by_bin(samples: &[Option<Point>], number: impl Fn(f64) -> f64) -> Vec<Vec<Point>> {
    let mut lines: Vec<Vec<Point>> = Vec::new();
    let mut line = Vec::new();
    let mut open: Option<Bin> = None;
    let mut gap = false;
    for (index, sample) in samples.iter().enumerate() {
        let Some(point) = *sample else {
            gap = true;
            continue;
        };
        let number = number(point.0);
        match &mut open {
            Some(bin) if bin.number.total_cmp(&number).is_eq() => bin.add((index, point)),
            _ => {
                if let Some(bin) = open.replace(Bin::new(number, (index, point))) {
                    bin.append_to(&mut line);
                    if gap {
                        lines.push(std::mem::take(&mut line));
                    }
                }
            }
        }
        gap = false;
    }
    if let Some(bin) = open {
        bin.append_to(&mut line);
        lines.push(line);
    }
    lines
}

fn without_neighbours(samples: &[Option<Point>], near: f64) -> Vec<Vec<Point>> {
    let mut lines = Vec::new();
    for run in samples.split(Option::is_none) {
        let mut line: Vec<Point> = Vec::new();
        let mut dropped = None;
        for &point in run.iter().flatten() {
            let far = line
                .last()
                .is_none_or(|last| (point.0 - last.0).abs().max((point.1 - last.1).abs()) > near);
            if far {
                line.push(point);
                dropped = None;
            } else {
                dropped = Some(point);
            }
        }
        // A run ends where it ends.
        line.extend(dropped);
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXIS: (f64, f64) = (0.0, 5000.0);

    fn wave(n: usize) -> Vec<Option<Point>> {
        let x = |i| i as f64 / n as f64 * 5000.0;
        (0..n)
            .map(|i| Some((x(i), (i as f64 * 0.37).sin())))
            .collect()
    }

    fn heights(lines: &[Vec<Point>]) -> Vec<f64> {
        lines.iter().flatten().map(|point| point.1).collect()
    }

    #[test]
    fn a_short_series_is_drawn_sample_by_sample() {
        let samples = wave(ALL_DRAWN);
        let lines = lines(&samples, AXIS, 5.0);
        assert_eq!(lines.len(), 1);
        assert!(
            lines[0]
                .iter()
                .copied()
                .eq(samples.iter().flatten().copied())
        );
    }

    #[test]
    fn thinning_keeps_every_spike_and_the_ends() {
        let mut samples = wave(1_000_000);
        for (index, height) in [(3, 7.0), (123_456, -8.0), (654_321, 9.0), (999_998, 10.0)] {
            let (x, _) = samples[index].unwrap();
            samples[index] = Some((x, height));
        }
        let lines = lines(&samples, AXIS, 5.0);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].len() <= 4000, "{} points", lines[0].len());
        for height in [7.0, -8.0, 9.0, 10.0] {
            assert!(heights(&lines).contains(&height), "{height} is lost");
        }
        assert_eq!(lines[0].first().copied(), samples[0]);
        assert_eq!(lines[0].last().copied(), samples[999_999]);
        assert!(lines[0].is_sorted_by(|a, b| a.0 <= b.0));
    }

    #[test]
    fn samples_crowded_into_one_end_do_not_starve_the_other() {
        // Nearly all samples in the first hundredth of the axis.
        let mut samples = wave(100_000);
        for sample in samples.iter_mut().flatten() {
            sample.0 *= 0.01;
        }
        samples.extend((0..500).map(|i| Some((50.0 + 9.9 * f64::from(i), f64::from(i)))));
        let lines = lines(&samples, AXIS, 5.0);
        let kept = heights(&lines).iter().filter(|y| **y > 1.5).count();
        assert_eq!(kept, 498);
    }

    #[test]
    fn falling_abscissae_are_thinned_too() {
        let mut samples = wave(100_000);
        samples.reverse();
        assert!(lines(&samples, AXIS, 0.0)[0].len() <= 4004);
    }

    #[test]
    fn wide_gaps_break_the_line_and_narrow_ones_do_not() {
        let mut samples = wave(100_000);
        samples[40_000..60_000].fill(None);
        samples[10_010] = None;
        assert_eq!(lines(&samples, AXIS, 5.0).len(), 2);
        // Every other sample missing: bounded all the same.
        for sample in samples.iter_mut().step_by(2) {
            *sample = None;
        }
        let lines = lines(&samples, AXIS, 5.0);
        assert!(lines.len() <= 1001);
        assert!(heights(&lines).len() <= 4004);
    }

    #[test]
    fn gaps_at_the_ends_and_nothing_but_gaps_make_no_empty_lines() {
        let mut samples = wave(5000);
        samples[..100].fill(None);
        samples[4900..].fill(None);
        assert_eq!(lines(&samples, AXIS, 5.0).len(), 1);
        samples.fill(None);
        assert!(lines(&samples, AXIS, 5.0).is_empty());
        assert!(lines(&samples[..10], AXIS, 5.0).is_empty());
    }

    #[test]
    fn a_phase_portrait_loses_only_what_is_near() {
        let circle = |i: usize| {
            let angle = i as f64 * 1e-4;
            (2500.0 + 2000.0 * angle.cos(), 2000.0 * angle.sin())
        };
        let samples: Vec<_> = (0..200_000).map(|i| Some(circle(i))).collect();
        let lines = lines(&samples, AXIS, 5.0);
        assert!(lines[0].len() < 10_000, "{} points", lines[0].len());
        for length in [199_970, 199_980, 199_990] {
            let cut = super::lines(&samples[..length], AXIS, 5.0);
            assert_eq!(cut[0].last().copied(), samples[length - 1]);
        }
        for point in samples.iter().step_by(97).flatten() {
            let nearest = lines[0]
                .iter()
                .map(|kept| (kept.0 - point.0).abs().max((kept.1 - point.1).abs()))
                .fold(f64::INFINITY, f64::min);
            assert!(nearest <= 5.0);
        }
    }
}
