//! The same backtrace twice: as text, and as structured frames over a second channel.

use crate::stack::REPORT_FRAMES;
use crate::{report, stack, symbols};
use core::hint::black_box;
use kallsyms_core::backtrace::{Backtrace, FrameKind};

pub(super) fn run() {
    println!("sends its backtrace twice");
    black_box(handle_packet(black_box(3)));
}

#[inline(never)]
fn handle_packet(packet: u64) -> u64 {
    black_box(check_header(packet)) + 1
}

#[inline(never)]
fn check_header(packet: u64) -> u64 {
    let trace = stack::capture(stack::here());
    report::lines(&trace);
    log(&trace);
    black_box(packet)
}

/// Sends every frame as numbers and, where the table has it, its name.
#[inline(never)]
fn log(trace: &Backtrace<REPORT_FRAMES>) {
    let image = symbols::image();
    for (index, frame) in (0_u32..).zip(trace.frames()) {
        let place = image.as_ref().map(|image| match frame.kind {
            FrameKind::Exact => image.describe(frame.address),
            FrameKind::Return | FrameKind::Uncertain => image.describe_return_address(frame.address),
        });
        match place {
            Some(place) => defmt::info!("#{=u32} {} {=u64:#x} {}", index, frame.kind, frame.address, place),
            None => defmt::info!("#{=u32} {} {=u64:#x} ?", index, frame.kind, frame.address),
        }
    }
    defmt::info!("ends: {}", trace.end());
}
