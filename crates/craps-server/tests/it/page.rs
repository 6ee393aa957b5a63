//! The URLs of the browser app on a real server. Each returns a page, whether or not the app is built in, and the security policy allows no more
//! than the page needs.

use crate::support::{Here, Shows};

const HTML: &[(&str, &str)] = &[("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")];

#[tokio::test(flavor = "multi_thread")]
async fn every_address_of_the_page_answers_one() {
    let here = Here::new().await;
    let first = here.send("GET", "/", &Shows::Nothing, HTML, b"").await;
    for path in [
        "/felt/north",
        "/felt/no-such-table",
        "/study",
        "/explorer",
        "/lab",
        "/library",
        "/library/pa",
        "/library/pa/623a.4(c)",
        "/profile",
        "/sign-in",
    ] {
        let page = here.send("GET", path, &Shows::Nothing, HTML, b"").await;
        assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")), "{path}");
        assert_eq!(page.body, first.body, "{path}: the same page for every URL");
        let head = here.send("HEAD", path, &Shows::Nothing, HTML, b"").await;
        assert_eq!((head.status, head.body.as_str()), (200, ""), "{path}");
    }
    for path in ["/felt/a/b", "/library/pa/a/b", "/assets", "/assets/", "/assets/none.js", "/index.html"] {
        let none = here.send("GET", path, &Shows::Nothing, HTML, b"").await;
        assert_eq!(none.status, 404, "{path}: {}", none.body);
    }
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_no_browser_gets_plain_text() {
    let here = Here::new().await;
    for accept in ["*/*", "application/json, text/html;q=0.5"] {
        let page = here.send("GET", "/", &Shows::Nothing, &[("Accept", accept)], b"").await;
        assert!(page.body.contains("curl -c jar -X POST"), "{accept}: {}", page.body);
        assert_eq!(
            page.header("vary").map(str::to_lowercase).as_deref().map(|vary| vary.contains("accept")),
            Some(true)
        );
    }
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_loads_nothing_from_elsewhere_and_runs_nothing_of_its_own() {
    let here = Here::new().await;
    for path in ["/", "/felt/north", "/verify"] {
        let page = here.send("GET", path, &Shows::Nothing, HTML, b"").await;
        let policy = page.header("content-security-policy").unwrap();
        assert_eq!(
            policy,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
             connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
            "{path}"
        );
        // Things the policy forbids would not work.
        for never in ["<style", " style=", "onclick=", "onload=", "http://", "https://"] {
            assert!(!page.body.contains(never), "{path}: {never}");
        }
        for script in page.body.split("<script").skip(1) {
            assert!(script.split('>').next().unwrap().contains("src=\"/"), "{path}: {script}");
        }
    }
    here.stop().await;
}
