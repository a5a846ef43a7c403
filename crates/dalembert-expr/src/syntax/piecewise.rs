//! `Piecewise((a, x > 0), (b, True))` of SymPy, in the order of `if(x > 0, a, b)`.

use super::tree::Span;

/// What SymPy calls a choice.
pub(super) const PIECEWISE: &str = "Piecewise";

/// Tokens in the order in which the language of models has them: each condition before its value, each further choice in
/// place of what holds elsewhere. Choices that have no value where no condition holds stay as they are.
pub(super) fn reordered(source: &str, tokens: &[Span]) -> Vec<Span> {
    if !source.contains(PIECEWISE) {
        return tokens.to_vec();
    }
    let closing = closing(source, tokens);
    let text = |index: usize| tokens.get(index).map_or("", |span| span.text(source));
    let mut found = Vec::with_capacity(tokens.len());
    // What is still to be written, the first last, and whether choices in it are still to be looked for.
    let mut open = vec![(0..tokens.len(), true)];
    while let Some((range, is_open)) = open.pop() {
        let mut at = range.start;
        while at < range.end {
            let is_choice = is_open && text(at) == PIECEWISE && text(at + 1) == "(";
            let pairs = match is_choice {
                true => pairs(&closing, at + 1, text),
                false => None,
            };
            let Some(pairs) = pairs else {
                found.push(tokens[at]);
                at += 1;
                continue;
            };
            // The rest comes after it.
            open.push((closing[at + 1] + 1..range.end, true));
            let (last, conditions) = pairs.split_last().expect("a choice has a pair");
            let (head, comma, close) = (at..at + 2, last.comma, closing[at + 1]);
            let mut pieces = Vec::new();
            for pair in conditions {
                pieces.push((head.clone(), false));
                pieces.push((pair.comma + 1..pair.end, true));
                pieces.push((comma..comma + 1, false));
                pieces.push((pair.start..pair.comma, true));
                pieces.push((comma..comma + 1, false));
            }
            pieces.push((last.start..last.comma, true));
            pieces.extend(conditions.iter().map(|_| (close..close + 1, false)));
            // A choice that always holds is its value.
            if conditions.is_empty() {
                let value = (last.start..last.comma, true);
                pieces = vec![(at + 1..at + 2, false), value, (close..close + 1, false)];
            }
            open.extend(pieces.into_iter().rev());
            break;
        }
    }
    found
}

/// A value and its condition, without the brackets around them.
struct Pair {
    start: usize,
    comma: usize,
    end: usize,
}

/// The pairs in the bracket that opens at a token, if the last of them always holds.
fn pairs<'s>(
    closing: &[usize],
    opening: usize,
    text: impl Fn(usize) -> &'s str,
) -> Option<Vec<Pair>> {
    let (mut at, end) = (opening + 1, closing[opening]);
    let mut found = Vec::new();
    while at < end {
        let close = closing[at];
        let is_pair = text(at) == "(" && close < end && matches!(text(close + 1), "," | ")");
        if !is_pair {
            return None;
        }
        let mut comma = at + 1;
        while comma < close && text(comma) != "," {
            comma = closing[comma].max(comma) + 1;
        }
        found.push(Pair {
            start: at + 1,
            comma,
            end: close,
        });
        at = close + 2;
    }
    let last: &Pair = found.last()?;
    let always = last.comma + 2 == last.end && text(last.comma + 1) == "True";
    let complete = found.iter().all(|pair| pair.comma + 1 < pair.end);
    (always && complete).then_some(found)
}

/// For each opening bracket the token that closes it; 0 elsewhere, and the end where none does.
fn closing(source: &str, tokens: &[Span]) -> Vec<usize> {
    let mut closing = vec![0; tokens.len() + 1];
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.text(source) {
            "(" | "[" => open.push(index),
            ")" | "]" => {
                if let Some(opening) = open.pop() {
                    closing[opening] = index;
                }
            }
            _ => {}
        }
    }
    for opening in open {
        closing[opening] = tokens.len();
    }
    closing
}
