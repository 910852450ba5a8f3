//! The folder of `energydb package` is complete, always the same, and never replaces anything but a release.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::common::{
    DATA, DAY, Folder, built_in, in_project, rows, source, source_configurations, task_file,
};
use energydb::catalogue::Catalogue;
use energydb::catalogue::parameter::Kind;
use energydb::release::canned;
use energydb::release::files;
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, Statement};
use serde_json::Value;
use sha2::{Digest, Sha256};

const DATABASE: &str = "energydb-2026-10-19.sqlite";

fn package(folder: &Folder, words: &[&str]) {
    folder.done([&["package", "--quiet"], words].concat());
}

/// A folder with a release of the built-in data.
fn packaged() -> Folder {
    static MADE: OnceLock<Files> = OnceLock::new();
    made_once(&MADE, |folder| package(folder, &["-o", "release"]))
}

/// A folder with a release of every workload, and its database.
fn packaged_of_every_workload() -> Folder {
    static MADE: OnceLock<Files> = OnceLock::new();
    made_once(&MADE, |folder| {
        let inputs = ["data/leaderboard/tasks/lm-arena-chat.json", "tests/cases/workloads.in/data"];
        let inputs = inputs.map(|input| in_project(input).to_string_lossy().into_owned());
        folder.done(["build", "--quiet", &inputs[0], &inputs[1], "-o", "energy.sqlite"]);
        package(folder, &["-o", "release"]);
    })
}

/// A folder of its own for each test, with files that are made once for all.
fn made_once(made: &OnceLock<Files>, make: impl FnOnce(&Folder)) -> Folder {
    let files = made.get_or_init(|| {
        let folder = Folder::new();
        make(&folder);
        content(&folder.path("."))
    });
    let folder = Folder::new();
    for (name, bytes) in files {
        folder.write(name, bytes);
    }
    folder
}

/// The one database of a release.
fn database(folder: &Folder) -> String {
    let names = folder.names("release");
    format!("release/{}", names.iter().find(|name| name.ends_with(".sqlite")).unwrap())
}

/// Files by their names, with their bytes.
type Files = BTreeMap<String, Vec<u8>>;

/// The files of a folder.
fn content(folder: &Path) -> Files {
    let names = files(folder).unwrap().into_iter();
    names.map(|name| (name.clone(), fs::read(folder.join(&name)).unwrap())).collect()
}

fn sha256(bytes: &[u8]) -> String {
    energydb::hash::hex(&Sha256::digest(bytes))
}

/// Asserts that a folder is a whole release by its own list.
fn assert_whole(folder: &Path) {
    let mut content = content(folder);
    let sums = String::from_utf8(content.remove("SHA256SUMS").unwrap()).unwrap();
    let listed: Vec<String> =
        content.iter().map(|(name, bytes)| format!("{}  {name}", sha256(bytes))).collect();
    assert_eq!(sums.lines().collect::<Vec<_>>(), listed);
}

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.read(name)).unwrap()
}

#[test]
fn the_same_data_gives_the_same_files_whoever_packages_them_and_whatever_stood_there() {
    let folder = packaged();
    let first = content(&folder.path("release"));
    assert_whole(&folder.path("release"));
    for expected in [
        "CITATION.cff",
        "DATA-LICENCE.md",
        "LICENSE",
        "README.md",
        "SCHEMA.md",
        "csv/best_configurations.csv",
        "datapackage.json",
        DATABASE,
        "energydb-2026-10-19.sqlite.zst",
        "index.html",
        "json/lm-arena-chat/index.json",
        "metadata.json",
    ] {
        assert!(first.contains_key(expected), "{expected}");
    }
    assert!(!first.contains_key("CHANGES.md"));
    // Of a file, from another folder, over another release.
    let other = Folder::new();
    other.write("energy.sqlite", built_in());
    package(&other, &["-o", "release", "--since", "energy.sqlite"]);
    let mut with_changes = content(&other.path("release"));
    assert_eq!(
        String::from_utf8(with_changes.remove("CHANGES.md").unwrap()).unwrap(),
        "# Changes from 2026-10-19 to 2026-10-19\n\nNothing changed.\n"
    );
    package(&other, &["-o", "release"]);
    assert_eq!(content(&other.path("release")), first);
    assert_eq!(first[DATABASE], other.read("energy.sqlite"));
    assert_eq!(other.names("."), ["energy.sqlite", "release"]);
}

#[test]
fn a_release_holds_the_documents_that_export_writes_and_the_page_that_schema_prints() {
    let folder = packaged();
    folder.done(["export", "--quiet", "-o", "exported"]);
    assert_eq!(content(&folder.path("release/json")), content(&folder.path("exported")));
    let page = folder.done(["schema", "--quiet"]);
    assert_eq!(page.as_bytes(), folder.read("release/SCHEMA.md"));
    let unpacked = zstd::decode_all(&folder.read(format!("release/{DATABASE}.zst"))[..]).unwrap();
    assert_eq!(unpacked, folder.read(format!("release/{DATABASE}")));
}

#[test]
fn the_page_of_a_release_counts_the_models_that_were_measured() {
    let page = String::from_utf8(packaged_of_every_workload().read("release/README.md")).unwrap();
    // The built-in data has 18 models; the small documents measure 7 more and their index names an
    // eighth.
    let counted = "397 measured configurations of 25 models on 2 types of GPU";
    assert!(page.contains(counted), "{page}");
}

#[test]
fn the_page_of_a_release_tells_what_was_accepted_and_shows_a_view_that_has_rows() {
    let folder = Folder::new();
    let mut configurations = crate::common::source_configurations();
    let power = configurations[0]["avg_power_watts"].as_f64().unwrap();
    configurations[0]["avg_power_watts"] = (power * 1.5).into();
    folder.write("chat.json", crate::common::task_file("lm-arena-chat", &configurations));
    let accept = ["--accept", "power-identity"];
    folder.done([&["build", "-q", "-o", "text.sqlite", "chat.json"][..], &accept].concat());
    for task in ["text-to-image", "text-to-video"] {
        let source = crate::common::workloads().join(format!("tasks/{task}.json"));
        folder.write("source.json", fs::read(source).unwrap());
        folder.done(["build", "-q", "-o", &format!("{task}.sqlite"), "source.json"]);
    }
    let page = |name: &str| {
        package(&folder, &["-o", name, "--db", &format!("{name}.sqlite")]);
        String::from_utf8(folder.read(format!("{name}/README.md"))).unwrap()
    };
    let text = page("text");
    assert!(text.contains(" Accepted: 1 finding. "), "{text}");
    assert!(
        text.contains(
            "select task, model, gpu, wh_per_million_output_tokens from best_configurations"
        ),
        "{text}"
    );
    for (name, energy, view) in [
        ("text-to-image", "wh_per_image", "best_images"),
        ("text-to-video", "wh_per_video", "best_videos"),
    ] {
        let page = page(name);
        assert!(!page.contains("Accepted"), "{page}");
        let sql = format!("select task, model, gpu, {energy} from {view}");
        assert!(page.contains(&sql) && page.contains(&format!("csv/{view}.csv\")")), "{page}");
        let database = folder.open(&format!("{name}.sqlite"));
        assert!(!crate::common::rows(&database, &sql).is_empty());
    }
}

/// The views and tables of a database, but for the record of migrations.
fn tables(connection: &Connection) -> Vec<String> {
    let sql = "select name from sqlite_schema where type in ('view', 'table') \
               and name not like 'refinery%' order by name";
    rows(connection, sql).into_iter().flatten().collect()
}

/// The name and type of each column of a table, as datapackage.json has them.
fn fields(description: &Value, table: &str) -> Vec<(String, String)> {
    let resources = description["resources"].as_array().unwrap();
    let resource = resources.iter().find(|of| of["name"] == table).unwrap();
    let fields = resource["schema"]["fields"].as_array().unwrap();
    let text = |field: &Value, name: &str| field[name].as_str().unwrap().to_owned();
    fields.iter().map(|field| (text(field, "name"), text(field, "type"))).collect()
}

#[test]
fn every_view_and_table_reads_back_from_its_csv_as_it_was() {
    let folder = packaged_of_every_workload();
    let connection = folder.open(&database(&folder));
    let description = json(&folder, "release/datapackage.json");
    let tables = tables(&connection);
    let names: Vec<_> = tables.iter().map(|table| format!("{table}.csv")).collect();
    assert_eq!(folder.names("release/csv"), names);
    let mut conditions = 0;
    for table in tables {
        let text = folder.read(format!("release/csv/{table}.csv"));
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{table}");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let mut read: Vec<Vec<String>> = reader
            .records()
            .map(|record| record.unwrap().iter().map(Into::into).collect())
            .collect();
        let mut expected = rows(&connection, &format!("select * from {table}"));
        let fields = fields(&description, &table);
        for (cell, (_, kind)) in expected.iter_mut().flat_map(|row| row.iter_mut().zip(&fields)) {
            match (&**cell, &**kind) {
                ("null", _) => cell.clear(),
                ("0", "boolean") => *cell = "false".into(),
                ("1", "boolean") => *cell = "true".into(),
                (_, kind) => assert_ne!(kind, "boolean", "{table}"),
            }
            conditions += u32::from(kind == "boolean");
        }
        read.sort();
        expected.sort();
        assert_eq!(read, expected, "{table}");
    }
    assert!(conditions > 0);
}

#[test]
fn what_describes_a_release_names_its_files_and_no_other() {
    let folder = packaged_of_every_workload();
    let content = content(&folder.path("release"));
    let readme = std::str::from_utf8(&content["README.md"]).unwrap();
    let (_, rest) = readme.split_once("---\n").unwrap();
    let (head, _) = rest.split_once("\n---\n").unwrap();
    let named: Vec<_> = head.lines().filter_map(|line| line.strip_prefix("    path: ")).collect();
    assert!(named.contains(&"csv/best_images.csv"), "{head}");
    // A table without rows is no configuration.
    assert!(!named.contains(&"csv/findings.csv"), "{head}");
    assert!(named.iter().all(|name| content.contains_key(*name)), "{head}");
    assert!(head.contains("\nlicense: apache-2.0\n"), "{head}");
    let croissant = json(&folder, "release/croissant.json");
    let files = croissant["distribution"].as_array().unwrap();
    assert_eq!(files.len(), 1 + folder.names("release/csv").len());
    for file in files {
        let bytes = &content[file["contentUrl"].as_str().unwrap()];
        assert_eq!(file["sha256"], sha256(bytes));
    }
    let zenodo = json(&folder, "release/.zenodo.json");
    assert_eq!(zenodo["license"], "Apache-2.0");
    assert_eq!(zenodo["upload_type"], "dataset");
    assert_eq!(zenodo["related_identifiers"][0]["identifier"], "https://ml.energy/leaderboard/");
}

#[test]
fn the_head_of_the_page_gives_the_hub_one_split_of_each_table_and_no_document_for_another() {
    let folder = packaged_of_every_workload();
    let readme = String::from_utf8(folder.read("release/README.md")).unwrap();
    let (_, rest) = readme.split_once("---\n").unwrap();
    let (head, _) = rest.split_once("\n---\n").unwrap();
    let (_, configurations) = head.split_once("\nconfigs:\n").unwrap();
    let lines: Vec<_> = configurations.lines().collect();
    // Without a split that is named, a file such as json/text-to-image/flux-1-dev.json is one.
    let mut names = Vec::new();
    let mut defaults = 0;
    for line in lines.join("\n").split("- config_name: ").skip(1) {
        let mut lines = line.lines();
        let name = lines.next().unwrap();
        let mut lines: Vec<_> = lines.collect();
        if lines[0] == "  default: true" {
            defaults += 1;
            lines.remove(0);
        }
        let path = format!("    path: csv/{name}.csv");
        assert_eq!(lines, ["  data_files:", "  - split: train", &path]);
        names.push(name.to_owned());
    }
    assert_eq!(defaults, 1);
    let connection = folder.open(&database(&folder));
    let has_rows = |table: &String| {
        rows(&connection, &format!("select exists (select 1 from {table})")) == [["1"]]
    };
    let mut expected: Vec<_> = tables(&connection).into_iter().filter(has_rows).collect();
    expected.sort();
    names.sort();
    assert_eq!(names, expected);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_parquet_says_so_before_anything_is_made() {
    let folder = Folder::new();
    let why = "built without Parquet; use the program of a release";
    folder.run(["package", "-o", "release", "--parquet"]).failed(2, why);
    assert!(folder.names(".").is_empty());
}

#[cfg(feature = "parquet")]
mod as_parquet {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    /// The rows of a file, each value as SQLite has it in text.
    fn read(path: &Path) -> Vec<Vec<String>> {
        let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
        let row =
            |row: parquet::record::Row| row.get_column_iter().map(|(_, at)| text(at)).collect();
        reader.get_row_iter(None).unwrap().map(|found| row(found.unwrap())).collect()
    }

    fn text(field: &Field) -> String {
        match field {
            Field::Null => "null".into(),
            Field::Bool(value) => i32::from(*value).to_string(),
            Field::Long(number) => number.to_string(),
            Field::Double(number) => format!("{number:?}"),
            Field::Str(text) => text.clone(),
            date @ Field::Date(_) => date.to_string().split(' ').next().unwrap().into(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_view_and_table_reads_back_as_it_was() {
        let folder = Folder::new();
        package(&folder, &["-o", "release", "--parquet", "--partition", "task,gpu"]);
        let connection = folder.open(&database(&folder));
        for table in tables(&connection) {
            let mut read = read(&folder.path(format!("release/parquet/{table}.parquet")));
            let mut expected = rows(&connection, &format!("select * from {table}"));
            read.sort();
            expected.sort();
            // The text of a real is the shortest in both.
            let numbers = |rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
                let cell =
                    |cell: String| cell.parse::<f64>().map_or(cell, |real| format!("{real:?}"));
                rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect()
            };
            assert_eq!(numbers(read), numbers(expected), "{table}");
        }
        let split = "release/hive/best_configurations/task=lm-arena-chat/gpu=B200/part-0.parquet";
        let sql = "select model, wh_per_million_output_tokens from best_configurations \
                   where task = 'lm-arena-chat' and gpu = 'B200' order by model";
        let mut read: Vec<_> =
            self::read(&folder.path(split)).into_iter().map(|row| row[0].clone()).collect();
        read.sort();
        let expected: Vec<_> =
            rows(&connection, sql).into_iter().map(|row| row[0].clone()).collect();
        assert_eq!(read, expected);
        assert!(!folder.path("release/hive/models").exists());
        let again = Folder::new();
        package(&again, &["-o", "release", "--parquet", "--partition", "task,gpu"]);
        assert_eq!(content(&again.path("release")), content(&folder.path("release")));
    }

    #[test]
    fn a_partition_is_by_columns_of_names_that_a_table_has() {
        let folder = Folder::new();
        for (column, why) in
            [("no_such", "no table or view has a column 'no_such'"), ("power_watts", "has reals")]
        {
            let words = ["package", "-o", "release", "--parquet", "--partition", column];
            folder.run(words).failed(2, why);
            assert!(folder.names(".").is_empty());
        }
    }
}

#[test]
fn the_description_names_the_primary_key_of_every_table_and_it_is_unique() {
    let folder = packaged_of_every_workload();
    let description = json(&folder, "release/datapackage.json");
    let key_of = |resource: &Value| {
        let key = resource["schema"]["primaryKey"].as_array();
        key.map(|key| key.iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    let resources = description["resources"].as_array().unwrap();
    for (table, expected) in [
        ("configurations", Some(vec!["configuration_id".to_owned()])),
        ("models", Some(vec!["model_id".to_owned()])),
        ("best_configurations", None),
    ] {
        let resource = resources.iter().find(|of| of["name"] == table).unwrap();
        assert_eq!(key_of(resource), expected, "{table}");
    }
    let database = folder.open("energy.sqlite");
    for resource in resources {
        let path = resource["path"].as_str().unwrap();
        let Some(table) = path.strip_prefix("csv/").and_then(|name| name.strip_suffix(".csv"))
        else {
            continue;
        };
        let is_table =
            format!("select count(*) from sqlite_master where type = 'table' and name = '{table}'");
        let is_table = database.query_row(&is_table, [], |row| row.get::<_, i64>(0)).unwrap() == 1;
        let key = key_of(resource);
        assert_eq!(key.is_some(), is_table, "{table}");
        let Some(key) = key else { continue };
        let mut reader = csv::Reader::from_path(folder.path("release").join(path)).unwrap();
        let header = reader.headers().unwrap().clone();
        let places: Vec<_> =
            key.iter().map(|name| header.iter().position(|of| of == name).unwrap()).collect();
        let mut seen = BTreeSet::new();
        for record in reader.records() {
            let record = record.unwrap();
            let values: Vec<_> = places.iter().map(|place| record[*place].to_owned()).collect();
            assert!(values.iter().all(|value| !value.is_empty()), "{table} {values:?}");
            assert!(seen.insert(values), "{table}");
        }
    }
}

#[test]
fn the_description_gives_every_column_its_type_and_meaning_and_every_file_its_hash() {
    let folder = packaged_of_every_workload();
    let description = json(&folder, "release/datapackage.json");
    let resources = description["resources"].as_array().unwrap();
    let mut content = content(&folder.path("release"));
    for resource in resources {
        let path = resource["path"].as_str().unwrap();
        let bytes = content.remove(path).unwrap();
        assert_eq!(resource["hash"], format!("sha256:{}", sha256(&bytes)), "{path}");
        assert_eq!(resource["bytes"], bytes.len(), "{path}");
        if !path.starts_with("csv/") {
            continue;
        }
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        let header = reader.headers().unwrap().clone();
        let fields = resource["schema"]["fields"].as_array().unwrap();
        assert_eq!(header.len(), fields.len(), "{path}");
        for (name, field) in header.iter().zip(fields) {
            assert_eq!(field["name"], name);
            assert!(
                ["string", "number", "integer", "boolean", "date"]
                    .contains(&field["type"].as_str().unwrap())
            );
            assert!(!field["description"].as_str().unwrap().is_empty(), "{path} {name}");
        }
    }
    assert_eq!(content.keys().collect::<Vec<_>>(), ["SHA256SUMS", "datapackage.json"]);
    // Also where the release has no images: what a program makes of a column must not depend on it.
    let without_rows = json(&packaged(), "release/datapackage.json");
    let resources_without = without_rows["resources"].as_array().unwrap();
    let images = resources_without.iter().find(|of| of["name"] == "best_images").unwrap();
    let fields = images["schema"]["fields"].as_array().unwrap();
    let row_id = fields.iter().find(|field| field["name"] == "row_id").unwrap();
    assert_eq!(row_id["type"], "string");
    let csv = resources.iter().find(|of| of["name"] == "best_configurations").unwrap();
    let field = |name: &str| {
        let fields = csv["schema"]["fields"].as_array().unwrap();
        fields.iter().find(|field| field["name"] == name).unwrap().clone()
    };
    assert_eq!(field("wh_per_million_output_tokens")["unit"], "Wh/10^6 tokens");
    assert_eq!(field("median_itl_ms")["type"], "number");
    assert_eq!(field("num_gpus")["type"], "integer");
    assert_eq!(field("row_id")["type"], "string");
}

#[test]
fn the_data_set_of_several_workloads_is_cited_once_with_every_method() {
    let folder = packaged_of_every_workload();
    let citation = String::from_utf8(folder.read("release/CITATION.cff")).unwrap();
    assert_eq!(citation.matches("type: data").count(), 1, "{citation}");
    let licence = String::from_utf8(folder.read("release/DATA-LICENCE.md")).unwrap();
    for (words, count) in [
        ("## ML.ENERGY Leaderboard", 1),
        ("Energy per output token is", 1),
        ("Energy per image is", 1),
        ("Energy per video is", 1),
        ("Licence: Apache-2.0", 1),
    ] {
        assert_eq!(licence.matches(words).count(), count, "{words}: {licence}");
    }
}

#[test]
fn every_data_set_is_told_with_its_licence_where_there_are_several() {
    let folder = Folder::new();
    let mut manifest: Value =
        serde_json::from_slice(&fs::read(in_project("data/manifest.json")).unwrap()).unwrap();
    let another =
        serde_json::json!({"name": "Another", "url": "https://example.org", "licence": null});
    let of_task = manifest["tasks"]["gpqa"].as_object_mut().unwrap();
    of_task.extend(another.as_object().unwrap().clone());
    folder.write("manifest.json", manifest.to_string());
    folder.write("gpqa.json", task_file("gpqa", &source_configurations()));
    folder.write("chat.json", source());
    let words = ["build", "--quiet", "--manifest", "manifest.json", "--data-version", DAY];
    folder.done(words.iter().chain(&["gpqa.json", "chat.json"]));
    package(&folder, &["-o", "release"]);

    let licences = [
        "Another: not known",
        "ML.ENERGY Leaderboard: Apache-2.0 per the ml-energy/benchmark-v3 dataset card",
    ];
    let metadata = json(&folder, "release/metadata.json");
    assert_eq!(metadata["source"], "Another; ML.ENERGY Leaderboard");
    assert_eq!(metadata["license"], licences.join("; "));
    assert_eq!(metadata["source_url"], Value::Null);
    let description = json(&folder, "release/datapackage.json");
    let titles = |list: &str| -> Vec<Value> {
        let list = description[list].as_array().unwrap();
        list.iter().map(|member| member["title"].clone()).collect()
    };
    assert_eq!(titles("sources"), ["Another", "ML.ENERGY Leaderboard"]);
    assert_eq!(titles("licenses"), licences);
}

#[test]
fn no_query_of_a_release_has_the_name_of_a_table_or_view() {
    let folder = packaged();
    let metadata = json(&folder, "release/metadata.json");
    let databases = metadata["databases"].as_object().unwrap();
    let queries = databases.values().next().unwrap()["queries"].as_object().unwrap();
    let connection = folder.open(&database(&folder));
    let mut names = connection.prepare("select lower(name) from sqlite_schema").unwrap();
    let names: Vec<String> =
        names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(queries.contains_key("best") && names.iter().any(|name| name == "models"));
    for query in queries.keys() {
        assert!(!names.contains(query), "{query} is a query and a table or view");
    }
}

/// What other programs hand over is text, and empty text for what is missing.
#[test]
fn a_query_that_reads_text_answers_as_the_command_line_does() {
    let folder = packaged_of_every_workload();
    let connection = folder.open(&database(&folder));
    let answer = |mut statement: Statement| -> rusqlite::Result<Vec<Vec<Sql>>> {
        let count = statement.column_count();
        let mut rows = statement.raw_query();
        let mut answer = Vec::new();
        while let Some(row) = rows.next()? {
            answer.push((0..count).map(|at| row.get(at).unwrap()).collect::<Vec<Sql>>());
        }
        Ok(answer)
    };
    let ask = |name: &str, given: &[(&str, &str)]| -> rusqlite::Result<Vec<Vec<Sql>>> {
        let catalogue = Catalogue::built_in();
        let query = catalogue.get(name).unwrap();
        let mut statement = connection.prepare(&canned::statement(query).unwrap()).unwrap();
        for index in 1..=statement.parameter_count() {
            let name = statement.parameter_name(index).unwrap()[1..].to_owned();
            let word = given.iter().find(|(known, _)| *known == name).map_or("", |(_, word)| word);
            statement.raw_bind_parameter(index, word).unwrap();
        }
        answer(statement)
    };
    let energydb = |words: &[&str]| {
        let line = ["query", "--quiet", "--format", "json"];
        let printed = folder.done([&line, words].concat());
        let rows: Vec<serde_json::Map<String, Value>> = serde_json::from_str(&printed).unwrap();
        // SQL clients have 1 and 0 for what JSON calls true and false.
        let cell = |cell| if let Value::Bool(yes) = cell { i64::from(yes).into() } else { cell };
        rows.into_iter()
            .map(|row| row.into_iter().map(|(_, value)| cell(value)).collect())
            .collect()
    };
    let values = |rows: Vec<Vec<Sql>>| -> Vec<Vec<Value>> {
        let cell = |cell| match cell {
            Sql::Null => Value::Null,
            Sql::Integer(number) => number.into(),
            Sql::Real(number) => number.into(),
            Sql::Text(text) => text.into(),
            Sql::Blob(_) => panic!("a blob"),
        };
        rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect()
    };
    let given = [("model", "qwen 3 14B"), ("gpu", "b200"), ("percentile", "P99")];
    let expected: Vec<Vec<Value>> =
        energydb(&["best", "--model", "qwen-3-14b", "--gpu", "B200", "--percentile", "p99"]);
    assert_eq!(expected.len(), 1);
    assert_eq!(values(ask("best", &given).unwrap()), expected);
    for query in &Catalogue::built_in().queries {
        // Of the tasks that make images or videos, none is the usual one.
        if query.name.ends_with("-media") {
            if query.head.needs.is_empty() {
                let given = [("task", "text-to-image")];
                let expected = energydb(&[&query.name, "--task", "text-to-image"]);
                assert_eq!(values(ask(&query.name, &given).unwrap()), expected, "{}", query.name);
            }
        } else if query.head.needs.is_empty() {
            let expected: Vec<Vec<Value>> = energydb(&[&query.name]);
            assert_eq!(values(ask(&query.name, &[]).unwrap()), expected, "{}", query.name);
            let pasted = connection.prepare(&canned::to_paste(query).unwrap()).unwrap();
            assert_eq!(values(answer(pasted).unwrap()), expected, "{}, pasted", query.name);
        } else {
            let error = ask(&query.name, &[]).unwrap_err().to_string();
            assert!(error.contains(&format!("{} needs ", query.name)), "{error}");
        }
    }
    for (given, why) in [
        (("model", "no-such-model"), "--model takes a name that the database has"),
        (("deadline_ms", "50ms"), "--deadline-ms takes a number"),
        (("deadline_ms", "1e999"), "--deadline-ms takes a number"),
        (("max_gpus", "1.5"), "--max-gpus takes a whole number"),
        (("percentile", "p91"), "--percentile takes one of median"),
    ] {
        let error = ask("best", &[given]).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    // Whether a row asks for the value or not.
    let at = [("model", "qwen-3-14b"), ("load", "50")];
    let media = [("task", "text-to-image")];
    for query in &Catalogue::built_in().queries {
        if !query.head.needs.is_empty() && query.name != "at" {
            continue;
        }
        for parameter in query.head.parameters.iter().filter(|other| other.kind != Kind::Text) {
            if query.head.needs.iter().any(|need| need.names.contains(&parameter.name)) {
                continue;
            }
            let wrong = (parameter.name.as_str(), "no such value");
            let given = match &query.name[..] {
                "at" => &at[..],
                name if name.ends_with("-media") => &media[..],
                _ => &[],
            };
            let given = [&[wrong], given].concat();
            let error = ask(&query.name, &given).map(|rows| rows.len()).unwrap_err().to_string();
            let why = format!("--{} takes ", parameter.flag());
            assert!(error.contains(&why), "{}: {error}", query.name);
        }
    }
}

#[test]
fn changes_since_an_older_release_are_told() {
    let folder = Folder::new();
    let mut configurations = source_configurations();
    folder.write("new.json", task_file("lm-arena-chat", &configurations));
    for configuration in &mut configurations {
        let figure = &mut configuration["p99_itl_ms"];
        *figure = (figure.as_f64().unwrap() * 2.0).into();
    }
    folder.write("old.json", task_file("lm-arena-chat", &configurations));
    folder.done([
        "build",
        "--quiet",
        "old.json",
        "-o",
        "old.sqlite",
        "--data-version",
        "2026-01-01",
    ]);
    folder.done(["build", "--quiet", "new.json", "-o", "new.sqlite"]);
    package(&folder, &["-o", "older", "--db", "old.sqlite"]);
    package(&folder, &["-o", "newer", "--db", "new.sqlite", "--since", "older"]);
    let page = String::from_utf8(folder.read("newer/CHANGES.md")).unwrap();
    let sentences = "# Changes from 2026-01-01 to 2026-10-19\n\n\
                     New: nothing.\n\nGone: nothing.\n\n\
                     Rewritten: p99_itl_ms in 328 of 328 configurations of lm-arena-chat, by -50 % in the median (";
    assert!(page.starts_with(sentences), "{page}");
    let hashes = page.find("| sha256 ").unwrap();
    assert!(page.find("## Sources and documents").unwrap() < hashes, "{page}");
    assert!(page.rfind("| p99_itl_ms ").unwrap() < hashes, "{page}");
    let told = page.lines().find(|line| line.contains("| p99_itl_ms")).unwrap();
    assert!(told.contains("328") && told.contains("-50 %"), "{told}");
    assert_whole(&folder.path("newer"));
    // A release is as good as its database.
    assert_eq!(
        folder.done(["diff", "-q", "older", "newer", "--format", "csv"]),
        folder.done(["diff", "-q", "old.sqlite", "new.sqlite", "--format", "csv"])
    );
    assert_eq!(folder.run(["diff", "newer", "new.sqlite", "--exit-code"]).status, Some(0));
}

#[test]
fn models_that_came_and_rows_that_went_are_told_first() {
    let folder = Folder::new();
    let configurations = source_configurations();
    let all = task_file("lm-arena-chat", &configurations);
    folder.write("all.json", &all);
    let of_model = |configuration: &&Value| configuration["nickname"] != "Qwen 3 14B";
    let others: Vec<_> = configurations.iter().filter(of_model).cloned().collect();
    let count = configurations.len() - others.len();
    folder.write("others.json", task_file("lm-arena-chat", &others));
    folder.done(["build", "--quiet", "all.json", "-o", "all.sqlite"]);
    folder.done(["build", "--quiet", "others.json", "-o", "others.sqlite"]);
    package(&folder, &["-o", "more", "--db", "all.sqlite", "--since", "others.sqlite"]);
    package(&folder, &["-o", "fewer", "--db", "others.sqlite", "--since", "all.sqlite"]);
    let page = |name: &str| String::from_utf8(folder.read(format!("{name}/CHANGES.md"))).unwrap();
    let told = format!("1 model (qwen-3-14b); {count} configurations of lm-arena-chat (");
    assert!(page("more").contains(&format!("\nNew: {told}")), "{}", page("more"));
    assert!(page("more").contains("\nGone: nothing.\n"), "{}", page("more"));
    assert!(page("fewer").contains(&format!("\nGone: {told}")), "{}", page("fewer"));
    assert!(page("fewer").contains("\nRewritten: nothing.\n"), "{}", page("fewer"));
}

#[test]
fn the_manifest_to_fill_in_has_the_dates_tasks_and_documents_of_the_data() {
    let folder = Folder::new();
    let built_in: Value =
        serde_json::from_slice(&fs::read(in_project("data/manifest.json")).unwrap()).unwrap();
    let printed: Value = serde_json::from_str(&folder.done(["manifest", "--quiet"])).unwrap();
    assert_eq!(printed, built_in);
    let chat = task_file("lm-arena-chat", &source_configurations());
    folder.write("data/tasks/lm-arena-chat.json", &chat);
    let index = fs::read(in_project("data/leaderboard/index.json")).unwrap();
    let mut index: Value = serde_json::from_slice(&index).unwrap();
    index["last_updated"] = "2027-01-31".into();
    folder.write("data/index.json", index.to_string());
    let printed = folder.done(["manifest", "--quiet", "data"]);
    let manifest: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(manifest["release"]["data_version"], "2027-01-31");
    assert_eq!(manifest["source"]["compiled"], "2027-01-31");
    assert_eq!(manifest["source"]["retrieved"], Value::Null);
    assert_eq!(manifest["source"]["licence"], built_in["source"]["licence"]);
    let tasks = manifest["tasks"].as_object().unwrap();
    assert!(tasks.contains_key("lm-arena-chat"), "{printed}");
    let documents = manifest["checkout"]["documents"].as_array().unwrap();
    let described = documents.iter().find(|of| of["name"] == "tasks/lm-arena-chat.json").unwrap();
    assert_eq!(described["sha256"], sha256(&chat));
    assert_eq!(described["bytes"], chat.len());
    // It builds as it is.
    folder.write("manifest.json", printed);
    folder.done(["build", "--quiet", "data", "--manifest", "manifest.json", "-o", "built.sqlite"]);
    let sql = "select data_version, updated from release";
    assert_eq!(rows(&folder.open("built.sqlite"), sql), [["2027-01-31", "2027-01-31"]]);
}

#[test]
fn the_folder_of_a_release_is_read_as_its_database() {
    let folder = packaged();
    let database = format!("release/{DATABASE}");
    let of_file = folder.done(["query", "gpus", "--db", &database]);
    assert_eq!(folder.done(["query", "gpus", "--db", "release/"]), of_file);
    assert_eq!(folder.done(["check", "release"]), folder.done(["check", &database]));
    folder.done(["package", "--quiet", "--db", "release", "-o", "again"]);
    assert_eq!(content(&folder.path("again")), content(&folder.path("release")));
    folder.refused(1, ["migrate", "release"]);
}

#[test]
fn nothing_but_a_release_is_replaced() {
    let folder = packaged();
    let before = content(&folder.path("release"));
    fs::create_dir(folder.path("empty")).unwrap();
    folder.write("notes/notes.txt", "mine");
    folder.write("file", "mine");
    folder.write("other/SHA256SUMS", "");
    folder.write("other/datapackage.json", "{}");
    let refused = |place: &str, why: &str| {
        let error = folder.refused(1, ["package", "--quiet", "-o", place]);
        assert!(error.contains(why), "{error}");
    };
    refused("empty", "is not a release folder");
    refused("notes", "is not a release folder");
    refused("other", "is not a release folder");
    refused("file", "is not a folder");
    refused("none/release", "no such folder: none");
    refused("-", "cannot be written to standard output");
    refused(".", "cannot be the name of a new folder");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("release", folder.path("link")).unwrap();
        refused("link", "is a symbolic link");
        refused("link/", "is a symbolic link");
    }
    // A file that somebody put beside those of the release would be lost.
    folder.write("release/csv/mine.csv", "mine");
    refused("release", "csv/mine.csv");
    fs::remove_file(folder.path("release/csv/mine.csv")).unwrap();
    assert_eq!(content(&folder.path("release")), before);
    assert_eq!(folder.read("notes/notes.txt"), b"mine");
    let left: Vec<_> = folder.names(".").into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn a_database_that_fails_a_check_is_not_published() {
    let folder = Folder::with_database();
    let changed = folder
        .open_to_change("energy.sqlite")
        .execute("update configurations set p99_itl_ms = p99_itl_ms + 1", [])
        .unwrap();
    assert_eq!(changed, 328);
    let error = folder.refused(1, ["package", "-o", "release"]);
    assert!(error.contains("energy.sqlite cannot be published: the check content-hash"), "{error}");
    assert_eq!(folder.names("."), ["energy.sqlite"]);
    let error = folder.refused(1, ["package", "-o", "release", "--db", "none.sqlite"]);
    assert!(error.contains("no such database: none.sqlite"), "{error}");
}

#[test]
fn a_name_that_a_spreadsheet_would_run_is_no_name() {
    for start in ["=", "+", "-", "@", "\t", "\r"] {
        for field in ["nickname", "gpu_model", "model_id", "weight_precision", "architecture"] {
            let folder = Folder::new();
            let mut configurations = source_configurations();
            configurations.truncate(1);
            configurations[0][field] = format!("{start}HYPERLINK(1)").into();
            folder.write("source.json", task_file("lm-arena-chat", &configurations));
            let ended = folder.run(["build", "--quiet", "source.json"]);
            assert_eq!(ended.status, Some(1), "{field} {start:?}");
            assert!(ended.err.contains("[name-form]"), "{}", ended.err);
        }
    }
    let folder = packaged();
    for (name, bytes) in content(&folder.path("release/csv")) {
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        for cell in reader
            .records()
            .flat_map(|row| row.unwrap().iter().map(String::from).collect::<Vec<_>>())
        {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{name}: {cell}");
        }
    }
}

#[test]
fn whenever_it_is_killed_there_is_a_whole_release_or_none() {
    let folder = Folder::with_database();
    let start = Instant::now();
    package(&folder, &["-o", "release"]);
    let duration = start.elapsed();
    fs::remove_dir_all(folder.path("release")).unwrap();
    let mut was_there = false;
    for step in 0..16_u32 {
        let mut child = folder.command().args(["package", "-q", "-o", "release"]).spawn().unwrap();
        std::thread::sleep(duration * step / 14 + Duration::from_millis(1));
        // It may have ended.
        let _ = child.kill();
        child.wait().unwrap();
        let is_there = folder.path("release").exists();
        assert!(is_there || !was_there, "the older release is gone");
        was_there = is_there;
        if is_there {
            assert_whole(&folder.path("release"));
        }
    }
    package(&folder, &["-o", "release"]);
    assert_eq!(folder.names("."), ["energy.sqlite", "release"]);
    assert_whole(&folder.path("release"));
}

#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_told_with_the_file_and_leaves_the_older_release() {
    let folder = packaged();
    let before = content(&folder.path("release"));
    let program = env!("CARGO_BIN_EXE_energydb");
    for blocks in [0, 16, 300] {
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg(format!("ulimit -f {blocks}; exec '{program}' package -q -o release"));
        let output = shell.current_dir(folder.path(".")).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.starts_with("error: could not write the database: "), "{told}");
        assert!(told.contains("energydb.sqlite"), "{told}");
        assert_eq!(content(&folder.path("release")), before);
        assert_eq!(folder.names("."), ["release"]);
    }
}

#[cfg(unix)]
#[test]
fn who_may_read_a_release_may_read_the_one_that_replaces_it_and_nobody_else_meanwhile() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_database();
    package(&folder, &["-o", "release"]);
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    let names = [("release", 0o750), ("release/README.md", 0o640), ("release/csv", 0o700)];
    for (name, mode) in names {
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut child = folder.program(["package", "-q", "-o", "release"]).spawn().unwrap();
    let hidden = || folder.names("").into_iter().find(|name| name.starts_with('.'));
    let meanwhile = loop {
        if let Some(name) = hidden() {
            break mode(&name);
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended");
    };
    assert_eq!(meanwhile, 0o700);
    assert!(child.wait().unwrap().success());
    for (name, expected) in names {
        assert_eq!(mode(name), expected, "{name}");
    }
    // What the older one did not have is for those who may read its folder.
    folder.done(["build", "-q", DATA, "--data-version", "2027-01-01"]);
    package(&folder, &["-o", "release", "--db", "energy.sqlite"]);
    assert_eq!(mode("release/energydb-2027-01-01.sqlite"), 0o640);
    assert_whole(&folder.path("release"));
}

#[test]
fn a_package_whose_time_is_over_leaves_nothing() {
    let folder = packaged();
    let before = content(&folder.path("release"));
    for seconds in ["0.001", "0.05", "0.3"] {
        let place = format!("new-{seconds}");
        let command = ["package", "-q", "--timeout", seconds, "-o"];
        for place in ["release", &place] {
            let ended = folder.run(command.iter().copied().chain([place]));
            if ended.status == Some(0) {
                continue;
            }
            assert_eq!(ended.status, Some(1), "{seconds}: {ended:?}");
            assert!(ended.err.contains("stopped after the time given with --timeout"), "{ended:?}");
        }
        let names = folder.names("");
        assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
    }
    assert_eq!(content(&folder.path("release")), before);
}
