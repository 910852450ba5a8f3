//! The page: what is put together, without a browser. `tests/page` opens it in one.

use std::fs;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest, Sha256};

use crate::common::{Folder, in_project, workloads};

fn page(folder: &Folder) -> String {
    folder.done(["build", workloads().to_str().unwrap(), "-o", "all.sqlite", "--quiet"]);
    folder.done(["page", "--db", "all.sqlite", "-o", "page.html"]);
    String::from_utf8(folder.read("page.html")).unwrap()
}

/// The text between the first two of these marks.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let from = text.find(start).unwrap_or_else(|| panic!("no {start}")) + start.len();
    let length = text[from..].find(end).unwrap_or_else(|| panic!("no {end}"));
    &text[from..from + length]
}

#[test]
fn the_same_database_gives_the_same_page() {
    let folder = Folder::new();
    let first = page(&folder);
    folder.done(["page", "--db", "all.sqlite", "-o", "page.html"]);
    assert_eq!(first.as_bytes(), folder.read("page.html"));
}

#[test]
fn the_policy_allows_the_scripts_of_the_page_and_no_other() {
    let page = page(&Folder::new());
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\">");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(!policy.contains("unsafe-inline"), "{policy}");
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    let scripts: Vec<&str> = page
        .split("<script>")
        .skip(1)
        .map(|rest| rest.split("</script>").next().unwrap())
        .collect();
    assert_eq!(scripts.len(), 2);
    for script in scripts {
        assert!(policy.contains(&hash(script)), "{policy}");
    }
    assert!(policy.contains(&hash(between(&page, "<style>", "</style>"))), "{policy}");
    // Images bring their own bytes.
    let markup = page.split("<script").next().unwrap();
    let markup = markup.replace(" src=\"data:image/svg+xml;base64,", "");
    for attribute in [" onclick", " onload", " style=\"", " src=", "http-equiv=\"refresh"] {
        assert!(!markup.contains(attribute), "{attribute}");
    }
}

#[test]
fn the_page_holds_the_database_byte_for_byte() {
    use std::io::Read as _;
    let folder = Folder::new();
    let page = page(&folder);
    let packed = between(&page, "id=\"database\">", "</script>");
    let packed = BASE64_STANDARD.decode(packed).unwrap();
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    assert!(bytes == folder.read("all.sqlite"), "{} bytes", bytes.len());
}

#[test]
fn the_picture_of_the_answer_is_the_one_that_the_command_line_draws() {
    let folder = Folder::new();
    let page = page(&folder);
    let packed = between(&page, "src=\"data:image/svg+xml;base64,", "\"");
    let drawn = folder.done(["query", "best", "--db", "all.sqlite", "--format", "svg", "--quiet"]);
    assert_eq!(String::from_utf8(BASE64_STANDARD.decode(packed).unwrap()).unwrap(), drawn);
}

#[test]
fn nothing_but_an_older_page_is_replaced() {
    let folder = Folder::new();
    folder.write("notes.html", "<p>mine</p>");
    let line = folder.refused(1, ["page", "-o", "notes.html"]);
    assert_eq!(
        line,
        "notes.html exists and is not an energydb page, so it is not replaced; name another"
    );
    assert_eq!(folder.read("notes.html"), b"<p>mine</p>");
    fs::create_dir(folder.path("folder")).unwrap();
    let line = folder.refused(1, ["page", "-o", "folder"]);
    assert!(line.starts_with("a folder is not a page: folder"), "{line}");
    let line = folder.refused(1, ["page", "-o", "missing/page.html", "--quiet"]);
    assert!(
        line.starts_with("could not write into the folder missing (for missing/page.html)"),
        "{line}"
    );
    assert_eq!(folder.names("."), ["folder", "notes.html"]);
}

#[test]
fn sqlite_for_the_browser_is_as_its_publisher_ships_it() {
    let vendored = in_project("page/vendor/sql.js-1.17.0");
    for (name, expected) in [
        ("sql-wasm-browser.js", "b9104418b49747fc51956f3be0dffe1208af090c066bb5a08563c33237b09562"),
        (
            "sql-wasm-browser.wasm",
            "6918fd54c1192011b85af0365a819411285bb5579b9ae6a7308778a1750a2765",
        ),
    ] {
        let sum = Sha256::digest(fs::read(vendored.join(name)).unwrap());
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, expected, "{name}");
        let sums = fs::read_to_string(vendored.join("SHA256SUMS")).unwrap();
        assert!(sums.contains(&format!("{expected}  {name}\n")), "{sums}");
    }
    let licence = fs::read_to_string(vendored.join("LICENSE")).unwrap();
    assert!(licence.starts_with("MIT license"));
    assert!(fs::read_to_string(in_project("NOTICE")).unwrap().contains("sql.js 1.17.0"));
}
