//! Mangled names as a person types them.

use std::fmt::{self, Write};

use kallsyms_core::image::layout::MAX_NAME;

/// A mangled name is not looked at beyond this length: real ones have a few thousand bytes.
const MAX_MANGLED: usize = 1 << 16;

/// A demangled name is given up beyond so many bytes, and so many for each byte of the mangled one: names that
/// refer back to their own parts grow without bound.
const MOST: usize = 4096;
const MOST_FOR_EACH: usize = 64;

/// What `rustc_demangle` writes in the place of what it refuses to print.
const REFUSALS: [&str; 3] = ["{size limit reached}", "{recursion limit reached}", "{invalid syntax}"];

/// The name without its mangling, or `None` if it has none or is not worth believing.
///
/// Both Rust manglings, without their hash, and C++. A `.llvm.` suffix, which only tells copies of a local
/// symbol apart, is dropped; every other suffix (`.cold`, `.isra.0`) stays behind the name. Time and stack
/// are bounded for hostile names.
#[must_use]
pub fn demangle(name: &[u8]) -> Option<String> {
    if !name.starts_with(b"_Z") && !name.starts_with(b"_R") || name.len() > MAX_MANGLED {
        return None;
    }
    let name = str::from_utf8(name).ok().filter(|name| name.is_ascii())?;
    let name = without_llvm_suffix(name);
    let demangled = if is_rust(&name) { rust(&name) } else { cpp(&name).or_else(|| rust(&name)) };
    demangled.filter(|name| !name.is_empty() && !name.contains(['\0', '\n']))
}

/// Drops `.llvm.` and the digits behind it, wherever they stand.
fn without_llvm_suffix(name: &str) -> std::borrow::Cow<'_, str> {
    const LLVM: &str = ".llvm.";
    let Some(at) = name.find(LLVM) else { return name.into() };
    let rest = &name[at + LLVM.len()..];
    let digits = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'@').count();
    if digits == 0 {
        return name.into();
    }
    format!("{}{}", &name[..at], &rest[digits..]).into()
}

/// Whether a name is Rust's for certain: v0, or legacy with its hash. C++ nests its names in the same way.
fn is_rust(name: &str) -> bool {
    let ends_in_hash = |part: &str| {
        let path = part.strip_suffix('E').and_then(|path| path.split_at_checked(path.len().checked_sub(16)?));
        path.is_some_and(|(path, hash)| {
            path.ends_with("17h") && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    name.starts_with("_R") || name.split('.').any(ends_in_hash)
}

fn rust(name: &str) -> Option<String> {
    let demangled = rustc_demangle::try_demangle(name).ok()?;
    let mut text = Bounded::of(name);
    write!(text, "{demangled:#}").ok()?;
    Some(text.text).filter(|text| !REFUSALS.iter().any(|refusal| text.contains(refusal)))
}

fn cpp(name: &str) -> Option<String> {
    let (mangled, suffix) = name.split_at(name.find('.').unwrap_or(name.len()));
    let symbol = cpp_demangle::Symbol::new(mangled).ok()?;
    let mut text = Bounded::of(name);
    symbol.structured_demangle(&mut text, &cpp_demangle::DemangleOptions::new()).ok()?;
    text.write_str(suffix).ok()?;
    Some(text.text)
}

/// A string that refuses to grow past what is worth believing, and what an image holds.
struct Bounded {
    text: String,
    most: usize,
}

impl Bounded {
    /// Room for the demangled form of a name.
    fn of(mangled: &str) -> Self {
        Self { text: String::new(), most: (MOST + MOST_FOR_EACH * mangled.len()).min(MAX_NAME) }
    }
}

impl Write for Bounded {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if self.text.len() + piece.len() > self.most {
            return Err(fmt::Error);
        }
        self.text.push_str(piece);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> Option<String> {
        demangle(name.as_bytes())
    }

    #[test]
    fn rust_legacy_without_hash() {
        let name = "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE";
        assert_eq!(text(name).as_deref(), Some("core::fmt::Formatter::pad"));
        let name = "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE";
        assert_eq!(text(name).as_deref(), Some("<Test + 'static as foo::Bar<Test>>::bar"));
    }

    #[test]
    fn rust_v0_without_disambiguators() {
        assert_eq!(
            text("_RNvCskwGfYPst2Cb_3foo16example_function").as_deref(),
            Some("foo::example_function")
        );
        let name = "_RNvMsr_NtCs3ssYzQotkvD_3std4pathNtB5_7PathBuf3new";
        assert_eq!(text(name).as_deref(), Some("<std::path::PathBuf>::new"));
        assert_eq!(text("_RNCNvCs1234_7mycrate4main0").as_deref(), Some("mycrate::main::{closure#0}"));
    }

    #[test]
    fn cpp_names() {
        assert_eq!(text("_ZN5space3fooEibc").as_deref(), Some("space::foo(int, bool, char)"));
        assert_eq!(text("_Z1fv").as_deref(), Some("f()"));
        assert_eq!(text("_ZN12_GLOBAL__N_14dataE").as_deref(), Some("(anonymous namespace)::data"));
        assert_eq!(text("_ZN3foo3barE").as_deref(), Some("foo::bar"));
        assert_eq!(text("_Z1fv.isra.0").as_deref(), Some("f().isra.0"));
        assert_eq!(text("_ZN3foo3barEv.cold").as_deref(), Some("foo::bar().cold"));
    }

    /// Field report 21: strip, then demangle. Field report 20: `.cold` stays.
    #[test]
    fn llvm_suffix_goes_and_others_stay() {
        let legacy = "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE";
        let plain = "core::fmt::Formatter::pad";
        assert_eq!(text(&format!("{legacy}.llvm.9287364")).as_deref(), Some(plain));
        assert_eq!(text(&format!("{legacy}.llvm.0A1b2C")).as_deref(), Some(plain));
        assert_eq!(text(&format!("{legacy}.cold")).as_deref(), Some("core::fmt::Formatter::pad.cold"));
        assert_eq!(
            text(&format!("{legacy}.cold.llvm.12")).as_deref(),
            Some("core::fmt::Formatter::pad.cold")
        );
        assert_eq!(
            text(&format!("{legacy}.llvm.12.cold")).as_deref(),
            Some("core::fmt::Formatter::pad.cold")
        );
        assert_eq!(text("_RNvCs1234_3foo3bar.llvm.77").as_deref(), Some("foo::bar"));
        assert_eq!(text("_Z1fv.llvm.77").as_deref(), Some("f()"));
    }

    #[test]
    fn plain_names_are_left_alone() {
        for name in
            ["main", "_start", "__pfx_foo", "foo.llvm.123", "_Zebra", "_Rust_is_fun", "R_foo", "", "_Z", "_R"]
        {
            assert_eq!(text(name), None, "{name}");
        }
        assert_eq!(demangle(b"_ZN3foo\xff3barE"), None);
    }

    /// Field report 22: nothing overflows the stack, nothing grows without bound.
    #[test]
    fn hostile_names_are_bounded() {
        let deep = 20_000;
        let hostile = [
            format!("_R{}", "Y".repeat(deep)),
            format!("_RMC0{}", "R".repeat(deep)),
            format!("_RNvC1a{}", "I".repeat(deep)),
            "_RNvB_1a".into(),
            "_RYFG_FGyyEvRYFF_EvRYFFEvERLB_B_B_ERLRjB_B_B_".into(),
            format!("_Z1f{}v", "P".repeat(deep)),
            format!("_Z1f{}i{}", "N1aI".repeat(deep), "EE".repeat(deep)),
            format!("_Z{}", "N".repeat(deep)),
            format!("_ZN{}E", "1aI".repeat(deep)),
            format!("_Z1fI{}Evv", "J".repeat(deep)),
            format!("_ZN{}E", "1a".repeat(deep)),
            format!("_Z1f{}", doubling(40)),
            "_Z".repeat(deep),
            format!("_ZN{}E", "9".repeat(deep)),
        ];
        for name in hostile {
            let text = text(&name);
            assert!(text.is_none_or(|text| text.len() <= MAX_NAME), "{}", &name[..8]);
        }
        assert_eq!(demangle(&[&b"_Z"[..], &vec![b'P'; 2 << 20]].concat()), None);
    }

    /// Parameters of which each is a pair of the one before: the text doubles with each.
    fn doubling(steps: usize) -> String {
        let mut name = String::from("1aIiiE");
        for step in 0..steps {
            let last = if step == 0 { "S0_".into() } else { format!("S{}_", base36(step)) };
            name += &format!("1aI{last}{last}E");
        }
        name
    }

    fn base36(number: usize) -> String {
        let digit = |value: usize| char::from(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % 36]);
        if number < 36 { digit(number).into() } else { format!("{}{}", base36(number / 36), digit(number)) }
    }

    #[test]
    fn longest_text_is_kept_mangled_above_its_bound() {
        for (len, most) in [(0, MOST), (100, MOST + 6400), (MAX_MANGLED, MAX_NAME)] {
            let mut text = Bounded::of(&"n".repeat(len));
            assert!(text.write_str(&"x".repeat(most)).is_ok());
            assert!(text.write_str("x").is_err());
        }
    }

    /// Each type is a pair of the one before: 2^n of them.
    #[test]
    fn a_name_that_doubles_and_doubles_is_kept_mangled() {
        let base62 = |number: usize| match number.checked_sub(1) {
            None => "_".to_owned(),
            Some(number) => {
                let digits = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
                let (high, low) = (number / 62, char::from(digits[number % 62]));
                if high == 0 { format!("{low}_") } else { format!("{}{low}_", char::from(digits[high])) }
            }
        };
        let doubled = |levels: usize| {
            let (mut name, mut last) = (String::from("_RINvC1a1f"), "u".to_owned());
            for _ in 0..levels {
                // Places are counted behind the `_R`.
                let place = name.len() - 2;
                name += &format!("T{last}{last}E");
                last = format!("B{}", base62(place));
            }
            name + "E"
        };
        assert_eq!(text(&doubled(2)).as_deref(), Some("a::f::<((), ()), (((), ()), ((), ()))>"));
        assert_eq!(text(&doubled(30)), None);
    }
}
