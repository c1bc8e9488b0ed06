//! Trains a dictionary on the lines of a file (type character, then name) and prints its sizes and times.

use kallsyms_gen::compress::blob::pack_tokens;
use kallsyms_gen::compress::tokens::{Profile, train};
use std::time::Instant;

fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).ok_or_else(|| anyhow::anyhow!("usage: train FILE"))?;
    let text = std::fs::read(path)?;
    let names: Vec<&[u8]> = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    for profile in [Profile::Fast, Profile::Compact] {
        let start = Instant::now();
        let encoded = train(&names, profile, &mut |_, _| ());
        let trained = start.elapsed();
        let tokens = &encoded.dictionary.tokens;
        for (name, codes) in names.iter().zip((0..names.len()).map(|index| encoded.name(index))) {
            anyhow::ensure!(codes.iter().flat_map(|&code| &tokens[usize::from(code)].bytes).eq(*name));
        }
        let start = Instant::now();
        let expansions: Vec<&[u8]> = tokens.iter().map(|token| &*token.bytes).collect();
        let blob = if profile == Profile::Fast { pack_tokens(&expansions).0.len() } else { 0 };
        let packed = start.elapsed();
        let code_bits = usize::from(encoded.dictionary.code_bits);
        let codes = (encoded.codes.len() * code_bits).div_ceil(8);
        println!(
            "{profile:?}: {code_bits} bits, {} tokens, codes {codes} + entries {} + token bytes {blob} = {:.3} bytes a name; \
             trained in {trained:.1?}, packed in {packed:.1?}",
            tokens.len(),
            4 * tokens.len(),
            (codes + 4 * tokens.len() + blob) as f64 / names.len() as f64,
        );
    }
    Ok(())
}
