//! The hash by which a policy names a script (FIPS 180-4).

/// The hash of some bytes.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let primes = primes();
    let constants = primes.map(|p| root_bits(p, 3));
    let mut state: [u32; 8] = std::array::from_fn(|i| root_bits(primes[i], 2));
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in message.chunks_exact(64) {
        round(&mut state, block, &constants);
    }
    let mut hash = [0; 32];
    for (four, word) in hash.chunks_exact_mut(4).zip(state) {
        four.copy_from_slice(&word.to_be_bytes());
    }
    hash
}

fn round(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut w = [0_u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for i in 16..64 {
        let (a, b) = (w[i - 15], w[i - 2]);
        let small = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let large = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        w[i] = [w[i - 16], small, w[i - 7], large]
            .into_iter()
            .fold(0, u32::wrapping_add);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in w.into_iter().zip(constants) {
        let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let chosen = (e & f) ^ (!e & g);
        let first = [h, turned, chosen, *constant, word]
            .into_iter()
            .fold(0, u32::wrapping_add);
        let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let most = (a & b) ^ (a & c) ^ (b & c);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b) = (c, b, a);
        a = first.wrapping_add(turned).wrapping_add(most);
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(new);
    }
}

/// The first 64 primes.
fn primes() -> [u32; 64] {
    let mut found = [0; 64];
    let mut next = 2_u32;
    for prime in &mut found {
        while (2..next).any(|d| d * d <= next && next.is_multiple_of(d)) {
            next += 1;
        }
        *prime = next;
        next += 1;
    }
    found
}

/// The first 32 bits behind the point of a root of a prime.
fn root_bits(prime: u32, degree: u32) -> u32 {
    // The largest r with r^degree <= prime · 2^(32 degree).
    let target = u128::from(prime) << (32 * degree);
    let mut root = 0_u128;
    for bit in (0..37).rev() {
        let tried = root | 1 << bit;
        if tried.pow(degree) <= target {
            root = tried;
        }
    }
    (root & 0xffff_ffff) as u32
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn as_in_fips_180() {
        let hex = |bytes: &[u8]| -> String {
            let hash = sha256(bytes);
            hash.iter().map(|byte| format!("{byte:02x}")).collect()
        };
        assert_eq!(
            hex(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            hex(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
    }
}
