//! The same, slowly: every record is copied out, its words are rewritten by their roles, and the file is put
//! together again.

use kallsyms_host_tests::btf::Decoded;
use kallsyms_host_tests::btf::record::{Role, refers, roles};
use kallsyms_host_tests::btf::words;

/// Bytes of the head of a record.
const HEAD: usize = 12;

/// The file in another order.
pub(crate) fn permuted(bytes: &[u8], base: Option<&Decoded>, id_map: &[u32]) -> Vec<u8> {
    let old = Decoded::read(bytes, base).expect("is sound");
    let new_ids = &id_map[usize::from(base.is_none())..];
    let field = |at: usize| words::read(old.endian, bytes, at).expect("a whole header") as usize;
    let types = field(4) + field(8);
    let end = types + field(12);
    let starts = old.offsets.iter().map(|&offset| types + offset as usize);
    let ends = starts.clone().skip(1).chain([end]);
    let mut records = vec![Vec::new(); new_ids.len()];
    for (((_, record), (start, end)), &new) in old.types().zip(starts.zip(ends)).zip(new_ids) {
        let mut copy = bytes[start..end].to_vec();
        let (once, each) = roles(record.kind).expect("a known kind");
        let elements = each.iter().cycle().take(each.len() * record.vlen as usize);
        let behind = (HEAD..).step_by(4).zip(once.iter().chain(elements));
        let behind = behind.filter(|(_, role)| **role == Role::Type).map(|(at, _)| at);
        for at in refers(record.kind).then_some(8).into_iter().chain(behind) {
            let id = words::read(old.endian, &copy, at).expect("within the record");
            if id >= old.first_id {
                let new = new_ids[(id - old.first_id) as usize];
                copy[at..at + 4].copy_from_slice(&words::word(old.endian, new));
            }
        }
        records[(new - old.first_id) as usize] = copy;
    }
    [&bytes[..types], &records.concat(), &bytes[end..]].concat()
}

/// The map that sorts the types.
pub(crate) fn order(bytes: &[u8], base: Option<&Decoded>) -> Vec<u32> {
    let old = Decoded::read(bytes, base).expect("is sound");
    let mut order: Vec<(u32, &[u8])> = old.types().map(|(id, record)| (id, &*record.name)).collect();
    order.sort_by_key(|(_, name)| *name);
    let mut new_ids = vec![0; order.len()];
    for (new, (id, _)) in (old.first_id..).zip(order) {
        new_ids[(id - old.first_id) as usize] = new;
    }
    base.is_none().then_some(0).into_iter().chain(new_ids).collect()
}
