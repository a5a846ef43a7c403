//! Guesses at what was meant: the nearest known name, the ASCII spelling of a character.

/// Names longer than this get no suggestion; nobody mistypes them by hand.
const MAX_LENGTH: usize = 64;

/// The candidate that `name` is most likely a misspelling of, the first one if several are as near.
///
/// Nearness counts insertions, deletions, substitutions and swaps of neighbours (the restricted
/// Damerau–Levenshtein distance); case does not matter. One mistake is forgiven in short names, one
/// for every three letters in longer ones, and something of the name must be left.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let mut letters = Vec::new();
    let mut table = Table::default();
    fold(name, &mut letters);
    let name = letters.clone();
    let is_usable = |letters: &[char]| (1..=MAX_LENGTH).contains(&letters.len());
    if !is_usable(&name) {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        fold(candidate, &mut letters);
        let longer = name.len().max(letters.len());
        let allowed = (longer / 3).max(1);
        if !is_usable(&letters) || name.len().abs_diff(letters.len()) > allowed {
            continue;
        }
        // Only what is nearer than the best so far is of interest.
        let most = best.map_or(allowed, |(least, _)| allowed.min(least - 1));
        let distance = table.distance(&name, &letters, most);
        if let Some(distance) = distance.filter(|&distance| distance < longer) {
            best = Some((distance, candidate));
            if distance == 0 {
                break;
            }
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The letters of `name` without regard to case, as far as they matter.
fn fold(name: &str, letters: &mut Vec<char>) {
    letters.clear();
    let first = name.chars().take(MAX_LENGTH + 1);
    letters.extend(first.map(|c| c.to_ascii_lowercase()));
}

/// Three rows of the table of distances between beginnings, kept for the next pair of names.
#[derive(Default)]
struct Table {
    before_last: Vec<usize>,
    last: Vec<usize>,
    row: Vec<usize>,
}

impl Table {
    /// Restricted Damerau–Levenshtein distance, if it is at most `most`.
    fn distance(&mut self, a: &[char], b: &[char], most: usize) -> Option<usize> {
        let Self {
            before_last,
            last,
            row,
        } = self;
        for list in [&mut *before_last, &mut *last, &mut *row] {
            list.clear();
            list.extend(0..=b.len());
        }
        for i in 1..=a.len() {
            row[0] = i;
            for j in 1..=b.len() {
                let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                row[j] = substituted.min(last[j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    row[j] = row[j].min(before_last[j - 2] + 1);
                }
            }
            // Distances never fall from two rows to the next.
            let least = row.iter().chain(last.iter()).min();
            if least.is_some_and(|&least| least > most) {
                return None;
            }
            // The oldest row becomes the scratch row of the next round.
            std::mem::swap(before_last, last);
            std::mem::swap(last, row);
        }
        Some(last[b.len()]).filter(|&distance| distance <= most)
    }
}

/// The plain letter of a mathematical letter: bold, italic, script and so on.
fn mathematical_letter(c: char) -> Option<&'static str> {
    const LATIN: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    // Capitals, nabla, small letters, the partial derivative, and variants of six letters.
    const GREEK: &str = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΘΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂εθκφρπ";
    const GREEK_LETTERS: u32 = 58;
    let at = |start: u32| u32::from(c).checked_sub(start);
    match u32::from(c) {
        0x210e => Some("h"),
        0x1d400..=0x1d6a3 => {
            let letter = at(0x1d400)? as usize % LATIN.len();
            LATIN.get(letter..=letter)
        }
        0x1d6a8..=0x1d7c9 => {
            let letter = GREEK.chars().nth((at(0x1d6a8)? % GREEK_LETTERS) as usize)?;
            ascii_spelling(letter)
        }
        _ => None,
    }
}

/// How a character that people copy from papers is written in a model file.
pub(super) fn ascii_spelling(c: char) -> Option<&'static str> {
    Some(match c {
        // Letters with the dots of Newton's notation.
        'ȧ' => "a'",
        'ḃ' => "b'",
        'ċ' => "c'",
        'ḋ' => "d'",
        'ḟ' => "f'",
        'ġ' => "g'",
        'ḣ' => "h'",
        'ṁ' => "m'",
        'ṅ' => "n'",
        'ṗ' => "p'",
        'ṙ' => "r'",
        'ṡ' => "s'",
        'ẇ' => "w'",
        'ẋ' => "x'",
        'ẏ' => "y'",
        'ż' => "z'",
        'ẅ' => "w''",
        'ẍ' => "x''",
        'ÿ' => "y''",
        'α' => "alpha",
        'β' => "beta",
        'γ' => "gamma",
        'δ' => "delta",
        'ε' | 'ϵ' => "epsilon",
        'ζ' => "zeta",
        'η' => "eta",
        'θ' | 'ϑ' => "theta",
        'ι' => "iota",
        'κ' => "kappa",
        'λ' => "lambda",
        'μ' | 'µ' => "mu",
        'ν' => "nu",
        'ξ' => "xi",
        'ο' => "omicron",
        'π' => "pi",
        'ρ' => "rho",
        'σ' | 'ς' => "sigma",
        'τ' => "tau",
        'υ' => "upsilon",
        'φ' | 'ϕ' => "phi",
        'χ' => "chi",
        'ψ' => "psi",
        'ω' => "omega",
        'Γ' => "Gamma",
        'Δ' | '∆' => "Delta",
        'Θ' => "Theta",
        'Λ' => "Lambda",
        'Ξ' => "Xi",
        'Π' => "Pi",
        'Σ' => "Sigma",
        'Φ' => "Phi",
        'Ψ' => "Psi",
        'Ω' | '\u{2126}' => "Omega",
        // Cyrillic letters that look Latin.
        'а' => "a",
        'е' => "e",
        'о' => "o",
        'р' => "p",
        'с' => "c",
        'у' => "y",
        'х' => "x",
        '₀' => "0",
        '₁' => "1",
        '₂' => "2",
        '₃' => "3",
        '₄' => "4",
        '₅' => "5",
        '₆' => "6",
        '₇' => "7",
        '₈' => "8",
        '₉' => "9",
        '⁰' => "^0",
        '¹' => "^1",
        '²' => "^2",
        '³' => "^3",
        '⁴' => "^4",
        '⁵' => "^5",
        '⁶' => "^6",
        '⁷' => "^7",
        '⁸' => "^8",
        '⁹' => "^9",
        '⁻' => "^-",
        '−' | '–' | '—' | '‐' | '‑' => "-",
        '×' | '·' | '⋅' | '∙' | '∗' | '•' => "*",
        '÷' | '∕' | '⁄' => "/",
        '′' | '’' | '‘' | 'ʹ' | 'ʼ' | '´' | '\u{307}' => "'",
        '″' | '\u{308}' => "''",
        '“' | '”' | '„' => "\"",
        '≤' | '⩽' => "<=",
        '≥' | '⩾' => ">=",
        '°' => "deg",
        '√' => "sqrt(...)",
        '½' => "1/2",
        'ℎ' | '\u{1d400}'..='\u{1d7c9}' => return mathematical_letter(c),
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => "an ordinary space",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Table, nearest};

    fn letters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn distance_counts_single_mistakes() {
        for (a, b, expected) in [
            ("theta", "theta", 0),
            ("theta", "thta", 1),
            ("theta", "thetta", 1),
            ("theta", "theto", 1),
            ("theta", "thtea", 1),
            ("kitten", "sitting", 3),
            // The restricted distance does not edit a swapped pair again.
            ("ca", "abc", 3),
            ("", "abc", 3),
        ] {
            let mut table = Table::default();
            let mut distance = |a, b, most| table.distance(&letters(a), &letters(b), most);
            assert_eq!(distance(a, b, 9), Some(expected), "{a} {b}");
            assert_eq!(distance(b, a, expected), Some(expected), "{b} {a}");
            if let Some(less) = expected.checked_sub(1) {
                assert_eq!(distance(a, b, less), None, "{a} {b}");
            }
        }
    }

    #[test]
    fn nearest_forgives_in_proportion_to_length() {
        for (name, candidates, expected) in [
            ("thta", &["phi", "theta", "psi"][..], Some("theta")),
            ("Theta", &["phi", "theta"], Some("theta")),
            ("stifness", &["stiffness", "damping"], Some("stiffness")),
            ("coeficeint", &["coefficient"], Some("coefficient")),
            ("x", &["y", "z"], None),
            ("R", &["q", "r"], Some("r")),
            ("x", &["x1"], Some("x1")),
            ("ab", &["xy", "xb"], Some("xb")),
            ("psi", &["xyz"], None),
            ("mass", &[], None),
            ("", &["a"], None),
            ("a", &[""], None),
        ] {
            assert_eq!(
                nearest(name, candidates.iter().copied()),
                expected,
                "{name}"
            );
        }
    }

    #[test]
    fn ties_go_to_the_first_candidate() {
        assert_eq!(nearest("x3", ["x1", "x2"]), Some("x1"));
        assert_eq!(nearest("x3", ["x2", "x1"]), Some("x2"));
        assert_eq!(nearest("X1", ["x2", "x1"]), Some("x1"));
    }

    #[test]
    fn absurdly_long_names_are_left_alone() {
        let long = "a".repeat(1 << 20);
        assert_eq!(nearest(&long, [long.as_str(), "a"]), None);
        assert_eq!(nearest("a", [long.as_str(), "ab"]), Some("ab"));
    }
}
