//! Markup in which the same things stand again and again, written shorter: each thing that repeats is a letter of its own.
//!
//! Equations in MathML are ten times as long as what they say. Elements and words get letters, then pairs of letters that stand
//! side by side often do, and pairs of those. The page puts them back in (`js/equations.js`).

use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Letters that no alphabet uses: Unicode's private ones.
const FIRST: u32 = 0xE000;
const LAST: u32 = 0xF8FF;

/// Rounds of pairs, and how many pairs are taken in each.
const ROUNDS: usize = 12;
const PAIRS: usize = 60;

/// A thing that stands there as often as this is worth a letter.
const OFTEN: usize = 4;

/// A text, and what its letters stand for: a rule uses letters of those before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Packed {
    pub(crate) rules: Vec<String>,
    pub(crate) text: String,
}

/// The markup, written shorter; as it is where it has private letters itself.
pub(crate) fn packed(markup: &str) -> Packed {
    if markup
        .chars()
        .any(|c| (FIRST..=LAST).contains(&u32::from(c)))
    {
        return Packed {
            rules: Vec::new(),
            text: markup.to_owned(),
        };
    }
    let pieces = pieces(markup);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for piece in &pieces {
        *counts.entry(piece).or_default() += 1;
    }
    let mut rules: Vec<String> = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    // Those that are worth a letter first, so that letters and rules have the same numbers.
    let worth = |(piece, count): &(&&str, &usize)| **count >= OFTEN && piece.len() > 3;
    for (piece, _) in counts.iter().filter(worth) {
        numbers.insert(piece, rules.len());
        rules.push((*piece).to_owned());
    }
    let mut sequence: Vec<usize> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let number = numbers.entry(piece).or_insert_with(|| {
            words.push(piece);
            // Not a letter: it stands there as it is.
            LAST as usize + words.len()
        });
        sequence.push(*number);
    }
    for _ in 0..ROUNDS {
        let chosen = frequent_pairs(&sequence, (LAST - FIRST) as usize - rules.len());
        if chosen.is_empty() {
            break;
        }
        let mut letters: HashMap<[usize; 2], usize> = HashMap::new();
        for pair in chosen {
            letters.insert(pair, rules.len());
            let text = pair.map(|it| written(it, &words)).concat();
            rules.push(text);
        }
        sequence = joined(&sequence, &letters);
    }
    let text = sequence.iter().map(|&it| written(it, &words)).collect();
    Packed { rules, text }
}

/// Elements and the words between them.
fn pieces(markup: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = markup;
    while !rest.is_empty() {
        let end = match rest.starts_with('<') {
            true => rest.find('>').map_or(rest.len(), |end| end + 1),
            false => rest.find('<').unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(end);
        found.push(piece);
        rest = after;
    }
    found
}

/// A letter, or a word that has none.
fn written(number: usize, words: &[&str]) -> String {
    let letter = u32::try_from(number).ok().map(|it| FIRST + it);
    match letter.filter(|it| *it <= LAST).and_then(char::from_u32) {
        Some(letter) => letter.to_string(),
        None => words[number - LAST as usize - 1].to_owned(),
    }
}

/// The pairs that stand side by side most often, most often first.
fn frequent_pairs(sequence: &[usize], room: usize) -> Vec<[usize; 2]> {
    let mut counts: HashMap<[usize; 2], usize> = HashMap::new();
    for pair in sequence.windows(2) {
        *counts.entry([pair[0], pair[1]]).or_default() += 1;
    }
    let mut pairs: Vec<([usize; 2], usize)> = counts.into_iter().collect();
    pairs.retain(|(_, count)| *count >= OFTEN);
    pairs.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
    let pairs = pairs.into_iter().map(|(pair, _)| pair);
    pairs.take(PAIRS.min(room)).collect()
}

/// The sequence with letters in place of pairs, from the left.
fn joined(sequence: &[usize], letters: &HashMap<[usize; 2], usize>) -> Vec<usize> {
    let mut shorter = Vec::with_capacity(sequence.len());
    let mut at = 0;
    while at < sequence.len() {
        let pair = sequence.get(at + 1).map(|next| [sequence[at], *next]);
        match pair.and_then(|pair| letters.get(&pair)) {
            Some(letter) => {
                shorter.push(*letter);
                at += 2;
            }
            None => {
                shorter.push(sequence[at]);
                at += 1;
            }
        }
    }
    shorter
}

#[cfg(test)]
mod tests {
    use super::{FIRST, LAST, Packed, packed};

    /// As the page does it.
    fn unpacked(packed: &Packed) -> String {
        let mut known: Vec<String> = Vec::new();
        let expand = |text: &str, known: &[String]| -> String {
            let letter = |c: char| {
                u32::from(c)
                    .checked_sub(FIRST)
                    .filter(|_| u32::from(c) <= LAST)
            };
            text.chars()
                .map(|c| match letter(c) {
                    Some(number) => known[number as usize].clone(),
                    None => c.to_string(),
                })
                .collect()
        };
        for rule in &packed.rules {
            let text = expand(rule, &known);
            known.push(text);
        }
        expand(&packed.text, &known)
    }

    #[test]
    fn what_was_packed_comes_back() {
        let row = |i: usize| {
            format!(
                "<mrow><msub><mi>s</mi><mn>{}</mn></msub><mo>+</mo></mrow>",
                i % 37
            )
        };
        let long: String = (0..2000).map(row).collect();
        for text in ["", "plain", "<p>a < b</p", "<mi>é</mi>∑", &long] {
            assert_eq!(unpacked(&packed(text)), *text);
        }
        let short = packed(&long);
        let length = short.text.len() + short.rules.iter().map(String::len).sum::<usize>();
        assert!(10 * length < long.len(), "{length} of {}", long.len());
    }

    #[test]
    fn private_letters_stay_what_they_are() {
        let text = "<mi>\u{e000}</mi>".repeat(50);
        assert_eq!(packed(&text).text, text);
    }
}
