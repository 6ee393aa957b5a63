//! Documents: the code map in ARCHITECTURE.md is complete, and no link is broken.

use crate::repository::{File, files, none, whole_word};
use std::collections::BTreeSet;

const MAP: &str = "ARCHITECTURE.md";

/// Returns the folders that the map must name: every crate, and every folder in the root except hidden ones.
fn folders(files: &[File]) -> BTreeSet<&str> {
    let top = files.iter().filter_map(|file| file.path.split_once('/')).map(|(folder, _)| folder);
    let crates = files.iter().filter_map(|file| file.path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml"));
    top.filter(|folder| !folder.starts_with('.')).chain(crates).collect()
}

fn unmapped(files: &[File]) -> Vec<String> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else {
        return vec![format!("{MAP}:1: the file is missing; it must have the code map")];
    };
    let missing = folders(files).into_iter().filter(|folder| !is_named(&map.text, folder));
    missing
        .map(|folder| map.at(1, format!("the folder {folder}/ is missing; write it as code or with a slash")))
        .collect()
}

/// Returns true if the text names the folder. Folder names are ordinary words such as "houses", so only code, or a word with a slash after
/// it, counts.
fn is_named(text: &str, folder: &str) -> bool {
    let mut in_code = false;
    text.lines().any(|line| {
        in_code ^= line.trim_start().starts_with("```");
        let block = in_code || line.starts_with("    ");
        whole_word(line, folder).into_iter().any(|end| {
            let quoted = line[..end].matches('`').count() % 2 == 1;
            block || quoted || line[end..].starts_with('/')
        })
    })
}

fn broken_links(files: &[File], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut offences = Vec::new();
    for required in ["README.md", MAP] {
        if !files.iter().any(|file| file.path == required) {
            offences.push(format!("{required}:1: the file is missing"));
        }
    }
    let in_docs = |path: &str| path.starts_with("docs/") && !path.starts_with("docs/wagers/") && path.ends_with(".md");
    for file in files.iter().filter(|file| ["README.md", MAP].contains(&file.path.as_str()) || in_docs(&file.path)) {
        for (line, target) in links(&file.text) {
            let path = target.split(['#', '?']).next().unwrap_or_default();
            let elsewhere = path.is_empty() || target.contains("://") || target.starts_with("mailto:");
            if !elsewhere && !resolve(&file.path, path).is_some_and(|path| exists(&path)) {
                offences.push(file.at(line, format!("broken link: {target}")));
            }
        }
    }
    offences
}

/// Returns the path of a link from the root, or None if it leaves the repository.
fn resolve(from: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    if link.starts_with('/') {
        return None;
    }
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Returns the targets of a document's links and images with their line numbers. Links in code don't count.
fn links(text: &str) -> Vec<(usize, String)> {
    let (mut links, mut in_code) = (Vec::new(), false);
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let inline = prose.match_indices("](").map(|(start, mark)| &prose[start + mark.len()..]);
        let definition = prose.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
        for target in inline.chain(definition) {
            let target = target.trim_start();
            let end = |c: char| if target.starts_with('<') { c == '>' } else { c == ')' || c.is_whitespace() };
            let target = target.split(end).next().unwrap_or_default().trim_start_matches('<');
            links.push((at + 1, target.to_owned()));
        }
    }
    links
}

#[test]
fn the_code_map_names_every_crate_and_every_folder() {
    none(unmapped(files()));
}

#[test]
fn a_folder_that_the_code_map_leaves_out_is_found() {
    let mut files = vec![
        File::new("crates/craps-dice/Cargo.toml", ""),
        File::new("crates/craps-law/Cargo.toml", ""),
        File::new("houses/a.toml", ""),
        File::new("web/a.js", ""),
        File::new("xtask/Cargo.toml", ""),
        File::new(".ci/run", ""),
    ];
    assert_eq!(unmapped(&files), ["ARCHITECTURE.md:1: the file is missing; it must have the code map"]);
    files.push(File::new(MAP, "Many houses. `craps-dice-x` `web` and xtask/\n\n    crates/\n      craps-law  books\n"));
    let expected = [
        "ARCHITECTURE.md:1: the folder craps-dice/ is missing; write it as code or with a slash",
        "ARCHITECTURE.md:1: the folder houses/ is missing; write it as code or with a slash",
    ];
    assert_eq!(unmapped(&files), expected);
}

#[test]
fn every_link_of_the_documents_leads_to_a_file() {
    none(broken_links(files(), |path| crate::repository::root().join(path).exists()));
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let text = "[a](b.md) [c](<gone one.md> \"t\") ![d](../README.md#top)\n`[e](gone.md)` [f](https://example.org) [g](#top)\n\
                ```\n[h](gone.md)\n```\n[i]: gone/j.md\n[k](../../out.md) [l](/docs/b.md)";
    let files =
        [File::new("docs/a.md", text), File::new("docs/wagers/x.md", "[a](gone.md)"), File::new("README.md", "")];
    let expected = [
        "ARCHITECTURE.md:1: the file is missing",
        "docs/a.md:1: broken link: gone one.md",
        "docs/a.md:6: broken link: gone/j.md",
        "docs/a.md:7: broken link: ../../out.md",
        "docs/a.md:7: broken link: /docs/b.md",
    ];
    assert_eq!(broken_links(&files, |path| ["docs/b.md", "README.md"].contains(&path)), expected);
}
