use super::{common_point, cross};

#[test]
fn forces_through_one_point_tell_it() {
    let r = [0.3, -1.2, 0.7];
    let forces = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.1, 0.2, -5.0]];
    let wrenches = forces.map(|f| [f, cross(r, f)]);
    for some in [&wrenches[..2], &wrenches[..]] {
        let found = common_point(some).unwrap_or_default();
        for k in 0..3 {
            assert!((found[k] - r[k]).abs() < 1e-12, "{found:?}");
        }
    }
    // One direction has a line, and a couple has none.
    assert!(common_point(&wrenches[..1]).is_none());
    let mut turned = wrenches;
    turned[0][1][0] += 1.0;
    assert!(common_point(&turned).is_none());
}
