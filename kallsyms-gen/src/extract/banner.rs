//! What a kernel says of itself.

/// The release that the kernel's banner tells.
pub(super) fn release(bytes: &[u8]) -> Option<String> {
    const BANNER: &[u8] = b"Linux version ";
    const LONGEST: usize = 64;
    let starts = bytes.windows(BANNER.len()).enumerate().filter(|(_, text)| *text == BANNER);
    starts.map(|(at, _)| at + BANNER.len()).find_map(|at| {
        let text = bytes.get(at..)?.iter().take(LONGEST);
        let release: Vec<u8> = text.copied().take_while(u8::is_ascii_graphic).collect();
        let release = String::from_utf8(release).ok()?;
        (release.starts_with(|first: char| first.is_ascii_digit()) && release.len() < LONGEST)
            .then_some(release)
    })
}
