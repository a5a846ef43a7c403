//! Values at which expressions are looked at.

/// A number between 0.2 and 1.2 that belongs to a symbol and a trial (splitmix64).
pub fn random(symbol: u64, trial: u64) -> f64 {
    let mut x = (symbol + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add((trial + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    0.2 + (x >> 11) as f64 / (1_u64 << 53) as f64
}
