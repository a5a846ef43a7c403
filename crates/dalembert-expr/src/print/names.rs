//! The names of everything that is printed as one name: symbols and shared subexpressions.
//!
//! Made once for all expressions of one call, so that a symbol looks the same in each and no two
//! symbols look the same.

use super::identifier::Identifiers;
use super::infix::Dialect;
use super::notation::Notation;
use super::{Format, Options, c, python, sympy};
use crate::cone::Cone;
use crate::graph::{ExprId, Graph, Node, SymbolId};
use crate::symbol::{Symbol, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// An index into the names.
pub(super) type NameId = usize;

pub(super) struct PrintedNames {
    texts: Vec<String>,
    symbols: Vec<SymbolId>,
    symbol_table: FxHashMap<SymbolId, NameId>,
    shared_table: FxHashMap<ExprId, NameId>,
}

impl PrintedNames {
    /// Names of the symbols in `cone`.
    pub(super) fn of_symbols(graph: &Graph, cone: &Cone, options: &Options) -> Self {
        let symbols = cone.symbols(graph);
        let data: Vec<&Symbol> = symbols.iter().map(|&id| graph.symbol_data(id)).collect();
        let texts = match options.format {
            Format::Model => data.iter().map(|symbol| symbol.to_string()).collect(),
            Format::C => identifiers(&data, &c::DIALECT),
            Format::Python => identifiers(&data, &python::DIALECT),
            Format::Sympy => sympy_names(&data),
            Format::Text | Format::Latex | Format::Typst | Format::MathMl => {
                notations(&data, options)
            }
        };
        let symbol_table = symbols.iter().enumerate().map(|(n, &id)| (id, n)).collect();
        Self {
            texts,
            symbols,
            symbol_table,
            shared_table: FxHashMap::default(),
        }
    }

    /// Names `nodes` s1, s2, …, without those that a symbol of the graph has.
    pub(super) fn name_shared(&mut self, graph: &Graph, nodes: &[ExprId], options: &Options) {
        let mut taken: FxHashSet<String> = self.texts.iter().cloned().collect();
        for index in 0..graph.len() {
            if let Node::Symbol(symbol) = graph.node_at(index) {
                // s_1 looks like s1 in print.
                taken.insert(graph.symbol_data(symbol).name.replace('_', ""));
            }
        }
        let mut number = 0;
        for &id in nodes {
            let name = loop {
                number += 1;
                let name = format!("s{number}");
                if !taken.contains(&name) {
                    break name;
                }
            };
            let text = match options.format {
                Format::Text | Format::Latex | Format::Typst | Format::MathMl => {
                    let symbol = Symbol {
                        name: name.into(),
                        kind: SymbolKind::Parameter,
                        order: 0,
                    };
                    Notation::of(&symbol, options.derivatives).write(options.format)
                }
                _ => name,
            };
            self.shared_table.insert(id, self.texts.len());
            self.texts.push(text);
        }
    }

    /// The symbols and how they are written.
    pub(super) fn into_symbols(self) -> Vec<(SymbolId, String)> {
        self.symbols.into_iter().zip(self.texts).collect()
    }

    /// The name of a symbol.
    pub(super) fn symbol(&self, id: SymbolId) -> &str {
        self.text(self.symbol_id(id))
    }

    pub(super) fn symbol_id(&self, id: SymbolId) -> NameId {
        self.symbol_table[&id]
    }

    /// The name of a subexpression that has one.
    pub(super) fn shared(&self, id: ExprId) -> Option<&str> {
        self.shared_id(id).map(|name| self.text(name))
    }

    pub(super) fn shared_id(&self, id: ExprId) -> Option<NameId> {
        self.shared_table.get(&id).copied()
    }

    pub(super) fn text(&self, name: NameId) -> &str {
        &self.texts[name]
    }
}

fn identifiers(symbols: &[&Symbol], dialect: &'static Dialect) -> Vec<String> {
    let mut identifiers = Identifiers::new(dialect);
    let assign = |symbol: &&Symbol| identifiers.assign(&symbol.name, symbol.order);
    symbols.iter().map(assign).collect()
}

/// x(t) and its derivatives are one function: one identifier for all orders.
fn sympy_names(symbols: &[&Symbol]) -> Vec<String> {
    let mut identifiers = Identifiers::new(&sympy::DIALECT);
    // Time first: it appears in every function, also where no symbol says so.
    let is_time = |symbol: &&&Symbol| symbol.kind == SymbolKind::Time;
    let time_name = symbols.iter().find(is_time).map_or("t", |s| &*s.name);
    let time = identifiers.assign(time_name, 0);
    let mut functions: FxHashMap<(&str, SymbolKind), String> = FxHashMap::default();
    functions.insert((time_name, SymbolKind::Time), time.clone());
    let mut texts = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let identifier = functions
            .entry((&symbol.name, symbol.kind))
            .or_insert_with(|| identifiers.assign(&symbol.name, 0));
        texts.push(sympy::symbol(symbol, identifier, &time));
    }
    texts
}

/// As a mathematician writes them; the later of two that would look the same stays as it is spelled.
fn notations(symbols: &[&Symbol], options: &Options) -> Vec<String> {
    let mut taken = FxHashSet::default();
    let mut written = |symbol: &Symbol| {
        let text = Notation::of(symbol, options.derivatives).write(options.format);
        if taken.insert(text.clone()) {
            return text;
        }
        let text = Notation::verbatim(symbol, options.derivatives).write(options.format);
        taken.insert(text.clone());
        text
    };
    symbols.iter().map(|symbol| written(symbol)).collect()
}
