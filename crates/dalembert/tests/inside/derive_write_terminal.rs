use super::broken;

/// A formula of a megabyte is broken in one pass.
#[test]
fn long_formulas_are_broken_at_once() {
    let terms: Vec<String> = (0..60_000).map(|k| format!("a{k} (b + c)")).collect();
    let text = terms.join(" + ");
    let start = std::time::Instant::now();
    let pieces = broken(&text, 100);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    assert!(pieces.iter().all(|piece| piece.chars().count() <= 100));
    assert_eq!(pieces.join(" "), text);
}
