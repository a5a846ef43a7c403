//! The table of units beside what is found in it; the rest is tested from outside, in `tests/suite/units.rs`.

use super::lookup;
use super::table::{PREFIXES, UNITS};

#[test]
fn every_unit_of_the_table_is_found_under_its_own_name() {
    for row in UNITS {
        let unit = lookup(row.name).expect(row.name);
        assert_eq!(Some(&unit), row.unit(0).as_ref(), "{}", row.name);
        assert!(unit.value() > 0.0, "{}", row.name);
        let same = UNITS.iter().filter(|other| other.name == row.name);
        assert_eq!(same.count(), 1, "{}", row.name);
    }
}

#[test]
fn no_name_is_a_prefix_and_a_unit_in_two_ways_that_differ() {
    for row in UNITS.iter().filter(|row| row.takes_prefixes) {
        for (prefix, exponent) in PREFIXES {
            let name = format!("{prefix}{}", row.name);
            let own = UNITS.iter().any(|row| row.name == name);
            assert!(own || lookup(&name) == row.unit(*exponent), "{name}");
        }
    }
}
