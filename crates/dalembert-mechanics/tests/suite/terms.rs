//! How large the terms of expressions are.

use dalembert_expr::{Graph, SymbolKind};
use dalembert_mechanics::terms::Terms;

#[test]
fn terms_have_the_size_of_what_cancels() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Coordinate);
    let l = g.symbol("l", SymbolKind::Parameter);
    let (square, length) = (g.powi(x, 2), g.powi(l, 2));
    let circle = g.sub(square, length);
    let (sine, cosine) = (g.sin(x), g.cos(x));
    let one = g.integer(1);
    let flat = g.sub(cosine, one);
    let x_symbol = g.as_symbol(x).unwrap();
    let terms = Terms::new(&g, &[circle, sine, flat]);
    for scale in [1e-6, 1.0, 1e6] {
        let sizes = terms.sizes(|_| scale);
        let ratio = sizes[0] / (scale * scale);
        assert!((2.0..10.0).contains(&ratio), "{ratio}");
    }
    // At 0 the sine is exact; 1 − cos x is a difference of ones.
    let sizes = terms.sizes(|symbol| if symbol == x_symbol { 0.0 } else { 1.0 });
    assert!(sizes[1] == 0.0 && sizes[2] >= 2.0, "{sizes:?}");
}

#[test]
fn angles_count_in_radians_and_waves_in_wavelengths() {
    let mut g = Graph::new();
    let x = g.symbol("x", SymbolKind::Coordinate);
    let y = g.symbol("y", SymbolKind::Coordinate);
    let k = g.symbol("k", SymbolKind::Parameter);
    let phase = g.mul(k, x);
    let wave = g.sin(phase);
    let row = g.sub(y, wave);
    let symbols = [x, y].map(|id| g.as_symbol(id).unwrap().index());
    let natural = Terms::new(&g, &[row]).natural(|_| 1e3);
    assert_eq!(natural[symbols[0]], Some(1e-3));
    assert_eq!(natural[symbols[1]], None);
}
