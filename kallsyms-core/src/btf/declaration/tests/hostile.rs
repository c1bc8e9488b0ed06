//! Types that no compiler writes: each ends.

use super::*;

#[test]
fn what_leads_nowhere() {
    let mut types = Types::new();
    let variable = types.of(VAR, "x", 99);
    let pointer = types.around(99, &[CONST, POINTER]);
    let pointer = types.of(VAR, "p", pointer);
    let record = types.record(STRUCT, "s", 0, &[("a", 99, 0, 0)]);
    let section = types.push(DATASEC, "d", 1, 0, &[99, 0, 0]);
    let wrong = types.of(VAR, "v", variable);
    for (id, text) in [
        (variable, "... x"),
        (pointer, "const ... *p"),
        (record, "struct s {\n\t... a;\n}"),
        (section, "section \"d\" {\n\t...;\n}"),
        (wrong, "... v"),
    ] {
        assert_eq!(types.declaration(id), text);
    }
}

#[test]
fn circles_of_pointers_and_modifiers() {
    let mut types = Types::new();
    assert_eq!(types.of(POINTER, "", 3), 3);
    assert_eq!(types.of(CONST, "", 4), 4);
    assert_eq!(types.array(5, 1), 5);
    assert_eq!(types.of(TYPEDEF, "t", 6), 6);
    assert_eq!(types.params(7, &[("", 7)]), 7);
    assert_eq!(types.declaration(3), ["... ", &"*".repeat(32)].concat());
    assert_eq!(types.declaration(4), ["const ".repeat(32).as_str(), "..."].concat());
    assert_eq!(types.declaration(5), ["...", &"[1]".repeat(32)].concat());
    assert_eq!(types.declaration(6), "typedef t t");
    let text = types.declaration(7);
    assert!(text.contains("(...)") && text.len() < 32 * 8 * BUDGET, "{}", text.len());
}

#[test]
fn a_struct_in_itself() {
    let mut types = Types::new();
    let named = types.record(STRUCT, "s", 8, &[("a", 3, 0, 0), ("b", 3, 32, 0)]);
    let anonymous = types.record(STRUCT, "", 8, &[("", 4, 0, 0)]);
    assert_eq!((named, anonymous), (3, 4));
    assert_eq!(types.declaration(named), "struct s {\n\tstruct s a;\n\tstruct s b;\n}");
    let text = types.declaration(anonymous);
    assert_eq!(text.matches("struct {\n").count(), 32);
    assert_eq!(text.matches("struct { ... };").count(), 1);
}

/// 2^32 structs, which would be written to the end of time.
#[test]
fn twice_the_same_anonymous_struct_32_deep() {
    let mut types = Types::new();
    let mut inner = INT_ID;
    for _ in 0..32 {
        inner = types.record(STRUCT, "", 8, &[("a", inner, 0, 0), ("b", inner, 0, 0)]);
    }
    let text = types.declaration(inner);
    assert!(text.contains("struct { ... } b;"));
    assert!(text.lines().count() < 3 * BUDGET, "{}", text.lines().count());
}

/// The same in what is only measured.
#[test]
fn twice_the_same_named_struct_32_deep() {
    let mut types = Types::new();
    let mut inner = INT_ID;
    for _ in 0..31 {
        inner = types.record(STRUCT, "s", 8, &[("a", inner, 0, 0), ("b", inner, 0, 0)]);
    }
    let text = types.declaration(inner);
    assert!(text.starts_with("struct s {\n\tstruct s a;\n\tstruct s b;"), "{text}");
}

#[test]
fn functions_in_functions() {
    let mut types = Types::new();
    let mut inner = INT_ID;
    for _ in 0..32 {
        let function = types.params(0, &[("", inner), ("", inner)]);
        inner = types.of(POINTER, "", function);
    }
    let text = types.declaration(inner);
    assert!(text.contains("(...)") && text.len() < 32 * BUDGET, "{}", text.len());
}

#[test]
fn an_enum_again_and_again() {
    let mut types = Types::new();
    let values = types.values("", 4, false, &[("A", 1); 300]);
    let members = [("a", values, 0, 0); 300];
    let id = types.record(UNION, "u", 4, &members);
    let text = types.declaration(id);
    assert!(text.contains("\n\tenum { ... } a;"));
    assert!(text.lines().count() < 2 * BUDGET);
}

#[test]
fn padding_without_end() {
    let mut types = Types::new();
    let id = types.record(STRUCT, "s", u32::MAX, &[("a", CHAR_ID, 0, 0), ("b", CHAR_ID, 0x00ff_fff8, 0)]);
    assert_eq!(types.declaration(id), "struct s {\n\tchar a;\n\t...;\n\tchar b;\n\t...;\n}");
}

/// Members before one another, numbers of no size, arrays of more than there is.
#[test]
fn sizes_that_cannot_be() {
    let mut types = Types::new();
    let nothing = types.int("nothing", 0);
    let three = types.int("three", 3);
    let much = types.array(three, u32::MAX);
    let more = types.array(much, u32::MAX);
    let id = types.record(
        STRUCT,
        "s",
        4,
        &[("d", more, 0, 0), ("a", nothing, 64, 0), ("b", three, 24, 0), ("c", much, 8, 200)],
    );
    let text = types.declaration(id);
    assert!(text.contains("\tthree d[4294967295][4294967295];\n\tlong: 64;\n\tnothing a;"), "{text}");
    assert!(text.contains("\tthree c[4294967295]: 200;"), "{text}");
}
