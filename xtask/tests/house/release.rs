//! How the program is built for shipping: sums that are too large stop it, and its folders stay private.

use crate::repository::{files, none};
use toml::Table;

fn manifest() -> Table {
    let file = files().iter().find(|file| file.path == "Cargo.toml");
    file.and_then(|file| file.text.parse().ok()).unwrap_or_default()
}

/// Returns every profile that a release is built with and that does not check sums.
fn unchecked(manifest: &Table) -> Vec<String> {
    let mut offenses = Vec::new();
    let release = manifest.get("profile").and_then(|profiles| profiles.get("release"));
    if release.and_then(|release| release.get("overflow-checks")).and_then(toml::Value::as_bool) != Some(true) {
        offenses.push("Cargo.toml:1: [profile.release] must have overflow-checks = true".to_owned());
    }
    let packages = release.and_then(|release| release.get("package")).and_then(toml::Value::as_table);
    for (package, settings) in packages.into_iter().flatten() {
        if settings.get("overflow-checks").and_then(toml::Value::as_bool) == Some(false) {
            offenses
                .push(format!("Cargo.toml:1: [profile.release.package.{package}] must not turn overflow-checks off"));
        }
    }
    offenses
}

#[test]
fn a_release_stops_at_a_sum_that_is_too_large() {
    none(unchecked(&manifest()));
    let of = |text: &str| unchecked(&text.parse().unwrap()).len();
    assert_eq!(of("[profile.release]\nlto = true"), 1);
    assert_eq!(of("[profile.release]\noverflow-checks = false"), 1);
    assert_eq!(
        of("[profile.release]\noverflow-checks = true\n[profile.release.package.a]\noverflow-checks = false"),
        1
    );
    assert_eq!(of("[profile.release]\noverflow-checks = true\n[profile.release.package.a]\nopt-level = 3"), 0);
}

/// The image is built by the chore that removes the paths.
#[test]
fn the_image_has_the_program_that_is_shipped() {
    let file = files().iter().find(|file| file.path == "deploy/Containerfile").unwrap();
    let builds: Vec<&str> =
        file.text.lines().filter(|line| line.starts_with("RUN") && line.contains("cargo")).collect();
    assert_eq!(builds, ["RUN cargo xtask release"]);
}
