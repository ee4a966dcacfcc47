// SPDX-License-Identifier: Apache-2.0
//! Compiles the library as `units.txt` says, without `CMake`, or finds an installed one.
#![cfg_attr(feature = "system", allow(dead_code, unused_imports))] // nothing is compiled then

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A row of registry.def: `AIOLI_SET(IDENTIFIER, "name", family, round, scheme, parameters)`.
struct Set {
    row: String,
    family: String,
    round: u32,
    parameters: String,
}

fn sets(registry: &str) -> Vec<Set> {
    let rows = registry.lines().filter(|line| line.starts_with("AIOLI_SET("));
    rows.map(|row| {
        let inside = row.trim_start_matches("AIOLI_SET(").trim_end_matches(')');
        let fields: Vec<&str> = inside.split(", ").collect();
        let [_, _, family, round, _, parameters] = fields[..] else { panic!("registry.def: {row}") };
        let round = round.parse().unwrap_or_else(|_| panic!("registry.def: {row}"));
        Set { row: row.into(), family: family.into(), round, parameters: parameters.into() }
    })
    .collect()
}

/// A row of units.txt: one call of the compiler.
struct Unit<'a> {
    group: &'a str,
    source: &'a str,
    flags: Vec<&'a str>,
}

fn units(table: &str) -> Vec<Unit<'_>> {
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let mut words = line.split(' ');
        let (Some(group), Some(source)) = (words.next(), words.next()) else { panic!("units.txt: {line}") };
        Unit { group, source, flags: words.collect() }
    })
    .collect()
}

/// Flags of x86 are for x86; a definition is one for every compiler; the rest is taken where the compiler knows it.
fn add_flags(build: &mut cc::Build, flags: &[&str], x86: bool) {
    for flag in flags {
        if let Some(definition) = flag.strip_prefix("-D") {
            if x86 || !matches!(definition, "AIOLI_WITH_X86" | "AIOLI_SHARED_KERNELS") {
                let (name, value) = definition.split_once('=').map_or((definition, None), |(n, v)| (n, Some(v)));
                build.define(name, value);
            }
        } else if flag.starts_with("-m") {
            build.flag(flag);
        } else {
            build.flag_if_supported(flag);
        }
    }
}

fn compile(here: &Path, out: &Path) {
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let x86 = target("ARCH") == "x86_64";
    let source = here.join("library/src");
    let include = here.join("library/include");

    let registry = fs::read_to_string(source.join("abi/registry.def")).expect("library/src/abi/registry.def");
    let chosen: Vec<Set> = sets(&registry)
        .into_iter()
        .filter(|set| set.family == "mayo" || env::var_os("CARGO_FEATURE_UOV").is_some())
        .filter(|set| set.round == 3 || env::var_os("CARGO_FEATURE_EARLIER_ROUNDS").is_some())
        .collect();
    // A registry with the chosen rows alone, found before the whole one; and for each parameters a source with their rows.
    let sets_folder = out.join("sets/abi");
    fs::create_dir_all(&sets_folder).expect("OUT_DIR");
    let rows: Vec<&str> = chosen.iter().map(|set| set.row.as_str()).collect();
    fs::write(sets_folder.join("registry.def"), rows.join("\n") + "\n").expect("OUT_DIR");
    let mut rows_of: BTreeMap<&str, String> = BTreeMap::new();
    for set in &chosen {
        let rows = rows_of.entry(&set.parameters).or_default();
        rows.push(' ');
        rows.push_str(&set.row);
    }
    for (parameters, rows) in &rows_of {
        let text = format!("#define AIOLI_INSTANCES{rows}\n#include \"abi/instance.cpp\"\n");
        fs::write(out.join(format!("{parameters}.cpp")), text).expect("OUT_DIR");
    }

    let table = fs::read_to_string(here.join("units.txt")).expect("units.txt");
    let all = units(&table);
    let mut base = cc::Build::new();
    base.cpp(true).cpp_link_stdlib(None).std("c++20").warnings(false).pic(true);
    base.include(out.join("sets")).include(&source).include(&include);
    if env::var("OPT_LEVEL").is_ok_and(|level| level != "0" && level != "1") || env::var("DEBUG").is_ok() {
        base.opt_level(3).debug(false); // the speed of debug builds is that of Rust's part alone
    }
    if target("OS") == "none" {
        base.define("AIOLI_FREESTANDING", None);
    }
    if !x86 {
        base.define("AIOLI_WITHOUT_NEON", None); // units.txt has the backends of x86-64, and the portable one
    }
    add_flags(&mut base, &all[0].flags, x86);

    // Units with the same flags are one call of cc.
    let mut calls: BTreeMap<(&str, &[&str]), Vec<PathBuf>> = BTreeMap::new();
    for unit in &all[1..] {
        if !x86 && (unit.source == "abi/aes.cpp" || !matches!(unit.group, "baseline" | "portable")) {
            continue;
        }
        let file = match unit.source.strip_prefix("instance:") {
            Some(parameters) if rows_of.contains_key(parameters) => out.join(format!("{parameters}.cpp")),
            Some(_) => continue,
            None => source.join(unit.source),
        };
        calls.entry((unit.group, &unit.flags)).or_default().push(file);
    }
    let mut library = cc::Build::new();
    library.cpp(true).cpp_link_stdlib(None);
    for (number, ((group, flags), files)) in calls.iter().enumerate() {
        let mut build = base.clone();
        add_flags(&mut build, flags, x86);
        let objects = build.out_dir(out.join(format!("{group}-{number}"))).files(files).compile_intermediates();
        library.objects(objects);
    }
    library.compile("aioli");
    if target("OS") == "windows" {
        println!("cargo::rustc-link-lib=bcrypt"); // BCryptGenRandom
    }
    println!("cargo::metadata=include={}", include.display());
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=units.txt");
    println!("cargo::rerun-if-changed=library/src");
    println!("cargo::rerun-if-changed=library/include");
    #[cfg(feature = "system")]
    {
        if let Err(error) = pkg_config::Config::new().atleast_version(env!("CARGO_PKG_VERSION")).probe("aioli") {
            panic!("feature \"system\": pkg-config finds no libaioli: {error}");
        }
    }
    #[cfg(not(feature = "system"))]
    {
        let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
        compile(&here, &PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")));
    }
}
