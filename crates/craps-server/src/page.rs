//! The browser table that is built into the program: the files that the build of `web/` left in `web/dist`.

use crate::facts::{is_known, mark};
use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;
use std::collections::HashMap;

/// The files of the build.
#[derive(rust_embed::RustEmbed)]
#[folder = "../../web/dist"]
struct Built;

/// The page that all addresses of the browser table start with.
const INDEX: &str = "index.html";
/// Folder of the files that have a hash of their content in their names.
const ASSETS: &str = "assets/";
/// `Cache-Control` of files that can change. `FOR_GOOD` is for files with a hash in their names, which never change.
const ASK_AGAIN: &str = "no-cache";
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// A file of the browser table.
struct File {
    bytes: Bytes,
    kind: &'static str,
    mark: String,
}

impl File {
    fn new(path: &str, bytes: Cow<'static, [u8]>) -> File {
        let bytes = match bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        };
        let mark = mark(&bytes);
        File { bytes, kind: kind(path), mark }
    }

    /// Returns the file, or 304 if the client already has it.
    fn answer(&self, asked: &HeaderMap, good_for: &'static str) -> Response {
        let mut response = match is_known(asked.get(IF_NONE_MATCH), &self.mark) {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => ([(CONTENT_TYPE, self.kind)], Body::from(self.bytes.clone())).into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(good_for));
        if let Ok(mark) = HeaderValue::from_str(&self.mark) {
            headers.insert(ETAG, mark);
        }
        response
    }
}

/// The browser table. Empty if the program was built without it.
pub(crate) struct Page {
    files: HashMap<String, File>,
}

impl Page {
    /// Loads the files that were built into this program.
    pub(crate) fn built() -> Page {
        let file = |path: Cow<'static, str>| Some((path.to_string(), Built::get(&path)?.data));
        Page::of(Built::iter().filter_map(file))
    }

    fn of(files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>) -> Page {
        let file = |(path, bytes): (String, Cow<'static, [u8]>)| {
            let file = File::new(&path, bytes);
            (path, file)
        };
        Page { files: files.into_iter().map(file).collect() }
    }

    /// Returns the start page. It is the same for all addresses of the browser table.
    pub(crate) fn index(&self, asked: &HeaderMap) -> Option<Response> {
        Some(self.files.get(INDEX)?.answer(asked, ASK_AGAIN))
    }

    /// Returns a file that the page loads: a script, a style or a font.
    pub(crate) fn asset(&self, name: &str, asked: &HeaderMap) -> Option<Response> {
        Some(self.files.get(&format!("{ASSETS}{name}"))?.answer(asked, FOR_GOOD))
    }
}

/// Returns the content type of a file by its extension.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

    fn page() -> Page {
        let file = |path: &str, text: &'static str| (path.to_owned(), Cow::Borrowed(text.as_bytes()));
        Page::of([file("index.html", "<!doctype html>"), file("assets/app-1a2b.js", "let a;"), file("other.js", "x")])
    }

    fn header<'a>(response: &'a Response, name: &str) -> &'a str {
        response.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[tokio::test]
    async fn what_has_its_hash_in_its_name_is_kept_and_the_page_is_asked_for_again() {
        let asked = HeaderMap::new();
        let index = page().index(&asked).unwrap();
        assert_eq!(header(&index, "cache-control"), "no-cache");
        assert_eq!(header(&index, "content-type"), "text/html; charset=utf-8");
        let asset = page().asset("app-1a2b.js", &asked).unwrap();
        assert_eq!(header(&asset, "cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(header(&asset, "content-type"), "text/javascript; charset=utf-8");
        assert_eq!(to_bytes(asset.into_body(), 100).await.unwrap(), "let a;");
    }

    #[tokio::test]
    async fn a_client_that_has_a_file_is_told_so() {
        let first = page().index(&HeaderMap::new()).unwrap();
        let mark = first.headers()["etag"].clone();
        let known = |mark: &HeaderValue| HeaderMap::from_iter([(IF_NONE_MATCH, mark.clone())]);
        let again = page().index(&known(&mark)).unwrap();
        assert_eq!((again.status(), again.headers()["etag"].clone()), (StatusCode::NOT_MODIFIED, mark.clone()));
        assert!(to_bytes(again.into_body(), 100).await.unwrap().is_empty());
        let other = page().asset("app-1a2b.js", &known(&mark)).unwrap();
        assert_eq!(other.status(), StatusCode::OK, "the ETag of another file");
    }

    #[test]
    fn only_assets_are_asked_for_by_name() {
        let asked = HeaderMap::new();
        for name in ["other.js", "../other.js", "index.html", "../index.html", "", "app", "app-1a2b.js/"] {
            assert!(page().asset(name, &asked).is_none(), "{name}");
        }
        assert!(Page::of([]).index(&asked).is_none());
    }

    #[test]
    fn a_file_is_what_its_name_says() {
        for (path, expected) in
            [("a.css", "text/css"), ("b-1.2.woff2", "font/woff2"), ("c", "application/octet-stream")]
        {
            assert!(kind(path).starts_with(expected), "{path}");
        }
    }
}
