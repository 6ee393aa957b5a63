//! The document that describes every route, held against the one that is kept.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::path::Path;

#[test]
fn the_document_is_the_one_that_is_kept() {
    let text = serde_json::to_string_pretty(&craps_server::openapi()).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openapi.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = text.lines().zip(kept.lines()).position(|(now, then)| now != then);
    assert!(text == kept, "openapi.json differs from line {differs:?} on: UPDATE_GOLDEN=1 writes it anew");
}
