//! What can be said about a Pfaffian system.

use crate::closure::{Closure, closure, vanishes};
use crate::directions::{at_point, values};
use crate::exact::{Exact, Zero};
use crate::forms::{Form, LIMITS, Pfaffian, Point, sides};
use crate::integral::integral;
use crate::span::{Span, Standing, Value};
use dalembert_expr::calculus::forward;
use dalembert_expr::normal::{Field, Fraction, Outside, Style};
use dalembert_expr::{Cone, ExprId, Graph, SymbolId};
use std::collections::BTreeMap;

/// Whether a form lies in the integrable part of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does, which is proved.
    Holonomic,
    /// It does not, which is certain.
    Nonholonomic,
    /// It does, as far as numbers at the points tell.
    NotProved,
    /// Numbers do not tell, or it would take too long.
    Undecided,
}

/// What is found of one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// A function whose differential is a multiple of the form alone.
    pub integral: Option<ExprId>,
    /// Whether it is integrable without the others, as far as numbers at the points tell.
    pub alone: bool,
}

/// What is found of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// By form.
    pub findings: Vec<Finding>,
    /// Independent functions that stay constant, beyond those that are held: proved.
    pub integrals: Vec<ExprId>,
    /// Dimension of what can be reached, time and inputs not counted, if that is known.
    pub reached: Option<usize>,
    /// Whether that is proved.
    pub proved: bool,
    /// Dimensions reached by brackets of one, two, … free directions, time and inputs not counted.
    pub growth: Vec<usize>,
}

impl Diagnosis {
    /// Nothing is known of so many forms.
    #[must_use]
    pub fn undecided(forms: usize) -> Self {
        let finding = Finding {
            verdict: Verdict::Undecided,
            integral: None,
            alone: false,
        };
        Self {
            findings: vec![finding; forms],
            ..Self::default()
        }
    }
}

impl Diagnosis {
    /// Whether nothing is left to be proved.
    pub(crate) fn is_settled(&self) -> bool {
        let open = |it: &Finding| matches!(it.verdict, Verdict::NotProved | Verdict::Undecided);
        self.proved && !self.findings.iter().any(open)
    }
}

impl Pfaffian {
    /// Looks at the system at points where all that is held vanishes.
    pub fn examine(&self, graph: &mut Graph, points: &[Point]) -> Diagnosis {
        let mut whole = Diagnosis {
            reached: Some(0),
            proved: true,
            ..Diagnosis::undecided(self.forms.len())
        };
        for (finding, form) in whole.findings.iter_mut().zip(&self.forms) {
            if form.is_empty() {
                // 0 = 0
                finding.verdict = Verdict::Holonomic;
            }
        }
        for (block, places) in self.blocks(graph) {
            let part = block.examine_block(graph, points);
            for (place, finding) in places.into_iter().zip(part.findings) {
                whole.findings[place] = finding;
            }
            whole.integrals.extend(part.integrals);
            let sum = whole.reached.zip(part.reached);
            whole.reached = sum.map(|(a, b)| a + b);
            whole.proved &= part.proved;
            // What has grown as far as it does stays.
            let levels = whole.growth.len().max(part.growth.len());
            let at = |growth: &[usize], level: usize| {
                growth.get(level).or(growth.last()).copied().unwrap_or(0)
            };
            let sums = (0..levels).map(|k| at(&whole.growth, k) + at(&part.growth, k));
            whole.growth = sums.collect();
        }
        whole
    }

    /// Parts that have no variable in common but time and inputs, each with the places of its forms.
    fn blocks(&self, graph: &Graph) -> Vec<(Self, Vec<usize>)> {
        let size = self.variables.len();
        let mut group: Vec<usize> = (0..size).collect();
        fn root(group: &[usize], mut k: usize) -> usize {
            while group[k] != k {
                k = group[k];
            }
            k
        }
        let index: BTreeMap<SymbolId, usize> = self
            .variables
            .iter()
            .enumerate()
            .map(|(k, &it)| (it, k))
            .collect();
        let is_outer = |k: &usize| self.outer.contains(k);
        let occur = |form: &Form| -> (Vec<usize>, Vec<usize>) {
            let mut present: Vec<usize> = form.keys().copied().collect();
            let entries: Vec<ExprId> = form.values().copied().collect();
            let symbols = Cone::new(graph, &entries).symbols(graph);
            present.extend(symbols.iter().filter_map(|it| index.get(it).copied()));
            let (mut outer, own): (Vec<usize>, Vec<usize>) =
                present.into_iter().partition(is_outer);
            outer.sort_unstable();
            outer.dedup();
            (own, outer)
        };
        let all = self.exact.iter().chain(&self.forms);
        let occurring: Vec<(Vec<usize>, Vec<usize>)> = all.map(occur).collect();
        for (present, _) in &occurring {
            for pair in present.windows(2) {
                let (a, b) = (root(&group, pair[0]), root(&group, pair[1]));
                group[a.max(b)] = a.min(b);
            }
        }
        let mut blocks: BTreeMap<usize, (Self, Vec<usize>)> = BTreeMap::new();
        let mut places = vec![0; size];
        for k in (0..size).filter(|k| !is_outer(k)) {
            let (block, _) = blocks.entry(root(&group, k)).or_default();
            block.surface.clone_from(&self.surface);
            places[k] = block.variables.len();
            block.variables.push(self.variables[k]);
        }
        for (number, (present, outer)) in occurring.iter().enumerate() {
            // A form of time or inputs alone, or of nothing, is in no block: nothing is said of it.
            let Some(&first) = present.first() else {
                continue;
            };
            let Some((block, own)) = blocks.get_mut(&root(&group, first)) else {
                continue;
            };
            for &k in outer {
                let symbol = self.variables[k];
                if !block.variables.contains(&symbol) {
                    block.outer.push(block.variables.len());
                    block.variables.push(symbol);
                }
            }
            let placed = |symbol| block.variables.iter().position(|&it| it == symbol);
            if let Some(t) = self.time {
                block.time = placed(self.variables[t]);
            }
            let is_exact = number < self.exact.len();
            let form = match is_exact {
                true => &self.exact[number],
                false => &self.forms[number - self.exact.len()],
            };
            let place = |k: usize| match is_outer(&k) {
                true => block.time.unwrap_or_default(),
                false => places[k],
            };
            let form: Form = form.iter().map(|(&k, &entry)| (place(k), entry)).collect();
            match is_exact {
                true => block.exact.push(form),
                false => {
                    block.forms.push(form);
                    own.push(number - self.exact.len());
                }
            }
        }
        blocks.into_values().collect()
    }

    /// The same for forms that hang together.
    fn examine_block(&self, graph: &mut Graph, points: &[Point]) -> Diagnosis {
        let size = self.variables.len();
        let outer = self.outer.len();
        let mut diagnosis = Diagnosis::undecided(self.forms.len());
        let Some(first) = points.first() else {
            return diagnosis;
        };
        let mut held = Span::default();
        let covector = |graph: &Graph, form: &Form| {
            let entries = form.iter().map(|(&k, &entry)| (k, entry));
            at_point(graph, entries, size, first)
        };
        for form in &self.exact {
            let vector = covector(graph, form);
            held.insert(vector);
        }
        if self.forms.is_empty() {
            diagnosis.reached = Some(size - outer - held.dimension());
            diagnosis.proved = true;
            diagnosis.growth = diagnosis.reached.into_iter().collect();
            return diagnosis;
        }
        let mut field = Field::with_limits(LIMITS);
        let rows = self.taken(graph, &mut field);
        let keep = |graph: &mut Graph, field: &Field, found: &Fraction, held: &mut Span| {
            let shown = field.present(graph, std::slice::from_ref(found), &Style::default())[0];
            let vector = self.differential(graph, shown, first);
            let is_new = held.insert(vector) == Standing::Outside;
            is_new.then_some(shown)
        };
        // Forms that are integrable alone.
        if let Ok(rows) = &rows {
            for (place, form) in self.forms.iter().enumerate() {
                if !self.is_integrable_alone(graph, form, points) {
                    continue;
                }
                diagnosis.findings[place].alone = true;
                let row = &rows[self.exact.len() + place];
                let Ok(Some(found)) = integral(&mut field, row, &self.variables) else {
                    continue;
                };
                let shown = keep(graph, &field, &found, &mut held);
                diagnosis.integrals.extend(shown);
                let shown =
                    shown.unwrap_or_else(|| field.present(graph, &[found], &Style::default())[0]);
                diagnosis.findings[place] = Finding {
                    verdict: Verdict::Holonomic,
                    integral: Some(shown),
                    alone: true,
                };
            }
        }
        let most = size - held.dimension();
        let is_known = |it: &Finding| it.verdict == Verdict::Holonomic;
        let rank = |point: &Point| {
            let mut span = Span::default();
            for form in self.exact.iter().chain(&self.forms) {
                let entries = form.iter().map(|(&k, &entry)| (k, entry));
                span.insert(at_point(graph, entries, size, point));
            }
            span.dimension()
        };
        if diagnosis.findings.iter().all(is_known)
            && points.iter().all(|it| rank(it) == held.dimension())
        {
            // As many functions are constant as there are rows: nothing is left to brackets.
            diagnosis.growth = vec![most - outer];
            diagnosis.reached = Some(most - outer);
            diagnosis.proved = true;
            return diagnosis;
        }
        let Some(closure) = closure(graph, self, points, most) else {
            return diagnosis;
        };
        let reached = closure.vectors.len();
        diagnosis.growth = closure.growth.iter().map(|n| n - outer).collect();
        let complete = closure.complete || reached == most;
        diagnosis.reached = complete.then_some(reached - outer);
        diagnosis.proved = reached == most;
        let mut open = Vec::new();
        for (place, form) in self.forms.iter().enumerate() {
            let finding = &mut diagnosis.findings[place];
            if finding.verdict == Verdict::Holonomic {
                continue;
            }
            finding.verdict = match vanishes(graph, form, &closure, points, size) {
                Some(false) => Verdict::Nonholonomic,
                Some(true) if complete => {
                    open.push(place);
                    Verdict::NotProved
                }
                _ => {
                    open.push(place);
                    Verdict::Undecided
                }
            };
        }
        let missing = reached < most;
        if !complete || (open.is_empty() && !missing) {
            return diagnosis;
        }
        let Ok(rows) = rows else {
            return diagnosis;
        };
        // Errors leave what was found as it is.
        let _ = self.settle(
            (graph, &mut field),
            &rows,
            (&closure, &open),
            |graph, field, found| {
                let shown = keep(graph, field, found, &mut held);
                shown.map(|it| (it, size - held.dimension() == reached))
            },
            &mut diagnosis,
        );
        diagnosis
    }

    /// Proves what numbers say, and looks for further integrals. Whoever keeps these tells whether one is new, and whether it is the
    /// last.
    fn settle(
        &self,
        (graph, field): (&mut Graph, &mut Field),
        rows: &[Vec<Fraction>],
        (closure, open): (&Closure, &[usize]),
        mut keep: impl FnMut(&mut Graph, &Field, &Fraction) -> Option<(ExprId, bool)>,
        diagnosis: &mut Diagnosis,
    ) -> Result<(), Outside> {
        field.set_limits(LIMITS);
        let mut zero = Zero::new(graph, self.surface.as_ref());
        let Some(exact) = Exact::new(field, &mut zero, rows, (&self.variables, closure))? else {
            return Ok(());
        };
        let mut contained = Vec::new();
        for &place in open {
            if exact.contains(field, &mut zero, &rows[self.exact.len() + place])? {
                contained.push(place);
            }
        }
        let mut settled = diagnosis.proved;
        if !settled {
            let proved = exact.is_integrable(field, &mut zero, &self.variables);
            settled = proved.unwrap_or(false);
            // The search may take all the room there is; what is proved stays.
            field.set_limits(LIMITS);
            for found in exact.integrals(field, &self.variables).unwrap_or_default() {
                if let Some((shown, is_last)) = keep(graph, field, &found) {
                    diagnosis.integrals.push(shown);
                    settled |= is_last;
                    if is_last {
                        break;
                    }
                }
            }
        }
        diagnosis.proved = settled;
        if settled {
            for place in contained {
                diagnosis.findings[place].verdict = Verdict::Holonomic;
            }
        }
        // What rows keep constant together is kept by the row where there is but one.
        if let ([finding], [], [integral]) = (
            diagnosis.findings.as_mut_slice(),
            self.exact.as_slice(),
            diagnosis.integrals.as_slice(),
        ) && finding.verdict == Verdict::Holonomic
        {
            finding.integral = Some(*integral);
            finding.alone = true;
        }
        Ok(())
    }

    /// All forms in the field: those of what is held first.
    fn taken(&self, graph: &mut Graph, field: &mut Field) -> Result<Vec<Vec<Fraction>>, Outside> {
        let forms: Vec<&Form> = self.exact.iter().chain(&self.forms).collect();
        let entries: Vec<ExprId> = forms.iter().flat_map(|it| it.values().copied()).collect();
        if sides(graph, &entries, &self.variables).is_some() {
            return Err(Outside::Undefined);
        }
        let taken: Result<Vec<Fraction>, Outside> =
            field.take_all(graph, &entries).into_iter().collect();
        let mut taken = taken?.into_iter();
        let row = |form: &&Form| {
            let mut row = vec![Fraction::zero(); self.variables.len()];
            for (&k, entry) in form.keys().zip(taken.by_ref()) {
                row[k] = entry;
            }
            row
        };
        Ok(forms.iter().map(row).collect())
    }

    /// dF at a point.
    fn differential(&self, graph: &mut Graph, f: ExprId, point: &Point) -> Vec<Value> {
        let mut slopes = Vec::with_capacity(self.variables.len());
        for &variable in &self.variables {
            slopes.push(dalembert_expr::calculus::partial(graph, f, variable));
        }
        values(graph, &slopes, point)
    }

    /// Whether ω ∧ dω = 0 for one form, as far as the points tell.
    fn is_integrable_alone(&self, graph: &mut Graph, form: &Form, points: &[Point]) -> bool {
        let size = self.variables.len();
        let (places, entries): (Vec<usize>, Vec<ExprId>) =
            form.iter().map(|(&k, &entry)| (k, entry)).unzip();
        let mut slopes = Vec::with_capacity(size);
        for &variable in &self.variables {
            let by = forward(graph, &entries, |graph, symbol| {
                (symbol == variable).then(|| graph.integer(1))
            });
            slopes.extend(by);
        }
        points.iter().all(|point| {
            let entries = values(graph, &entries, point);
            let found = values(graph, &slopes, point);
            let mut a = vec![Value::ZERO; size];
            let mut slope = vec![vec![Value::ZERO; size]; size];
            for (i, &k) in places.iter().enumerate() {
                a[k] = entries[i];
                for (j, row) in slope.iter_mut().enumerate() {
                    row[k] = found[j * places.len() + i];
                }
            }
            let Some(p) = (0..size).find(|&k| a[k].is_clear()) else {
                return false;
            };
            let d = |j: usize, k: usize| slope[j][k].minus(slope[k][j]);
            let mut pairs = (0..size).flat_map(|j| (0..j).map(move |k| (j, k)));
            pairs.all(|(j, k)| {
                let first = a[p].times(d(j, k));
                let second = a[j].times(d(p, k));
                let third = a[k].times(d(j, p));
                !first.minus(second).minus(third).is_clear()
            })
        })
    }
}
