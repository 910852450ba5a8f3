//! Breaks real documents in every way that data is known to break. The program must refuse them, say where and
//! why, and leave no database.

use std::sync::atomic::AtomicU64;

use crate::common::Folder;
use crate::common::documents::{Row, document, document_of, gzip, real_rows};
use energydb::input::document::Document;
use energydb::input::findings::Accepted;
use energydb::input::read;
use energydb::measurement::check::{Check, Finding};
use energydb::signal::Signals;

const COUNTS: [&str; 5] =
    ["data_parallel", "expert_parallel", "max_num_seqs", "num_gpus", "tensor_parallel"];
const NAMES: [&str; 5] = ["architecture", "gpu_model", "model_id", "nickname", "weight_precision"];

/// What no field may hold.
const NEVER: [&str; 15] = [
    "null",
    "true",
    "false",
    "{}",
    "{\"value\": 1}",
    "[]",
    "[1]",
    "NaN",
    "nan",
    "Infinity",
    "-Infinity",
    "inf",
    "None",
    "'x'",
    "undefined",
];

/// What no number may be.
const NO_NUMBERS: [&str; 31] = [
    "\"12\"",
    "\"\"",
    "\"n/a\"",
    "0",
    "0.0",
    "-0.0",
    "0e9",
    "-1",
    "-1.5",
    "1e400",
    "-1e400",
    "1e-400",
    "4.9e-324",
    "2.2e-308",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "01",
    "00",
    "+1",
    ".5",
    "1.",
    "1,5",
    "1_000",
    "0x10",
    "1e",
    "1e+",
    "--1",
    "1.5.5",
    "1 2",
];

/// What a number may be, but not a count.
const NO_COUNTS: [&str; 6] = ["1.5", "8.0", "1e1", "0.999", "4294967296", "1e-3"];

/// What a name may not be, as bytes of JSON.
const NO_NAMES: [&[u8]; 31] = [
    b"12",
    b"1.5",
    b"\"\"",
    b"\" \"",
    b"\" x\"",
    b"\"x \"",
    b"\"\\tx\"",
    b"\"x\\n\"",
    "\"x\u{a0}\"".as_bytes(),
    b"\"=cmd()\"",
    b"\"+1\"",
    b"\"-1\"",
    b"\"@x\"",
    b"\"'x\"",
    b"\"a\x01b\"",
    b"\"a\nb\"",
    b"\"a\\u0001b\"",
    b"\"a\\u007fb\"",
    b"\"a\\u0085b\"",
    b"\"a\\u0000b\"",
    b"\"a\0b\"",
    b"\"a\\ud800b\"",
    b"\"a\\udc00\"",
    b"\"\\ud800\\ud800\"",
    b"\"a\xffb\"",
    b"\"a\xc0\xafb\"",
    b"\"a\xed\xa0\x80b\"",
    b"\"a\\xb\"",
    "\"a\u{200b}b\"".as_bytes(),
    "\"a\u{202e}b\"".as_bytes(),
    "\"a\u{feff}b\"".as_bytes(),
];

/// Every way to break a field: the text to put in its place.
fn breakages(field: &str) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = NEVER.iter().map(|text| text.as_bytes().to_vec()).collect();
    if NAMES.contains(&field) {
        all.extend(NO_NAMES.iter().map(|bytes| bytes.to_vec()));
        all.push(format!("\"{}\"", "x".repeat(201)).into_bytes());
    } else {
        all.extend(NO_NUMBERS.iter().map(|text| text.as_bytes().to_vec()));
    }
    if COUNTS.contains(&field) {
        all.extend(NO_COUNTS.iter().map(|text| text.as_bytes().to_vec()));
    }
    if field == "gpu_model" {
        all.push(b"\"a/b\"".to_vec());
    }
    all
}

/// What is found in documents, in the order in which they are read.
fn findings(folder: &Folder, documents: &[&[u8]]) -> Vec<Finding> {
    let paths: Vec<_> = documents
        .iter()
        .enumerate()
        .map(|(index, bytes)| folder.write(format!("{index}.json"), bytes))
        .collect();
    let order = read::order(Document::of_inputs(&paths, &Signals::none()).unwrap()).unwrap();
    let progress = AtomicU64::new(0);
    let nothing = Accepted::default();
    let reading = read::read(&order.documents, &nothing, false, &progress, &mut |_| true).unwrap();
    reading.documents.into_iter().flat_map(|document| document.findings.told).collect()
}

/// Three rows of two models.
fn some_rows() -> [Row; 3] {
    let rows = real_rows();
    let other = rows.iter().find(|row| row.text("model_id") != rows[0].text("model_id")).unwrap();
    [rows[0].clone(), rows[1].clone(), other.clone()]
}

/// Asserts that the document is refused because of this field of this row.
#[track_caller]
fn refused(folder: &Folder, rows: &[Row], position: usize, field: &str) -> Vec<Finding> {
    let text = document(rows);
    let found = findings(folder, &[&text]);
    let pointer = format!("/configurations/{position}/{field}");
    let names_it = |finding: &Finding| {
        let place = finding.place.split(", line").next().unwrap();
        place == pointer && !finding.value.is_empty() && !finding.expected.is_empty()
    };
    let shown = String::from_utf8_lossy(&text);
    assert!(found.iter().any(names_it), "expected {pointer}, found {found:#?} in {shown}");
    for finding in &found {
        assert!(!finding.to_string().contains(char::is_control), "{finding:?}");
    }
    found
}

#[test]
fn a_sound_document_has_no_findings() {
    let folder = Folder::new();
    assert_eq!(findings(&folder, &[&document(&some_rows())]), []);
    assert_eq!(findings(&folder, &[&document(&real_rows())]), []);
}

#[test]
fn every_field_broken_in_every_way_is_refused_by_its_name() {
    let folder = Folder::new();
    let rows = some_rows();
    let mut count = 0;
    for (field, _) in &rows[0].0 {
        for (index, broken) in breakages(field).into_iter().enumerate() {
            let position = index % rows.len();
            let mut rows = rows.clone();
            rows[position] = rows[position].with(field, &broken);
            refused(&folder, &rows, position, field);
            count += 1;
        }
    }
    assert!(count > 900, "{count}");
}

#[test]
fn every_field_missing_or_given_twice_is_refused_by_its_name() {
    let folder = Folder::new();
    let rows = some_rows();
    for (field, text) in &rows[0].0 {
        for position in 0..rows.len() {
            let mut missing = rows.clone();
            missing[position] = rows[position].without(field);
            refused(&folder, &missing, position, field);

            for again in [&text[..], b"null", rows[2].text(field).as_bytes()] {
                let mut twice = rows.clone();
                twice[position] = rows[position].and(field, again);
                let found = refused(&folder, &twice, position, field);
                assert_eq!(found[0].check, Check::DuplicateKey);
            }
        }
    }
    let unknown_twice = rows[0].and("a/b~c\n", "1").and("a/b~c\n", "2");
    let found = refused(&folder, &[unknown_twice], 0, "a~1b~0c\\n");
    assert_eq!(found[0].check, Check::DuplicateKey);
}

#[test]
fn broken_text_is_told_with_its_field_and_with_line_and_column() {
    let folder = Folder::new();
    let rows = some_rows();
    let text = document(&[rows[0].clone(), rows[1].with("p90_itl_ms", "NaN")]);
    let found = findings(&folder, &[&text]);
    // Each row takes 24 lines, and the field is the seventeenth of its row.
    assert_eq!(found[0].place, "/configurations/1/p90_itl_ms, line 43, column 17");
    assert_eq!(found[0].check, Check::Json);
    assert!(found[0].value.contains("NaN"), "{found:?}");
}

#[test]
fn relations_between_figures_are_refused_at_the_figure_that_breaks_them() {
    let folder = Folder::new();
    let rows = some_rows();
    let refused_for = |field: &str, factor: f64, at: &str, check: Check| {
        for position in 0..rows.len() {
            let mut broken = rows.clone();
            broken[position] =
                rows[position].with_number(field, rows[position].number(field) * factor);
            let found = refused(&folder, &broken, position, at);
            assert_eq!(found[0].check, check, "{field}");
        }
    };
    for factor in [1.0 + 2e-6, 1.0 - 2e-6, 1.5, 1e-3, 1e290] {
        use Check::{PowerIdentity, RequestEnergyIdentity};
        refused_for("avg_power_watts", factor, "avg_power_watts", PowerIdentity);
        refused_for("output_throughput_tokens_per_sec", factor, "avg_power_watts", PowerIdentity);
        refused_for("energy_per_token_joules", factor, "avg_power_watts", PowerIdentity);
        let request = "energy_per_request_joules";
        refused_for("avg_output_len", factor, request, RequestEnergyIdentity);
        refused_for(request, factor, request, RequestEnergyIdentity);
        refused_for("energy_per_token_joules", factor, "avg_power_watts", PowerIdentity);
    }
    refused_for("median_itl_ms", 1e3, "p90_itl_ms", Check::ItlOrder);
    refused_for("p90_itl_ms", 1e-3, "p90_itl_ms", Check::ItlOrder);
    refused_for("p95_itl_ms", 1e-3, "p95_itl_ms", Check::ItlOrder);
    refused_for("p99_itl_ms", 1e-3, "p99_itl_ms", Check::ItlOrder);
    refused_for("avg_batch_size", 1.1, "avg_batch_size", Check::LoadWithinLimit);
    let active = "activated_params_billions";
    refused_for(active, 100.0, active, Check::ActiveWithinTotal);
}

#[test]
fn figures_within_the_tolerance_are_not_refused() {
    let folder = Folder::new();
    let row = &some_rows()[0];
    for factor in [1.0 + 9e-7, 1.0 - 9e-7] {
        let near = row.with_number("avg_power_watts", row.number("avg_power_watts") * factor);
        assert_eq!(findings(&folder, &[&document(&[near])]), []);
    }
    let equal = row.number("median_itl_ms");
    let flat = ["p90_itl_ms", "p95_itl_ms", "p99_itl_ms"]
        .iter()
        .fold(row.clone(), |row, field| row.with_number(field, equal));
    assert_eq!(findings(&folder, &[&document(&[flat])]), []);
    let full = row.with("avg_batch_size", row.text("max_num_seqs"));
    assert_eq!(findings(&folder, &[&document(&[full])]), []);
}

/// Rows that contradict the first one, with the field at fault and the check.
fn contradictions(row: &Row) -> Vec<(Row, &'static str, Check)> {
    let upper = |field: &str| row.text(field).to_uppercase();
    let lower = |field: &str| row.text(field).to_lowercase();
    let other_model = row.with("model_id", "\"Other/Model\"");
    vec![
        (row.with("nickname", "\"Qwen 3  14B\""), "nickname", Check::ModelFacts),
        (row.with("nickname", upper("nickname")), "nickname", Check::ModelFacts),
        (row.with("architecture", "\"MoE\""), "architecture", Check::ModelFacts),
        (row.with("total_params_billions", "14.1"), "total_params_billions", Check::ModelFacts),
        (
            row.with("activated_params_billions", "13.9"),
            "activated_params_billions",
            Check::ModelFacts,
        ),
        (row.with("model_id", upper("model_id")), "model_id", Check::NameSpelling),
        (row.with("gpu_model", lower("gpu_model")), "gpu_model", Check::NameSpelling),
        (row.with("weight_precision", "\"BF16\""), "weight_precision", Check::NameSpelling),
        (row.with("weight_precision", "\"BFLOAT16\""), "weight_precision", Check::NameSpelling),
        (
            other_model.with("nickname", "\"Other\"").with("architecture", upper("architecture")),
            "architecture",
            Check::NameSpelling,
        ),
        (other_model.clone(), "nickname", Check::ModelSlug),
        (other_model.with("nickname", "\"QWEN-3 (14b)\""), "nickname", Check::ModelSlug),
        (other_model.with("nickname", "\"Σ\""), "nickname", Check::ModelSlug),
    ]
}

#[test]
fn rows_that_contradict_an_earlier_one_are_refused_in_one_document_and_in_two() {
    let folder = Folder::new();
    let row = some_rows()[0].clone();
    for (other, field, check) in contradictions(&row) {
        let found = refused(&folder, &[row.clone(), other.clone()], 1, field);
        assert_eq!(found[0].check, check, "{field}");

        // The task decides which document is read first.
        let first = document_of("a", std::slice::from_ref(&row));
        let second = document_of("b", &[other]);
        for documents in [[&first[..], &second], [&second, &first]] {
            let found = findings(&folder, &documents);
            assert_eq!(found[0].place, format!("/configurations/0/{field}"));
            assert_eq!(found[0].check, check, "{field}");
        }
    }
}

#[test]
fn the_same_configuration_with_other_figures_in_another_document_is_refused() {
    let folder = Folder::new();
    let row = some_rows()[0].clone();
    let fields = ["p99_itl_ms", "avg_batch_size"];
    for field in fields {
        let other = row.with_number(field, row.number(field) * (1.0 - 1e-15));
        assert_ne!(other.text(field), row.text(field));
        folder.write("a.json", document(&[some_rows()[2].clone(), row.clone()]));
        folder.write("b.json", document(&[other]));
        for inputs in [["a.json", "b.json"], ["b.json", "a.json"]] {
            let ran = folder.run([&["build"], &inputs[..]].concat()).failed(1, "1 finding in 1");
            let parts = [field, row.text(field), "[same-configuration]", ".json: /configurations/"];
            ran.found(&parts);
            assert!(!folder.names("").contains(&"energy.sqlite".into()));
        }
    }
    // Within one document it is a repeat.
    let again = row.with_number("p99_itl_ms", row.number("p99_itl_ms") * 2.0);
    folder.write("a.json", document(&[row, again]));
    folder.run(["build", "a.json"]).succeeded();
}

#[test]
fn the_same_rows_in_another_document_are_stored_once() {
    let folder = Folder::new();
    let [first, second, third] = some_rows();
    let repeat = first.with_number("p99_itl_ms", first.number("p99_itl_ms") * 2.0);
    folder.write("a.json", document(&[first.clone(), repeat.clone(), second]));
    folder.write("b.json", document(&[repeat, third, first]));
    let ran = folder.run(["build", "b.json", "a.json"]).succeeded();
    assert!(
        ran.err.contains("note: 2 configurations of b.json are also in another document"),
        "{ran:?}"
    );
    assert_eq!(folder.csv("energy.sqlite", "select count(*) from configurations"), ["4"]);
    let built = folder.read("energy.sqlite");
    folder.run(["build", "a.json", "b.json"]).succeeded();
    assert!(built == folder.read("energy.sqlite"), "the order of inputs made another database");

    // The same bytes are read once, under whatever name.
    folder.write("c.json", folder.read("a.json"));
    let ran = folder.run(["build", "c.json", "a.json", "a.json"]).succeeded();
    assert_eq!(ran.lines("note: ").iter().filter(|line| line.contains("read once")).count(), 2);
    // One broken document says nothing of another that begins like it.
    folder.write("c.json", b"{]".repeat(3));
    folder.write("d.json", b"{]".repeat(4));
    let ran = folder.run(["build", "c.json", "d.json"]).failed(1, "2 findings in 2 documents");
    assert!(!ran.err.contains("read once"), "{ran:?}");
}

#[test]
fn another_title_of_a_task_is_noted_and_the_first_is_stored() {
    let folder = Folder::new();
    let [first, _, third] = some_rows();
    folder.write("a.json", document(&[first]));
    let text = String::from_utf8(document(&[third])).unwrap();
    folder.write("b.json", text.replace("\"Chat\"", "\"Talk\""));
    let ran = folder.run(["build", "a.json", "b.json"]).succeeded();
    assert!(ran.err.contains("have different task_display_name"), "{ran:?}");
    assert_eq!(folder.csv("energy.sqlite", "select count(*) from tasks"), ["1"]);
}

#[test]
fn the_program_refuses_each_field_in_one_line_and_leaves_no_database() {
    let folder = Folder::new();
    let rows = some_rows();
    for (index, (field, _)) in rows[0].0.iter().enumerate() {
        let all = breakages(field);
        let broken = &all[(index * 7) % all.len()];
        folder.write("in.json", document(&[rows[0].clone(), rows[1].with(field, broken)]));
        let ran = folder.run(["build", "in.json"]);
        let pointer = format!("/configurations/1/{field}");
        ran.failed(1, "nothing was written to energy.sqlite").found(&["in.json", &pointer]);
        assert_eq!(folder.names(""), ["in.json"]);
    }
}

#[test]
fn task_stands_before_or_after_the_configurations() {
    let folder = Folder::new();
    let text = String::from_utf8(document(&some_rows())).unwrap();
    let rows = &text[text.find('[').unwrap()..=text.rfind(']').unwrap()];
    for text in [
        format!("{{\"task\": \"a\", \"configurations\": {rows}}}"),
        format!("{{\"configurations\": {rows}, \"task\": \"a\"}}"),
        format!(
            "\n {{ \"task_display_name\": \"A\", \"configurations\" :{rows}\t,\"task\":\"a\"}} \r\n"
        ),
        format!("\u{feff}{{\"task\": \"a\", \"configurations\": {rows}}}"),
    ] {
        assert_eq!(findings(&folder, &[text.as_bytes()]), [], "{text}");
        folder.write("in.json", text);
        folder.run(["build", "in.json"]).succeeded();
    }
}

#[test]
fn what_stands_behind_a_document_is_told_by_its_line_alone() {
    let folder = Folder::new();
    folder.write("in.json", "{\"task\": \"a\"}\n x");
    folder.run(["build", "in.json"]).failed(1, "nothing").found(&["in.json: line 2, column 2: "]);
}

#[test]
fn a_document_of_another_form_is_not_taken_for_one_that_changed_while_it_was_read() {
    let folder = Folder::new();
    folder.write("a.json", format!("[1]{}", " ".repeat(200_000)));
    folder.write("b.json", "{\"models\": [], \"models\": {}, \"tasks\": []}");
    folder.write("c.json", document(&some_rows()));
    let ran = folder.run(["build", "a.json", "b.json", "c.json"]).failed(1, "3 findings");
    ran.found(&["a.json", "[document-form]"]).found(&["b.json: /models", "[field-type]"]);
}

#[test]
fn documents_of_another_form_are_refused() {
    let folder = Folder::new();
    let text = String::from_utf8(document(&some_rows())).unwrap();
    let rows = &text[text.find('[').unwrap()..=text.rfind(']').unwrap()];
    let with_task = |task: &str| format!("{{\"task\": {task}, \"configurations\": {rows}}}");
    let with_rows = |rows: &str| format!("{{\"task\": \"a\", \"configurations\": {rows}}}");
    let unnested = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        format!("{{\"task\": \"a\", \"x\": {open}{close}, \"configurations\": {rows}}}")
    };
    let cases: Vec<(String, &str, Check)> = vec![
        (String::new(), "line 1, column 1", Check::Json),
        (" \n".into(), "line 2, column 1", Check::Json),
        ("\u{feff}".into(), "line 1, column", Check::Json),
        ("\u{feff}\u{feff}{}".into(), "line 1, column", Check::Json),
        ("[]".into(), "/", Check::DocumentForm),
        ("{}".into(), "/", Check::DocumentForm),
        ("12".into(), "/", Check::DocumentForm),
        ("\"a\"".into(), "/", Check::DocumentForm),
        ("null".into(), "/", Check::DocumentForm),
        (rows.to_owned(), "/", Check::DocumentForm),
        (format!("{{\"configurations\": {rows}}}"), "/", Check::DocumentForm),
        ("{\"task\": \"a\"}".into(), "/", Check::DocumentForm),
        (with_task("null"), "/task", Check::FieldType),
        (with_task("1"), "/task", Check::FieldType),
        (with_task("[\"a\"]"), "/task", Check::FieldType),
        (with_task("{\"a\": 1}"), "/task", Check::FieldType),
        (with_task("\"\""), "/task", Check::NameForm),
        (with_task("\" a\""), "/task", Check::NameForm),
        (with_task("\"A\""), "/task", Check::NameForm),
        (with_task("\"a b\""), "/task", Check::NameForm),
        (with_task("\"..\""), "/task", Check::NameForm),
        (with_task("\"../a\""), "/task", Check::NameForm),
        (with_task("\"a\\u0000\""), "/task, line 1", Check::Json),
        (with_task("NaN"), "/task, line 1", Check::Json),
        (with_task("\"a\", \"task\": \"a\""), "/task", Check::DuplicateKey),
        (with_task("\"a\", \"task\": \"b\""), "/task", Check::DuplicateKey),
        (with_task("\"a\", \"task_display_name\": 1"), "/task_display_name", Check::FieldType),
        (with_task("\"a\", \"task_display_name\": \" A\""), "/task_display_name", Check::NameForm),
        (with_rows("[]"), "/configurations", Check::Rows),
        (with_rows("null"), "/configurations", Check::FieldType),
        (with_rows("{}"), "/configurations", Check::FieldType),
        (with_rows("\"[]\""), "/configurations", Check::FieldType),
        (with_rows("[1]"), "/configurations/0", Check::FieldType),
        (with_rows("[null]"), "/configurations/0", Check::FieldType),
        (with_rows("[[]]"), "/configurations/0", Check::FieldType),
        (with_rows("[{}]"), "/configurations/0/activated_params_billions", Check::MissingField),
        (
            "{\"configurations\": [{\"num_gpus\": 1".into(),
            "/configurations/0/num_gpus, line 1",
            Check::Json,
        ),
        (with_rows("[,]"), "/configurations, line 1", Check::Json),
        (
            with_rows(&format!("{rows}, \"configurations\": {rows}")),
            "/configurations",
            Check::DuplicateKey,
        ),
        (
            with_rows(&format!("{rows}, \"configurations\": []")),
            "/configurations",
            Check::DuplicateKey,
        ),
        (
            with_rows(&format!("[], \"configurations\": {rows}")),
            "/configurations",
            Check::DuplicateKey,
        ),
        (with_rows(&format!("{rows}, \"x\": 1, \"x\": 1")), "/x", Check::DuplicateKey),
        (format!("{text} x"), "line", Check::Json),
        (format!("{text}{text}"), "line", Check::Json),
        (format!("{text}\0"), "line", Check::Json),
        (format!("{text},"), "line", Check::Json),
        (format!("{text}// done"), "line", Check::Json),
        (unnested(200), "line 1", Check::Json),
        (unnested(1_000_000), "line 1", Check::Json),
        ("[".repeat(1_000_000), "line 1", Check::Json),
        ("{\"a\":".repeat(1_000_000), "line 1", Check::Json),
        (format!("{{\"{}\": 1}}", "x".repeat(2 << 20)), "line 1", Check::Json),
        (with_task(&format!("\"{}\"", "x".repeat(2 << 20))), "/task, line 1", Check::Json),
        (with_task(&"1".repeat(2 << 20)), "/task, line 1", Check::Json),
    ];
    for (text, place, check) in cases {
        let found = findings(&folder, &[text.as_bytes()]);
        let start: String = text.chars().take(80).collect();
        let is_there = |finding: &Finding| {
            finding.check == check
                && (finding.place == place
                    || (check == Check::Json && finding.place.contains(place)))
        };
        assert!(found.iter().any(is_there), "{start}: {found:?}");
    }
    assert_eq!(findings(&folder, &[unnested(100).as_bytes()]), []);
}

#[test]
fn a_document_cut_at_any_byte_is_refused_plain_and_packed() {
    let folder = Folder::new();
    let text = document(&some_rows()[..1]);
    for length in 0..text.len() {
        assert_ne!(findings(&folder, &[&text[..length]]), [], "{length} of {} bytes", text.len());
    }
    let packed = gzip(&text);
    assert_eq!(findings(&folder, &[&packed]), []);
    for length in 0..packed.len() {
        assert_ne!(findings(&folder, &[&packed[..length]]), [], "{length} packed bytes");
    }
}

#[test]
fn a_changed_bit_of_a_packed_document_is_refused() {
    let folder = Folder::new();
    let text = document(&some_rows()[..1]);
    let packed = gzip(&text);
    // What the header says beside the method (time, level, system) has no meaning here.
    // Neither have the last bits before the checksum, which fill a byte.
    let last = packed.len() - 9;
    for index in (0..packed.len()).filter(|index| !(4..10).contains(index) && *index != last) {
        let mut broken = packed.clone();
        broken[index] ^= 1 << (index % 8);
        assert_ne!(findings(&folder, &[&broken]), [], "byte {index}");
    }
}

#[test]
fn gzip_is_known_by_its_content_and_unpacked_once() {
    let folder = Folder::new();
    let text = document(&some_rows());
    let (first, second) = text.split_at(text.len() / 2);
    for (name, content) in [
        ("packed.json", gzip(&text)),
        ("packed", gzip(&text)),
        ("plain.json.gz", text.clone()),
        ("members.json.gz", [gzip(first), gzip(second)].concat()),
        ("marked.gz", gzip(&[b"\xef\xbb\xbf", &text[..]].concat())),
    ] {
        folder.write(name, content);
        folder.run(["build", name]).succeeded();
    }
    for (name, content) in [
        ("twice.gz", gzip(&gzip(&text))),
        ("trailing.gz", [&gzip(&text)[..], b"rubbish"].concat()),
        ("two-texts.gz", [gzip(&text), gzip(&text)].concat()),
        ("empty.gz", gzip(b"")),
        ("magic.gz", b"\x1f\x8b".to_vec()),
    ] {
        folder.write(name, content);
        folder
            .run(["build", name, "-o", "no.sqlite"])
            .failed(1, "1 finding")
            .found(&[name, "[json]"]);
    }
    assert!(!folder.names("").contains(&"no.sqlite".into()));
}

#[test]
fn a_decompression_bomb_ends_early() {
    let folder = Folder::new();
    // Members one after the other unpack to one text.
    let name = gzip(&vec![b'x'; 1 << 20]).repeat(80);
    folder.write("in.gz", [gzip(b"{\"task\": \""), name].concat());
    folder.run(["build", "in.gz"]).failed(1, "1 finding").found(&["in.gz: /task, line 1"]);
}

#[test]
#[ignore = "takes five seconds"]
fn a_decompression_bomb_of_blanks_ends_early() {
    let folder = Folder::new();
    folder.write("in.gz", gzip(&vec![b' '; 1 << 20]).repeat(80));
    let ran = folder.run(["build", "in.gz"]).failed(1, "1 finding");
    ran.found(&["in.gz: gzip", "more than 200 times its size"]);
}

#[test]
fn standard_input_is_a_document_like_any_other() {
    let folder = Folder::new();
    let text = document(&some_rows());
    for input in [text.clone(), gzip(&text)] {
        folder.run_with_input(["build", "-"], &input).succeeded();
        assert_eq!(
            folder.csv("energy.sqlite", "select name from documents"),
            ["tasks/lm-arena-chat.json"]
        );
    }
    folder.write("b.json", document_of("b", &some_rows()));
    folder.run_with_input(["build", "b.json", "-"], &text).succeeded();
    let names = folder.csv("energy.sqlite", "select name from documents");
    assert_eq!(names, ["tasks/b.json", "tasks/lm-arena-chat.json"]);
    folder.run_with_input(["build", "-", "-"], &text).failed(1, "more than once");
    let ran = folder.run_with_input(["build", "-"], &text[..100]);
    ran.failed(1, "1 finding").found(&["standard input: /configurations/0"]);
    folder.run_with_input(["build", "-"], b"").failed(1, "1 finding");
}

#[test]
fn fields_that_are_not_known_are_told_once_for_each_file_and_strict_refuses_them() {
    let folder = Folder::new();
    let rows = some_rows().map(|row| row.and("new_field", "{\"a\": [1, null]}"));
    let text = String::from_utf8(document(&rows)).unwrap();
    let text = text.replacen('{', "{\"odd\\nname\": null, ", 1);
    folder.write("a.json", &text);
    folder.write("b.json", text.replace("lm-arena-chat", "b"));
    let ran = folder.run(["build", "a.json", "b.json"]).succeeded();
    let warnings = ran.lines("warning: ");
    assert_eq!(warnings.len(), 4, "{ran:?}");
    for name in ["a.json", "b.json"] {
        for told in ["\"new_field\", 3 times", "\"odd\\nname\", once"] {
            let tells = |line: &&&str| line.contains(name) && line.contains(told);
            assert_eq!(warnings.iter().filter(tells).count(), 1, "{name} {told}: {ran:?}");
        }
    }
    let ran = folder.run(["build", "--strict", "a.json", "-o", "no.sqlite"]);
    ran.failed(1, "2 findings").found(&["a.json", "new_field", "3 times", "[unknown-field]"]);
    assert!(!folder.names("").contains(&"no.sqlite".into()));
}

#[test]
fn many_findings_are_printed_in_part_and_counted_in_full_for_all_documents() {
    let folder = Folder::new();
    let row = some_rows()[0].clone();
    let broken = |count: usize| vec![row.with("num_gpus", "0"); count];
    for (count, told) in [(20, 20), (21, 21), (150, 21)] {
        folder.write("a.json", document(&broken(count)));
        let ran =
            folder.run(["build", "a.json"]).failed(1, &format!("{count} findings in 1 document"));
        assert_eq!(ran.lines("finding: ").len(), told, "{ran:?}");
        if count > 20 {
            ran.found(&[&format!("finding: and {} more; --all-findings shows more", count - 20)]);
        }
    }
    folder.write("b.json", document_of("b", &broken(25)));
    let ran = folder.run(["build", "a.json", "b.json"]).failed(1, "175 findings in 2 documents");
    assert_eq!(ran.lines("finding: ").len(), 21, "{ran:?}");
    assert!(ran.err.starts_with("summary: 175 findings of number-range in 2 documents"), "{ran:?}");
    ran.found(&["and 155 more"]);
}

#[test]
fn many_conflicts_between_documents_are_told_in_part_and_counted_in_full() {
    let folder = Folder::new();
    let rows = real_rows();
    folder.write("a.json", document(&rows));
    let others: Vec<_> = rows
        .iter()
        .map(|row| row.with_number("p99_itl_ms", row.number("p99_itl_ms") * 1.5))
        .collect();
    folder.write("b.json", document(&others));
    let ran = folder.run(["build", "a.json", "b.json"]).failed(1, "328 findings in 1 document");
    assert_eq!(ran.lines("finding: ").len(), 21);
}

#[test]
fn inputs_that_are_not_files_or_not_there_are_refused() {
    let folder = Folder::new();
    folder.run(["build", "no.json"]).failed(1, "no.json");
    folder.run(["build", "."]).failed(1, "folder");
    folder.run(["build", ""]).failed(2, "INPUT");
    folder.write("a\nb.json", b"{");
    let ran = folder.run(["build", "a\nb.json"]).failed(1, "1 finding");
    assert_eq!(ran.err.lines().count(), 2, "{ran:?}");
    assert_eq!(folder.names(""), ["a\nb.json"]);
}

#[test]
fn accepted_findings_are_loaded_and_recorded() {
    let folder = Folder::new();
    let rows = real_rows();
    let all = |field: &str, factor: f64| -> Vec<Row> {
        rows.iter().map(|row| row.with_number(field, row.number(field) * factor)).collect()
    };
    let one = |field: &str, factor: f64| {
        let mut one = rows.clone();
        one[95] = rows[95].with_number(field, rows[95].number(field) * factor);
        one
    };
    let active = "activated_params_billions";
    let model = rows[95].text("model_id");
    let of_model = rows.iter().filter(|row| row.text("model_id") == model).count();
    let one_model: Vec<_> = rows
        .iter()
        .map(|row| {
            let above = row.number("total_params_billions") + 1.0;
            if row.text("model_id") == model { row.with_number(active, above) } else { row.clone() }
        })
        .collect();
    for (check, field, rows, count) in [
        ("power-identity", "avg_power_watts", all("output_throughput_tokens_per_sec", 1.5), 328),
        ("request-energy-identity", "energy_per_request_joules", all("avg_output_len", 0.5), 328),
        ("itl-order", "p95_itl_ms", one("p95_itl_ms", 1e-3), 1),
        ("load-within-limit", "avg_batch_size", all("avg_batch_size", 1.2), 328),
        // The document says so in every row of the model, and each is a finding.
        ("active-within-total", active, one_model, of_model),
    ] {
        folder.write("in.json", document(&rows));
        let many = format!("{count} finding");
        folder.run(["build", "in.json"]).failed(1, &many).found(&[field, check]);
        for other in ["power-identity", "itl-order"].iter().filter(|other| **other != check) {
            folder.run(["build", "in.json", "--accept", other]).failed(1, &many);
        }
        assert_eq!(folder.names(""), ["in.json"]);

        let accepting = ["build", "in.json", "--accept", check];
        let ran = folder.run([&accepting[..], &["--dry-run"]].concat()).succeeded();
        assert!(ran.text().contains(&many), "{ran:?}");
        assert_eq!(folder.names(""), ["in.json"]);
        let ran = folder.run(accepting).succeeded();
        assert!(ran.text().contains(&many), "{ran:?}");
        let sql = format!(
            "select count(*), count(distinct place), min(check_name), max(check_name), \
             sum(place like '/configurations/%/{field}' and value <> '' and expected <> ''), \
             min(documents.name) from findings join documents using (document_id)"
        );
        let expected = format!("{count},{count},{check},{check},{count},tasks/lm-arena-chat.json");
        assert_eq!(folder.csv("energy.sqlite", &sql), [expected]);
        assert_eq!(folder.csv("energy.sqlite", "select count(*) from configurations"), ["328"]);
        std::fs::remove_file(folder.path("energy.sqlite")).unwrap();
    }
}

#[test]
fn a_finding_is_recorded_with_the_value_and_what_was_expected() {
    let folder = Folder::new();
    let row = some_rows()[0]
        .with("p99_itl_ms", "1.25")
        .with("p95_itl_ms", "8.5")
        .with("p90_itl_ms", "8.5");
    folder.write("in.json", document(&[row]));
    folder.run(["build", "in.json", "--accept", "itl-order", "--accept", "itl-order"]).succeeded();
    assert_eq!(
        folder.csv("energy.sqlite", "select * from findings"),
        ["1,itl-order,1,/configurations/0/p99_itl_ms,1.25,at least 8.5 (p95_itl_ms)"]
    );
}

#[test]
fn only_five_checks_can_be_accepted_and_nothing_is_recorded_without() {
    let folder = Folder::new();
    for check in Check::ALL.iter().filter(|check| !check.acceptable()) {
        folder.run(["build", "--accept", check.name()]).failed(2, "--accept takes");
    }
    for name in ["", "power", "Power-Identity", "all", "*"] {
        folder.run(["build", "--accept", name]).failed(2, "--accept takes");
    }
    assert!(folder.names("").is_empty());
    let every = Check::ALL.iter().filter(|check| check.acceptable());
    let accept: Vec<&str> = every.flat_map(|check| ["--accept", check.name()]).collect();
    folder.run([&["build"], &accept[..]].concat()).succeeded();
    assert_eq!(folder.csv("energy.sqlite", "select count(*) from findings"), ["0"]);
    let accepting = folder.read("energy.sqlite");
    folder.run(["build"]).succeeded();
    assert!(accepting == folder.read("energy.sqlite"));
}

#[test]
fn a_dry_run_runs_every_check_and_writes_nothing() {
    let folder = Folder::new();
    let rows = some_rows();
    folder.write("a.json", document(&rows[..1]));
    let other = rows[0].with_number("p99_itl_ms", rows[0].number("p99_itl_ms") * 2.0);
    folder.write("b.json", document(&[other]));
    folder.write("c.json", document_of("c", &[contradictions(&rows[0]).swap_remove(0).0]));
    let before = folder.names("");
    for output in ["new.sqlite", "no/such/folder.sqlite", ".", "a.json", "-", "/proc/x.sqlite"] {
        let dry =
            |inputs: &[&str]| folder.run([&["build", "--dry-run", "-o", output], inputs].concat());
        let ran = dry(&["a.json"]).succeeded();
        assert!(ran.text().contains("nothing was written"), "{ran:?}");
        dry(&["a.json", "b.json"]).failed(1, "1 finding").found(&["[same-configuration]"]);
        dry(&["a.json", "c.json"]).failed(1, "1 finding").found(&["[model-facts]"]);
        assert_eq!(folder.names(""), before);
    }
}
