//! The hash of a name: section "Name index", both ids.

/// The 64-bit hash of a name.
pub(super) fn hash(id: u8, seed: u64, name: &[u8]) -> u64 {
    let start = seed ^ 0x2d35_8dcc_aa6c_78a5;
    let groups = name.chunks(8).map(|chunk| {
        let mut group = [0; 8];
        group[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(group)
    });
    if id == 0 { folded(start, groups, name.len()) } else { lanes(start, groups, name.len()) }
}

/// The upper half.
pub(super) fn hi(number: u64) -> u32 {
    (number >> 32) as u32
}

fn lo(number: u64) -> u32 {
    number as u32
}

fn folded(start: u64, groups: impl Iterator<Item = u64>, len: usize) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product >> 64) as u64 ^ product as u64
    };
    let s = groups.fold(start, |s, group| fold(s ^ group, 0x8bb8_4b93_962e_acc9));
    fold(s ^ len as u64, 0x4b33_a62e_d433_d4a3)
}

fn lanes(start: u64, groups: impl Iterator<Item = u64>, len: usize) -> u64 {
    let (mut low, mut high) = (lo(start), hi(start));
    for group in groups {
        let a = (low ^ lo(group)).wrapping_mul(0x9e37_79b1).rotate_left(13);
        let a = (a ^ hi(group)).wrapping_mul(0x85eb_ca77).rotate_left(15);
        let b = (high ^ hi(group)).wrapping_mul(0xc2b2_ae3d).rotate_left(17);
        let b = (b ^ lo(group)).wrapping_mul(0x27d4_eb2f).rotate_left(11);
        low = a.wrapping_add(b.rotate_left(7));
        high = b ^ a.rotate_left(19);
    }
    let a = mix(low ^ len as u32);
    let b = mix(high.wrapping_add(a));
    u64::from(b) << 32 | u64::from(a ^ b.rotate_left(16))
}

fn mix(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x85eb_ca6b);
    x ^= x >> 13;
    x = x.wrapping_mul(0xc2b2_ae35);
    x ^ x >> 16
}
