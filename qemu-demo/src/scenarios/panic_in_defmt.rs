//! A value that panics while its defmt frame is open: the torn frame is ended, and the report's own is whole.

use defmt::{Format, Formatter};

pub(super) fn run() {
    println!("logs a value that panics");
    defmt::info!("before it");
    send(7);
}

#[inline(never)]
fn send(packet: u32) {
    defmt::info!("packet {=u32} is {}, {=u32} bytes", packet, Grenade, 64);
}

struct Grenade;

impl Format for Grenade {
    #[inline(never)]
    fn format(&self, _: Formatter<'_>) {
        panic!("no text for this")
    }
}
