//! What stands around a name.

use super::*;

/// `text` for `int x` of a type that `make` makes.
#[track_caller]
fn assert_variable(text: &str, make: impl FnOnce(&mut Types) -> u32) {
    let mut types = Types::new();
    let of = make(&mut types);
    let variable = types.of(VAR, "x", of);
    assert_eq!(types.declaration(variable), text);
}

#[test]
fn pointers_and_modifiers() {
    assert_variable("int x", |_| INT_ID);
    assert_variable("void *x", |t| t.of(POINTER, "", 0));
    assert_variable("const void *x", |t| t.around(0, &[CONST, POINTER]));
    assert_variable("const volatile int x", |t| t.around(INT_ID, &[CONST, VOLATILE]));
    assert_variable("int * const *x", |t| t.around(INT_ID, &[POINTER, CONST, POINTER]));
    assert_variable("int * restrict x", |t| t.around(INT_ID, &[POINTER, RESTRICT]));
    assert_variable("const char ** const volatile *x", |t| {
        t.around(CHAR_ID, &[CONST, POINTER, POINTER, CONST, VOLATILE, POINTER])
    });
}

#[test]
fn tags_are_behind_what_they_are_on() {
    assert_variable("const int __attribute__((btf_type_tag(\"user\"))) *x", |t| {
        let constant = t.of(CONST, "", INT_ID);
        let tagged = t.of(TYPE_TAG, "user", constant);
        t.of(POINTER, "", tagged)
    });
    let mut types = Types::new();
    let tag = types.of(DECL_TAG, "bpf_kfunc", INT_ID);
    assert_eq!(types.declaration(tag), "__attribute__((btf_decl_tag(\"bpf_kfunc\")))");
}

#[test]
fn arrays() {
    assert_variable("int x[3]", |t| t.array(INT_ID, 3));
    assert_variable("int x[2][3]", |t| {
        let row = t.array(INT_ID, 3);
        t.array(row, 2)
    });
    assert_variable("int *x[3]", |t| {
        let pointer = t.of(POINTER, "", INT_ID);
        t.array(pointer, 3)
    });
    assert_variable("int (*x)[3]", |t| {
        let array = t.array(INT_ID, 3);
        t.of(POINTER, "", array)
    });
    assert_variable("int (* const (*x)[2])[3][4]", |t| {
        let row = t.array(INT_ID, 4);
        let rows = t.array(row, 3);
        let constant = t.around(rows, &[POINTER, CONST]);
        let pair = t.array(constant, 2);
        t.of(POINTER, "", pair)
    });
    // gcc says so of an array whose elements are.
    assert_variable("const int x[2][3]", |t| {
        let element = t.of(CONST, "", INT_ID);
        let row = t.array(element, 3);
        let constant = t.of(CONST, "", row);
        let rows = t.array(constant, 2);
        t.of(CONST, "", rows)
    });
}

#[test]
fn functions() {
    assert_variable("void (*x)(void)", |t| {
        let function = t.params(0, &[]);
        t.of(POINTER, "", function)
    });
    // So clang has it for BPF.
    assert_variable("void (*x)(void)", |t| {
        let function = t.params(0, &[("", 0)]);
        t.of(POINTER, "", function)
    });
    assert_variable("char * (*x)(int a, char, ...)", |t| {
        let result = t.of(POINTER, "", CHAR_ID);
        let function = t.params(result, &[("a", INT_ID), ("", CHAR_ID), ("", 0)]);
        t.of(POINTER, "", function)
    });
    assert_variable("int (*x[4])(void)", |t| {
        let function = t.params(INT_ID, &[]);
        let pointer = t.of(POINTER, "", function);
        t.array(pointer, 4)
    });
    assert_variable("int (* (*x)(char))[2]", |t| {
        let pair = t.array(INT_ID, 2);
        let result = t.of(POINTER, "", pair);
        let function = t.params(result, &[("", CHAR_ID)]);
        t.of(POINTER, "", function)
    });
    assert_variable("void (*x)(void (*done)(int, void (*)(char)), int)", |t| {
        let innermost = t.params(0, &[("", CHAR_ID)]);
        let innermost = t.of(POINTER, "", innermost);
        let inner = t.params(0, &[("", INT_ID), ("", innermost)]);
        let inner = t.of(POINTER, "", inner);
        let function = t.params(0, &[("done", inner), ("", INT_ID)]);
        t.of(POINTER, "", function)
    });
    // gcc says so of what does not return.
    assert_variable("void (*x)(int)", |t| {
        let function = t.params(0, &[("", INT_ID)]);
        t.around(function, &[VOLATILE, POINTER])
    });
    let mut types = Types::new();
    let callback = types.params(0, &[("signal", INT_ID)]);
    let callback = types.of(POINTER, "", callback);
    let function = types.params(callback, &[("signal", INT_ID), ("handler", callback)]);
    let function = types.of(FUNC, "signal", function);
    let text = "void (*signal(int signal, void (*handler)(int signal)))(int signal)";
    assert_eq!(types.declaration(function), text);
}

#[test]
fn types_without_a_name_of_their_own() {
    let mut types = Types::new();
    let pointer = types.around(CHAR_ID, &[CONST, POINTER]);
    let array = types.array(INT_ID, 4);
    let function = types.params(0, &[("a", INT_ID), ("b", pointer)]);
    let float = types.push(FLOAT, "double", 0, 8, &[]);
    let forward = types.push(FORWARD, "later", 0, 0, &[]);
    let union = types.push(FORWARD, "later", 1 << 31, 0, &[]);
    let constant = types.of(CONST, "", forward);
    for (id, text) in [
        (0, "void"),
        (INT_ID, "int"),
        (pointer, "const char *"),
        (array, "int[4]"),
        (function, "void(int a, const char *b)"),
        (float, "double"),
        (forward, "struct later"),
        (union, "union later"),
        (constant, "const struct later"),
    ] {
        assert_eq!(types.declaration(id), text);
    }
}

#[test]
fn typedefs() {
    let mut types = Types::new();
    let plain = types.of(TYPEDEF, "number", INT_ID);
    let again = types.of(TYPEDEF, "again", plain);
    let array = types.array(again, 2);
    let array = types.of(TYPEDEF, "pair", array);
    let function = types.params(plain, &[("", array)]);
    let direct = types.of(TYPEDEF, "function", function);
    let pointer = types.of(POINTER, "", function);
    let pointer = types.of(TYPEDEF, "pointer", pointer);
    let record = types.record(STRUCT, "", 4, &[("counter", INT_ID, 0, 0)]);
    let record = types.of(TYPEDEF, "atomic_t", record);
    let values = types.values("", 4, false, &[("NO", 0), ("YES", 1)]);
    let values = types.of(TYPEDEF, "answer", values);
    for (id, text) in [
        (plain, "typedef int number"),
        (again, "typedef number again"),
        (array, "typedef again pair[2]"),
        (direct, "typedef number function(pair)"),
        (pointer, "typedef number (*pointer)(pair)"),
        (record, "typedef struct {\n\tint counter;\n} atomic_t"),
        (values, "typedef enum {\n\tNO = 0,\n\tYES = 1,\n} answer"),
    ] {
        assert_eq!(types.declaration(id), text);
    }
}

#[test]
fn a_name_that_is_not_text() {
    let mut types = Types::new();
    let name = types.name(b"caf\xe9_\xff");
    types.records.extend_from_slice(&[name, TYPEDEF << 24, INT_ID]);
    assert_eq!(types.declaration(3), "typedef int caf\u{fffd}_\u{fffd}");
}

/// What the formatter is asked to do with the whole does not reach the numbers in it.
#[test]
fn widths_do_not_matter() {
    let mut types = Types::new();
    types.array(INT_ID, 3);
    let bytes = types.bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let declaration = btf.type_by_id(TypeId(3)).expect("is there").declaration();
    assert_eq!(std::format!("{declaration:+#020.1}"), "int[3]");
}
