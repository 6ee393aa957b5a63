//! The bill of materials: every crate and every package of the web page that is in the program, as CycloneDX JSON. The same sources always make the
//! same bill, so it has no time and no random number.

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The system that the program is shipped for.
pub(crate) const PLATFORM: &str = "x86_64-unknown-linux-gnu";
/// The program.
const PROGRAM: &str = "boxperson";
/// The packages whose code or fonts are in the page.
const PAGE: [&str; 4] =
    ["@fontsource-variable/inter", "@fontsource/roboto-condensed", "@fontsource/roboto-slab", "svelte"];

/// What the bill is made from.
pub(crate) struct Sources {
    /// What `cargo metadata` prints.
    pub(crate) metadata: String,
    /// `Cargo.lock`, which has the hashes of crates.
    pub(crate) crates: String,
    /// `web/package-lock.json`.
    pub(crate) packages: String,
}

/// Makes the bill. The error says what is missing.
pub(crate) fn made(sources: &Sources) -> Result<String, String> {
    let metadata: Value =
        serde_json::from_str(&sources.metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages: Value =
        serde_json::from_str(&sources.packages).map_err(|error| format!("package-lock.json: {error}"))?;
    let mut bill = Bill::default();
    let program = bill.crates(&metadata, &hashes(&sources.crates)?)?;
    let page = bill.page(&packages)?;
    bill.depends.entry(program.clone()).or_default().extend(page);
    let main = bill.components.remove(&program).ok_or("the program is not among its crates")?;
    let depends: Vec<Value> =
        bill.depends.iter().map(|(one, others)| json!({ "ref": one, "dependsOn": others })).collect();
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": main },
        "components": bill.components.values().collect::<Vec<_>>(),
        "dependencies": depends,
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// Components and what they depend on, by their references.
#[derive(Default)]
struct Bill {
    components: BTreeMap<String, Value>,
    depends: BTreeMap<String, BTreeSet<String>>,
}

impl Bill {
    /// Adds the program and every crate that is linked into it or runs to compile it. Returns the reference of the program.
    fn crates(&mut self, metadata: &Value, hashes: &BTreeMap<(String, String), String>) -> Result<String, String> {
        let by_id: BTreeMap<&str, &Value> =
            list(&metadata["packages"]).filter_map(|one| Some((text(&one["id"])?, one))).collect();
        let nodes: BTreeMap<&str, &Value> =
            list(&metadata["resolve"]["nodes"]).filter_map(|node| Some((text(&node["id"])?, node))).collect();
        let program = by_id.iter().find(|(_, one)| one["name"] == PROGRAM).map(|(id, _)| *id);
        let program = program.ok_or("cargo metadata: there is no package boxperson")?;
        let mut waiting = vec![program];
        while let Some(id) = waiting.pop() {
            let one = by_id.get(id).ok_or_else(|| format!("cargo metadata: {id} is missing"))?;
            let (name, version) = (text(&one["name"]).unwrap_or_default(), text(&one["version"]).unwrap_or_default());
            let reference = crate_of(one);
            if self.components.contains_key(&reference) {
                continue;
            }
            let license = text(&one["license"]).ok_or_else(|| format!("{name} {version} names no license"))?;
            let hash = hashes.get(&(name.to_owned(), version.to_owned()));
            if hash.is_none() && text(&one["source"]).is_some() {
                return Err(format!("Cargo.lock has no hash of {name} {version}"));
            }
            let kind = if id == program { "application" } else { "library" };
            let hash = hash.map(|hash| ("SHA-256", hash.clone()));
            self.add(&reference, kind, name, version, &spdx(license), hash);
            // What only tests use is not in the program.
            let is_in = |dep: &&Value| list(&dep["dep_kinds"]).any(|kind| kind["kind"] != "dev");
            let deps = nodes.get(id).into_iter().flat_map(|node| list(&node["deps"])).filter(is_in);
            for dep in deps.filter_map(|dep| text(&dep["pkg"])) {
                let other = by_id.get(dep).ok_or_else(|| format!("cargo metadata: {dep} is missing"))?;
                self.depends.entry(reference.clone()).or_default().insert(crate_of(other));
                waiting.push(dep);
            }
        }
        Ok(by_id.get(program).map(|one| crate_of(one)).unwrap_or_default())
    }

    /// Adds the packages of the page and what they depend on. Returns the references of the packages of the page.
    fn page(&mut self, lock: &Value) -> Result<Vec<String>, String> {
        let mut waiting: Vec<String> = PAGE.map(str::to_owned).to_vec();
        let mut page = Vec::new();
        while let Some(name) = waiting.pop() {
            let one = &lock["packages"][format!("node_modules/{name}")];
            let missing = |what: &str| format!("package-lock.json has no {what} of {name}");
            let version = text(&one["version"]).ok_or_else(|| missing("version"))?;
            let reference = package(&name, version);
            if PAGE.contains(&name.as_str()) {
                page.push(reference.clone());
            }
            if self.components.contains_key(&reference) {
                continue;
            }
            let license = text(&one["license"]).ok_or_else(|| missing("license"))?;
            let hash = text(&one["integrity"]).and_then(|hash| hash.strip_prefix("sha512-")).and_then(from_base64);
            let hash = hash.ok_or_else(|| missing("hash"))?;
            self.add(&reference, "library", &name, version, license, Some(("SHA-512", hash)));
            for other in one["dependencies"].as_object().into_iter().flat_map(Map::keys) {
                let version = text(&lock["packages"][format!("node_modules/{other}")]["version"]);
                let version = version.ok_or_else(|| format!("package-lock.json has no version of {other}"))?;
                self.depends.entry(reference.clone()).or_default().insert(package(other, version));
                waiting.push(other.clone());
            }
        }
        Ok(page)
    }

    fn add(
        &mut self,
        reference: &str,
        kind: &str,
        name: &str,
        version: &str,
        license: &str,
        hash: Option<(&str, String)>,
    ) {
        let mut component = json!({
            "type": kind, "bom-ref": reference, "name": name, "version": version,
            "licenses": [{ "expression": license }], "purl": reference,
        });
        if let Some((kind, hash)) = hash {
            component["hashes"] = json!([{ "alg": kind, "content": hash }]);
        }
        self.components.insert(reference.to_owned(), component);
        self.depends.entry(reference.to_owned()).or_default();
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

/// Returns the package URL of a crate.
fn crate_of(one: &Value) -> String {
    let field = |name: &str| text(&one[name]).unwrap_or_default();
    format!("pkg:cargo/{}@{}", field("name"), field("version").replace('+', "%2B"))
}

/// Returns the package URL of a package of the page.
fn package(name: &str, version: &str) -> String {
    format!("pkg:npm/{}@{version}", name.replace('@', "%40"))
}

/// Old crates write a slash for `OR`.
fn spdx(license: &str) -> String {
    license.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
}

/// Reads the hashes of crates, by name and version.
fn hashes(lock: &str) -> Result<BTreeMap<(String, String), String>, String> {
    let lock: toml::Table = lock.parse().map_err(|error| format!("Cargo.lock: {error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let read = |one: &toml::Value| {
        let field = |name: &str| one.get(name)?.as_str().map(str::to_owned);
        Some(((field("name")?, field("version")?), field("checksum")?))
    };
    Ok(packages.filter_map(read).collect())
}

/// Decodes base64 to hex.
fn from_base64(text: &str) -> Option<String> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut hex) = (0_u32, 0, String::new());
    for digit in text.trim_end_matches('=').chars() {
        bits = (bits << 6 | u32::try_from(DIGITS.find(digit)?).ok()?) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            hex.push_str(&format!("{:02x}", bits >> count & 0xff));
        }
    }
    Some(hex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
    }

    fn sources() -> Sources {
        let args = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", PLATFORM];
        let metadata = std::process::Command::new("cargo").args(args).current_dir(root()).output().unwrap();
        assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
        let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
        Sources {
            metadata: String::from_utf8(metadata.stdout).unwrap(),
            crates: read("Cargo.lock"),
            packages: read("web/package-lock.json"),
        }
    }

    #[test]
    fn the_bill_lists_everything_that_is_shipped_and_nothing_that_only_tests_use() {
        let sources = sources();
        let text = made(&sources).unwrap();
        assert_eq!(text, made(&sources).unwrap(), "the same sources make the same bill");
        let bill: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(bill["metadata"]["component"]["name"], "boxperson");
        let refs: BTreeSet<&str> = list(&bill["components"]).filter_map(|one| super::text(&one["bom-ref"])).collect();
        assert_eq!(refs.len(), list(&bill["components"]).count(), "every component has its own reference");
        let has = |start: &str| refs.iter().any(|one| one.starts_with(start));
        for shipped in [
            "pkg:cargo/axum@",
            "pkg:cargo/craps-table@",
            "pkg:cargo/libsqlite3-sys@",
            "pkg:npm/svelte@",
            "pkg:npm/%40fontsource/roboto-slab@",
        ] {
            assert!(has(shipped), "{shipped}");
        }
        for of_tests in ["pkg:cargo/tempfile@", "pkg:cargo/proptest@", "pkg:cargo/craps-testkit@", "pkg:npm/vitest@"] {
            assert!(!has(of_tests), "{of_tests}");
        }
        let main = super::text(&bill["metadata"]["component"]["bom-ref"]).unwrap();
        for edge in list(&bill["dependencies"]) {
            for end in list(&edge["dependsOn"]).chain([&edge["ref"]]).filter_map(super::text) {
                assert!(refs.contains(end) || end == main, "{end}");
            }
        }
        for one in list(&bill["components"]).filter(|one| !one["name"].as_str().unwrap().starts_with("craps-")) {
            let hash = one["hashes"][0]["content"].as_str().unwrap_or_else(|| panic!("no hash: {one}"));
            assert!([64, 128].contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{one}");
        }
    }

    /// Code that the page takes from a package must be in the bill.
    #[test]
    fn the_page_imports_only_packages_of_the_bill() {
        let (mut waiting, mut imports) = (vec![root().join("web/src")], BTreeSet::new());
        while let Some(path) = waiting.pop() {
            if path.is_dir() {
                waiting.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let name = path.to_string_lossy().into_owned();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            if name.contains(".test.") || name.contains("testing") {
                continue;
            }
            for line in text.lines().filter(|line| line.contains("import")) {
                let Some(from) = line.split(" from ").nth(1).or_else(|| line.trim().strip_prefix("import ")) else {
                    continue;
                };
                let from = from.trim_start_matches(['\'', '"']);
                let from = from.split(['\'', '"']).next().unwrap_or_default();
                if line.contains(['\'', '"']) && !from.starts_with(['.', '/', '$', '{']) && !from.contains(' ') {
                    imports.insert(from.to_owned());
                }
            }
        }
        assert!(imports.iter().any(|import| import.starts_with("svelte")), "{imports:?}");
        let known =
            |import: &&String| PAGE.iter().any(|page| *import == page || import.starts_with(&format!("{page}/")));
        let unknown: Vec<&String> = imports.iter().filter(|import| !known(import)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn base64_and_licenses_are_read() {
        assert_eq!(from_base64("aGVsbG8=").as_deref(), Some("68656c6c6f"));
        assert_eq!(from_base64("a~"), None);
        assert_eq!(spdx("MIT/Apache-2.0"), "MIT OR Apache-2.0");
    }
}
