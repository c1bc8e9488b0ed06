//! Structs, unions, enums and sections.

use super::*;

#[track_caller]
fn assert_record(text: &str, kind: u32, size: u32, members: &[(&str, u32, u32, u32)]) {
    let mut types = Types::new();
    let id = types.record(kind, "s", size, members);
    assert_eq!(types.declaration(id), text);
}

#[test]
fn members() {
    assert_record("struct s {}", STRUCT, 0, &[]);
    assert_record("union s {}", UNION, 0, &[]);
    assert_record(
        "struct s {\n\tint a;\n\tchar b;\n}",
        STRUCT,
        8,
        &[("a", INT_ID, 0, 0), ("b", CHAR_ID, 32, 0)],
    );
    assert_record(
        "union s {\n\tint a;\n\tchar b;\n}",
        UNION,
        4,
        &[("a", INT_ID, 0, 0), ("b", CHAR_ID, 0, 0)],
    );
}

#[test]
fn what_is_inside_is_further_to_the_right() {
    let mut types = Types::new();
    let empty = types.record(STRUCT, "", 0, &[]);
    let bits = types.record(STRUCT, "", 4, &[("low", INT_ID, 0, 3), ("high", INT_ID, 3, 29)]);
    let values = types.values("", 4, true, &[("MINUS", u32::MAX), ("PLUS", 1)]);
    let union =
        types.record(UNION, "", 4, &[("", bits, 0, 0), ("sign", values, 0, 0), ("none", empty, 0, 0)]);
    let array = types.array(union, 2);
    let argument = types.record(STRUCT, "", 1, &[("c", CHAR_ID, 0, 0)]);
    let argument = types.of(POINTER, "", argument);
    let function = types.params(0, &[("argument", argument)]);
    let pointer = types.around(function, &[POINTER, CONST]);
    let id = types.record(STRUCT, "s", 16, &[("both", array, 0, 0), ("call", pointer, 64, 0)]);
    let text = "\
struct s {
	union {
		struct {
			int low: 3;
			int high: 29;
		};
		enum {
			MINUS = -1,
			PLUS = 1,
		} sign;
		struct {} none;
	} both[2];
	void (* const call)(struct {
		char c;
	} *argument);
}";
    assert_eq!(types.declaration(id), text);
}

#[test]
fn modifiers_are_before_what_is_inside() {
    let mut types = Types::new();
    let inner = types.record(STRUCT, "", 4, &[("a", INT_ID, 0, 0)]);
    let inner = types.around(inner, &[CONST, POINTER]);
    let id = types.record(UNION, "u", 8, &[("p", inner, 0, 0)]);
    assert_eq!(types.declaration(id), "union u {\n\tconst struct {\n\t\tint a;\n\t} *p;\n}");
}

#[test]
fn enums() {
    let mut types = Types::new();
    let unsigned = types.values("u", 4, false, &[("A", 0), ("B", u32::MAX)]);
    let signed = types.values("s", 4, true, &[("C", u32::MAX), ("D", i32::MIN as u32), ("E", 7)]);
    let byte = types.values("byte", 1, false, &[("F", 1)]);
    let wide = types.values64("wide", false, &[("G", 1 << 40), ("H", u64::MAX)]);
    let signed_wide = types.values64("signed_wide", true, &[("I", u64::MAX), ("J", i64::MIN as u64)]);
    let declared = types.values("declared", 4, false, &[]);
    let none = types.values("", 4, false, &[("K", 2)]);
    for (id, text) in [
        (unsigned, "enum u {\n\tA = 0,\n\tB = 4294967295,\n}"),
        (signed, "enum s {\n\tC = -1,\n\tD = -2147483648,\n\tE = 7,\n}"),
        (byte, "enum byte {\n\tF = 1,\n}"),
        (wide, "enum wide {\n\tG = 1099511627776ULL,\n\tH = 18446744073709551615ULL,\n}"),
        (signed_wide, "enum signed_wide {\n\tI = -1LL,\n\tJ = -9223372036854775808LL,\n}"),
        (declared, "enum declared"),
        (none, "enum {\n\tK = 2,\n}"),
    ] {
        assert_eq!(types.declaration(id), text);
    }
}

#[test]
fn packed_is_what_is_not_where_a_compiler_puts_it() {
    let ends = "} __attribute__((packed))";
    assert_record(
        &["struct s {\n\tchar a;\n\tint b;\n", ends].concat(),
        STRUCT,
        5,
        &[("a", CHAR_ID, 0, 0), ("b", INT_ID, 8, 0)],
    );
    assert_record(
        &["struct s {\n\tint a;\n\tchar b;\n", ends].concat(),
        STRUCT,
        5,
        &[("a", INT_ID, 0, 0), ("b", CHAR_ID, 32, 0)],
    );
    // A struct with a packed one inside is not packed itself.
    let mut types = Types::new();
    let inner = types.record(STRUCT, "inner", 5, &[("a", CHAR_ID, 0, 0), ("b", INT_ID, 8, 0)]);
    let id = types.record(STRUCT, "s", 6, &[("c", CHAR_ID, 0, 0), ("inner", inner, 8, 0)]);
    assert_eq!(types.declaration(id), "struct s {\n\tchar c;\n\tstruct inner inner;\n}");
}

#[test]
fn padding_where_the_compiler_makes_none() {
    // A bit field's end, up to a member that is further on than it would be.
    assert_record(
        "struct s {\n\tint a: 3;\n\tchar: 5;\n\tint b: 8;\n}",
        STRUCT,
        4,
        &[("a", INT_ID, 0, 3), ("b", INT_ID, 8, 8)],
    );
    assert_record(
        "struct s {\n\tchar a;\n\tlong: 0;\n\tint b;\n\tlong: 0;\n}",
        STRUCT,
        16,
        &[("a", CHAR_ID, 0, 0), ("b", INT_ID, 64, 0)],
    );
    // Aligned to 64 bytes.
    let sevens = "\n\tlong: 64;".repeat(7);
    let text = ["struct s {\n\tchar a;", &sevens, "\n\tchar b;", &sevens, "\n}"].concat();
    assert_record(&text, STRUCT, 128, &[("a", CHAR_ID, 0, 0), ("b", CHAR_ID, 512, 0)]);
    assert_record("struct s {\n\tchar a;\n\tint: 0;\n}", STRUCT, 4, &[("a", CHAR_ID, 0, 0)]);
}

#[test]
fn sections() {
    let mut types = Types::new();
    let count = types.of(VAR, "count", INT_ID);
    let array = types.array(CHAR_ID, 8);
    let name = types.of(VAR, "name", array);
    let function = types.params(0, &[]);
    let function = types.of(FUNC, "function", function);
    let section =
        types.push(DATASEC, ".data", 4, 12, &[count, 0, 4, name, 4, 8, function, 0, 0, INT_ID, 0, 4]);
    let text = "section \".data\" {\n\tint count;\n\tchar name[8];\n\tvoid function(void);\n\tint;\n}";
    assert_eq!(types.declaration(section), text);
}
