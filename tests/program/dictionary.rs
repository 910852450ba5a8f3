//! The dictionary explains everything, and nothing that is not there.

use std::collections::BTreeSet;

use crate::common::{Folder, rows};
use energydb::database::dictionary;

const COLUMNS: &str = "select objects.name || '.' || columns.name \
    from sqlite_schema as objects join pragma_table_info(objects.name) as columns \
    where objects.type in ('table', 'view')";

fn set(rows: Vec<Vec<String>>) -> BTreeSet<String> {
    rows.concat().into_iter().collect()
}

#[test]
fn every_table_view_and_column_is_explained() {
    let folder = Folder::with_database();
    let connection = folder.open("energy.sqlite");
    let explained = "select object_name || '.' || column_name from dictionary \
                     where column_name is not null and length(meaning) > 0";
    let missing: Vec<_> = set(rows(&connection, COLUMNS))
        .difference(&set(rows(&connection, explained)))
        .cloned()
        .collect();
    assert!(missing.is_empty(), "add to migrations/dictionary.csv: {missing:?}");
    let objects = "select name from sqlite_schema where type in ('table', 'view')";
    let explained = "select object_name from dictionary where column_name is null";
    let missing: Vec<_> = set(rows(&connection, objects))
        .difference(&set(rows(&connection, explained)))
        .cloned()
        .collect();
    assert!(
        missing.is_empty(),
        "begin their text with a comment that says what a row is: {missing:?}"
    );
}

#[test]
fn every_line_of_the_dictionary_explains_something() {
    let folder = Folder::with_database();
    let connection = folder.open("energy.sqlite");
    let columns = set(rows(&connection, COLUMNS));
    let mut seen = BTreeSet::new();
    for entry in dictionary::entries().unwrap() {
        let (object, column) = (entry.object_name, entry.column_name.unwrap_or_default());
        assert!(seen.insert((object.clone(), column.clone())), "{object}.{column} stands twice");
        assert!(!entry.meaning.is_empty(), "{object}.{column}");
        let is_used = match (object.as_str(), column.as_str()) {
            // Some table or view has it and no line of its own.
            ("*", column) => columns.iter().any(|known| {
                let (object, name) = known.split_once('.').unwrap();
                name == column
                    && !dictionary::entries().unwrap().iter().any(|other| {
                        other.object_name == object && other.column_name.as_deref() == Some(column)
                    })
            }),
            (object, "") => columns.iter().any(|known| known.starts_with(&format!("{object}."))),
            (object, column) => columns.contains(&format!("{object}.{column}")),
        };
        assert!(is_used, "nothing has {object}.{column} any more: remove its line");
    }
}

#[test]
fn what_has_a_unit_in_its_name_has_that_unit() {
    let folder = Folder::with_database();
    let connection = folder.open("energy.sqlite");
    for (ending, unit) in [
        ("_ms", "ms"),
        ("_watts", "W"),
        ("joules_per_output_token", "J/token"),
        ("_b", "10^9 parameters"),
    ] {
        let sql = format!(
            "select distinct ifnull(unit, 'none') from dictionary \
             where substr(column_name, -{}) = '{ending}'",
            ending.len()
        );
        assert_eq!(rows(&connection, &sql), [[unit]], "{ending}");
    }
}

#[test]
fn the_page_and_the_document_say_what_the_table_says() {
    let folder = Folder::with_database();
    let page = folder.done(["schema"]);
    assert!(page == folder.done(["schema", "--format", "markdown"]));
    let document = folder.done(["schema", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let lines = folder.done(["schema", "--format", "ndjson"]);
    let connection = folder.open("energy.sqlite");
    let said = rows(
        &connection,
        "select object_name, kind, column_name, meaning from dictionary \
                                  order by dictionary_id",
    );
    assert_eq!(lines.lines().count(), said.len());
    let mut from_document = Vec::new();
    for object in document.as_array().unwrap() {
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let (name, kind) = (text(&object["name"]), text(&object["kind"]));
        from_document.push(vec![
            name.clone(),
            kind.clone(),
            "null".into(),
            text(&object["meaning"]),
        ]);
        assert!(page.contains(&format!("\n## {name} ({kind})\n")), "{name}");
        for column in object["columns"].as_array().unwrap() {
            let (column, meaning) = (text(&column["name"]), text(&column["meaning"]));
            assert!(page.contains(&format!("\n| {column} | ")), "{column}");
            from_document.push(vec![name.clone(), kind.clone(), column, meaning]);
        }
    }
    assert_eq!(from_document, said);
}
