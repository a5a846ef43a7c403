//! `reaction(NAME, on = "P", at = place, in = frame)` in `record`.
//!
//! A joint's reaction is told at the joint, on its second body if nothing else is said; that of another constraint at the mass
//! centre. Moved to a place p, with c the mass centre, a force f and moment m there have the moment m + (c − p) × f.

use super::labels::Labels;
use super::wrench::{Wrench, Wrenches};
use super::{Lowering, Record};
use crate::elaborate::{Declared, Target, Vector, VectorAlgebra, label};
use crate::ids::{ConstraintId, Id};
use crate::model::{Expression, Name};
use dalembert_expr::syntax::{Kind, NodeId, Tree};

/// The arguments, as nodes.
struct Call {
    of: Option<String>,
    on: Option<NodeId>,
    at: Option<NodeId>,
    axes: Option<NodeId>,
}

/// How a reaction is told.
struct Told {
    /// From where the moment is taken about to the mass centre.
    arm: Option<Vector>,
    axes: Option<[Vector; 3]>,
}

const FORM: &str =
    "write reaction(NAME), reaction(NAME, on = \"P\"), and at = place or in = \"FRAME\" with it";

/// A reaction, of which a force or a moment may be meant, or one component: where its call is, and whether it has what is meant of it.
pub(super) fn meant(tree: &Tree) -> Option<(NodeId, bool)> {
    let (mut at, mut members) = (tree.root(), Vec::new());
    while let Kind::Member { of, name, primes } = &tree[at].kind {
        members.push(if *primes == 0 { &*name.text } else { "" });
        at = *of;
    }
    let Kind::Call { function, .. } = &tree[at].kind else {
        return None;
    };
    let wrench = |it: &str| matches!(it, "force" | "moment");
    let has = match members.as_slice() {
        [] => true,
        [of] => wrench(of),
        [axis, of] => wrench(of) && matches!(*axis, "x" | "y" | "z"),
        _ => false,
    };
    (*function.text == *"reaction").then_some((at, has))
}

/// The arguments of `reaction`; or the place of one it does not have.
fn call(tree: &Tree) -> Option<Result<Call, NodeId>> {
    let (at, _) = meant(tree)?;
    let Kind::Call {
        function,
        arguments,
    } = &tree[at].kind
    else {
        return None;
    };
    let (first, rest) = arguments.split_first()?;
    if *function.text != *"reaction" || first.name.is_some() {
        return None;
    }
    let mut found = Call {
        of: label(tree, first.value),
        on: None,
        at: None,
        axes: None,
    };
    for argument in rest {
        let slot = match argument.name.as_ref().map(|name| &*name.text) {
            Some("on") => &mut found.on,
            Some("at") => &mut found.at,
            Some("in") => &mut found.axes,
            _ => return Some(Err(argument.value)),
        };
        *slot = Some(argument.value);
    }
    Some(Ok(found))
}

/// A name, in quotes or without.
fn named(tree: &Tree, id: NodeId) -> Option<String> {
    match &tree[id].kind {
        Kind::Text(name) => Some(name.to_string()),
        _ => tree.dotted(id).map(|(name, _)| name),
    }
}

impl Lowering<'_> {
    /// The joint that is called so, with what it connects.
    pub(super) fn joint_called(&self, name: &str) -> Option<(ConstraintId, [Option<Target>; 2])> {
        let mut constraints = Id::enumerate(&self.model.constraints);
        let (id, constraint) = constraints.find(|(_, it)| it.name.text == name)?;
        let target = |name: &Option<Name>| {
            let declared = self.scope.names().get(&name.as_ref()?.text);
            declared.and_then(Declared::target)
        };
        let [first, second] = &constraint.joint.as_ref()?.on;
        Some((id, [target(first), target(second)]))
    }

    /// The point at which a joint holds one of the two that it connects.
    pub(super) fn joint_end(
        &self,
        of: ConstraintId,
        ends: [Option<Target>; 2],
        on: Target,
    ) -> Option<&Expression> {
        let end = if ends[1] == Some(on) {
            "second"
        } else {
            "first"
        };
        let name = format!("{}.{end}", self.model.constraints[of].name.text);
        let mut definitions = self.model.definitions.iter();
        let found = definitions.find(|(known, _)| known.text == name);
        found.map(|(_, point)| point)
    }

    /// How the columns of a reaction are called; `on` is left out where only one thing can be meant.
    pub(super) fn reaction_called(&self, of: ConstraintId, on: Option<Target>) -> String {
        let name = &self.model.constraints[of].name.text;
        match on {
            Some(on) => format!("reaction({name}, on = {})", on.name(self.model)),
            None => format!("reaction({name})"),
        }
    }

    pub(super) fn reaction_on(
        &mut self,
        index: usize,
        expression: &Expression,
        labels: &Labels,
    ) -> Vec<Record> {
        let tree = &expression.tree;
        let Some(Ok(call)) = call(tree) else {
            let message = "`reaction` is of a constraint, on a particle or body";
            self.scope.refuse_whole(expression, "E0204", message, FORM);
            return Vec::new();
        };
        let found = call.of.as_deref().map(|it| labels.records("reaction", it));
        let Some(&[Record::Reaction(constraint)]) = found.as_deref() else {
            self.refuse_label(expression, "reaction", call.of);
            return Vec::new();
        };
        let joint = call.of.as_deref().and_then(|it| self.joint_called(it));
        let on = match (call.on, joint) {
            (Some(on), _) => match self.acted_on(expression, on) {
                Some(on) => on,
                None => return Vec::new(),
            },
            (None, Some((_, [first, second]))) => match second.or(first) {
                Some(on) => on,
                None => return Vec::new(),
            },
            (None, None) => {
                let message = "a reaction has a place and axes where it acts on something";
                self.scope.refuse_whole(expression, "E0204", message, FORM);
                return Vec::new();
            }
        };
        let name = &self.model.constraints[constraint].name.text;
        let on_name = on.name(self.model);
        let targets = match self.reaction_targets(constraint) {
            Ok(targets) if targets.contains(&on) => targets,
            // Its own mistake is told elsewhere.
            Ok(targets) if targets.is_empty() && !self.scope.diagnostics.is_empty() => {
                return Vec::new();
            }
            Ok(targets) => {
                let names: Vec<&str> = targets.iter().map(|it| it.name(self.model)).collect();
                let message = format!("`{name}` does not act on `{on_name}`");
                let help = match names.is_empty() {
                    true => "it acts on no particle or body".to_owned(),
                    false => format!("it acts on {}", names.join(", ")),
                };
                return self.refuse_record(expression, "E0461", message, &help);
            }
            Err(why) => {
                let message = format!("the force of `{name}` on `{on_name}` is not determined");
                return self.refuse_record(expression, "E0461", message, &why);
            }
        };
        if self.place_and_axes(expression, &call, on).is_none() {
            return Vec::new();
        }
        let placed = joint.is_some() || call.at.is_some() || call.axes.is_some();
        let written = call.at.is_some() || call.axes.is_some();
        let both = call.on.is_some() && (joint.is_some() || targets.len() > 1);
        vec![Record::ReactionOn {
            constraint,
            on,
            called: match written {
                true => {
                    let at = meant(tree).map_or(tree.root(), |(at, _)| at);
                    let text = tree[at].span.text(&expression.text);
                    text.split_whitespace().collect::<Vec<_>>().join(" ")
                }
                false => self.reaction_called(constraint, both.then_some(on)),
            },
            placed: placed.then_some(index),
        }]
    }

    /// The particle or body that an argument names.
    fn acted_on(&mut self, expression: &Expression, on: NodeId) -> Option<Target> {
        let tree = &expression.tree;
        let span = tree[on].span.range();
        let name = named(tree, on).unwrap_or_else(|| expression.text[span.clone()].to_owned());
        let target = self.scope.names().get(&name).and_then(Declared::target);
        if target.is_none() {
            let known: Vec<&str> = self.known_labels("resultant");
            let help = self.scope.did_you_mean(&name, known.iter().copied());
            let help = help.unwrap_or_default();
            let message = format!("`{name}` is neither a body nor a particle");
            self.scope.refuse(expression, span, "E0435", message, help);
        }
        target
    }

    /// Where the moment is taken about, from the mass centre on, and the axes it is told in; `None` if something is wrong.
    fn place_and_axes(&mut self, expression: &Expression, call: &Call, on: Target) -> Option<Told> {
        let part = |id: NodeId| Expression {
            tree: expression.tree.part(id),
            ..expression.clone()
        };
        let joint = call.of.as_deref().and_then(|it| self.joint_called(it));
        let place = match (call.at, joint) {
            (Some(at), _) => Some(part(at)),
            (None, Some((id, ends))) => self.joint_end(id, ends, on).cloned(),
            (None, None) => None,
        };
        let arm = match place {
            None => None,
            Some(place) => {
                let value = self.scope.value(&place)?;
                let Some(at) = self.position_of(value) else {
                    let message = format!("a place is needed here, and this is {}", value.kind());
                    let help = "write a vector or a point";
                    self.scope.refuse_whole(&place, "E0402", message, help);
                    return None;
                };
                let center = self.center(on)?.position;
                Some(self.graph().sub3(center, at))
            }
        };
        let axes = match call.axes {
            None => None,
            Some(axes) => {
                let name = named(&expression.tree, axes).unwrap_or_default();
                let attitude = match self.scope.names().get(&name) {
                    Some(Declared::Frame(i)) => self.scope.frame(i),
                    Some(Declared::Body(i)) => self.scope.body(i).map(|body| body.attitude),
                    _ => {
                        let is_known = |it| matches!(it, Declared::Body(_) | Declared::Frame(_));
                        let known: Vec<&str> = self.scope.names().only(is_known).collect();
                        let help = self.scope.did_you_mean(&name, known.iter().copied());
                        let message = format!("`{name}` is neither a body nor a frame");
                        let span = expression.tree[axes].span.range();
                        let help = help.unwrap_or_default();
                        self.scope.refuse(expression, span, "E0424", message, help);
                        return None;
                    }
                };
                Some(attitude?.matrix)
            }
        };
        Some(Told { arm, axes })
    }

    /// The reaction that a place in `record` asks for, moved there and told in its axes; `None` where it says nothing of that.
    pub(super) fn placed_reaction(
        &mut self,
        expression: &Expression,
        reactions: &[Wrenches],
    ) -> Option<Wrench> {
        let call = call(&expression.tree)?.ok()?;
        let joint = call.of.as_deref().and_then(|it| self.joint_called(it));
        let name = call.of.as_deref()?;
        let mut constraints = Id::enumerate(&self.model.constraints);
        let (constraint, _) = constraints.find(|(_, it)| it.name.text == name)?;
        let on = match (call.on, joint) {
            (Some(on), _) => self.acted_on(expression, on)?,
            (None, joint) => {
                let (_, [first, second]) = joint?;
                second.or(first)?
            }
        };
        let mut wrenches = reactions[constraint.index()].iter().flatten();
        let found = *wrenches.find(|wrench| wrench.on == on)?;
        let Told { arm, axes } = self.place_and_axes(expression, &call, on)?;
        let Wrench {
            mut force,
            mut moment,
            ..
        } = found;
        let g = self.graph();
        if let Some(arm) = arm {
            let turning = g.cross3(arm, force);
            moment = g.add3(moment, turning);
        }
        if let Some(axes) = axes {
            force = g.rotate_back3(&axes, force);
            moment = g.rotate_back3(&axes, moment);
        }
        Some(Wrench { on, force, moment })
    }
}
