//! Guesses at what was meant: the nearest known name, the ASCII spelling of a character.

use crate::print::greek;

/// Names longer than this get no suggestion; nobody mistypes them by hand.
const MAX_LENGTH: usize = 64;

/// Most names that a help lists.
const LISTED: usize = 12;

/// What an unknown name was probably meant to be, or else what there is; `None` if there is nothing.
pub fn meant_or_known<'c>(name: &str, known: impl IntoIterator<Item = &'c str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(near) = nearest(name, known.iter().copied()) {
        return Some(format!("did you mean {near}?"));
    }
    let listed = known.iter().take(LISTED);
    let listed = listed.copied().collect::<Vec<_>>().join(", ");
    match known.len() {
        0 => None,
        n if n > LISTED => Some(format!("known here: {listed} and {} more", n - LISTED)),
        _ => Some(format!("known here: {listed}")),
    }
}

/// The candidate that `name` is most likely a misspelling of, the first one if several are as near.
///
/// Nearness counts insertions, deletions, substitutions and swaps of neighbours (the restricted
/// Damerau–Levenshtein distance); case does not matter. One mistake is forgiven in short names, one
/// for every three letters in longer ones, and something of the name must be left.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let usable = |name: &str| {
        let length = name.chars().take(MAX_LENGTH + 1).count();
        (1..=MAX_LENGTH).contains(&length).then_some(length)
    };
    let (length, name) = (usable(name)?, name.to_ascii_lowercase());
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let Some(other) = usable(candidate) else {
            continue;
        };
        let longer = length.max(other);
        let allowed = (longer / 3).max(1);
        if length.abs_diff(other) > allowed {
            continue;
        }
        let distance = strsim::osa_distance(&name, &candidate.to_ascii_lowercase());
        if distance <= allowed
            && distance < longer
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
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

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
/// From 4 on, where raised digits follow one another in Unicode.
const POWERS: [&str; 6] = ["^4", "^5", "^6", "^7", "^8", "^9"];

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
        // Variants of Greek letters, and signs that look like one.
        'ϵ' => "epsilon",
        'ϑ' => "theta",
        'µ' => "mu",
        'ς' => "sigma",
        'ϕ' => "phi",
        '∆' => "Delta",
        '\u{2126}' => "Omega",
        // Cyrillic letters that look Latin.
        'а' => "a",
        'е' => "e",
        'о' => "o",
        'р' => "p",
        'с' => "c",
        'у' => "y",
        'х' => "x",
        '₀'..='₉' => DIGITS[c as usize - '₀' as usize],
        '⁰' => "^0",
        '¹' => "^1",
        '²' => "^2",
        '³' => "^3",
        '⁴'..='⁹' => POWERS[c as usize - '⁴' as usize],
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
        _ if c.is_ascii() => return None,
        _ => return greek(c.encode_utf8(&mut [0; 4])).map(|letter| letter.name),
    })
}
