//! Texts to read, sound and bad.

use proptest::prelude::*;

/// Names as kernels have them, and as none has.
fn name() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => "[a-z_.]{1,40}".prop_map(String::into_bytes),
        2 => "[a-z_]{1,30}(\\.llvm\\.[0-9]{1,19}|\\.isra\\.0|\\.cold|\\.constprop\\.0)".prop_map(String::into_bytes),
        1 => "<[A-Z][a-z é]{1,20}\\[u8\\]>::f(mt|\\])".prop_map(String::into_bytes),
        1 => proptest::collection::vec(0x20u8..=255, 1..90),
    ]
}

fn address() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0u64..1 << 24).prop_map(|low| format!("{:016x}", 0xffff_ffff_8000_0000 + low)),
        2 => any::<u64>().prop_map(|address| format!("{address:016x}")),
        1 => any::<u32>().prop_map(|address| format!("{address:08x}")),
        1 => any::<u64>().prop_map(|address| format!("{address:016X}")),
        2 => Just("0000000000000000".to_owned()),
        1 => Just("00000000".to_owned()),
        1 => "( {0,10})\\(null\\)",
    ]
}

fn sound_line() -> impl Strategy<Value = Vec<u8>> {
    let module = proptest::option::weighted(0.3, "[a-z_]{1,20}|__builtin__ftrace|bpf");
    (address(), "[a-zA-Z?]", name(), module).prop_map(|(address, kind, name, module)| {
        let mut line = format!("{address} {kind} ").into_bytes();
        line.extend(name);
        line.extend(module.map(|module| format!("\t[{module}]")).unwrap_or_default().into_bytes());
        line
    })
}

/// Lines with bytes changed, put in or left out.
fn bad_line() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![proptest::sample::select(b" \t[]\0\r0fgG?(".to_vec()), any::<u8>()];
    let edits = proptest::collection::vec((any::<prop::sample::Index>(), 0..3, byte), 1..4);
    (sound_line(), edits).prop_map(|(mut line, edits)| {
        for (place, edit, byte) in edits {
            let place = place.index(line.len().max(1)).min(line.len());
            match edit {
                0 => line.insert(place, byte),
                1 if place < line.len() => line[place] = byte,
                _ => line.truncate(place),
            }
        }
        line
    })
}

pub(crate) fn text() -> impl Strategy<Value = Vec<u8>> {
    let hidden =
        sound_line().prop_map(|line| [b"0000000000000000".as_slice(), &line[16.min(line.len())..]].concat());
    let line = prop_oneof![8 => sound_line(), 3 => bad_line(), 1 => Just(Vec::new())];
    let lines = prop_oneof![
        4 => proptest::collection::vec(line, 0..12),
        1 => proptest::collection::vec(sound_line(), 1..12),
        1 => proptest::collection::vec(hidden, 1..5),
    ];
    (lines, any::<bool>()).prop_map(|(lines, ends)| {
        let mut text = lines.join(&b'\n');
        text.extend(ends.then_some(b'\n'));
        text
    })
}
