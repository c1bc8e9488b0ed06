//! The table's own figures and every question that it answers.

pub(super) fn run() {
    println!("hello");
}
