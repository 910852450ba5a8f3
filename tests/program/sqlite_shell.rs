//! Every named query in the plain `sqlite3` shell, with its parameters bound.

use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use energydb::catalogue::{Catalogue, Query, statement};
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::common::Folder;

/// Between values and after rows, none of which has them.
const SEPARATORS: [char; 2] = ['\x1f', '\x1e'];

/// A value as SQL writes it, exactly.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Integer(whole) => whole.to_string(),
        Value::Real(real) => format!("{real:?}"),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Blob(_) => panic!("a parameter is no blob"),
    }
}

/// The value that a literal of the shell writes.
fn value(literal: &str) -> Value {
    if literal == "NULL" {
        return Value::Null;
    }
    if let Some(text) = literal.strip_prefix('\'') {
        return Value::Text(text.strip_suffix('\'').unwrap().replace("''", "'"));
    }
    match literal.parse() {
        Ok(whole) => Value::Integer(whole),
        Err(_) => Value::Real(literal.parse().unwrap()),
    }
}

/// Equal, but for the last digits of a sum: the shell may be of another SQLite.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Real(one), Value::Real(other)) => {
            (one - other).abs() <= 1e-12 * one.abs().max(other.abs())
        }
        _ => one == other,
    }
}

/// What the shell reads, or `None` if the machine does not have it.
fn in_shell(file: &Path, query: &Query, values: &statement::Values) -> Option<Vec<Vec<Value>>> {
    let mut script = ".bail on\n.parameter init\n".to_owned();
    for (name, value) in values {
        let quoted = literal(value).replace('\\', "\\\\").replace('"', "\\\"");
        script += &format!(".parameter set :{name} \"{quoted}\"\n");
    }
    script += ".mode quote\n.headers off\n.separator \"\\037\" \"\\036\"\n";
    script += &query.sql;
    let mut shell = Command::new("sqlite3");
    // -init keeps the shell from the settings of the user who runs the test.
    shell.args(["-batch", "-readonly", "-init", "/dev/null"]).arg(file);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match shell.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        child => child.unwrap(),
    };
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.trim().is_empty(), "{}: {told}", query.name);
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = text.split_terminator(SEPARATORS[1]);
    Some(rows.map(|row| row.split(SEPARATORS[0]).map(value).collect()).collect())
}

/// What the program reads.
fn in_program(
    connection: &Connection,
    query: &Query,
    values: &statement::Values,
) -> Vec<Vec<Value>> {
    let mut prepared = statement::prepare(connection, query).unwrap();
    let mut rows = Vec::new();
    statement::run(&mut prepared, values, |row| {
        rows.push(row.iter().map(|value| Value::try_from(*value).unwrap()).collect());
        Ok(())
    })
    .unwrap();
    rows
}

/// The parameters that an example gives, by name. Flags of the program alone are left out.
fn given(query: &Query, example: &str) -> Vec<(String, String)> {
    let words: Vec<&str> = example.split_whitespace().collect();
    let mut given = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let Some(flag) = word.strip_prefix("--") else { continue };
        let is_it = |of: &str| of == flag;
        let parameter = query.head.parameters.iter().find(|parameter| {
            is_it(&parameter.flag()) || parameter.aliases.iter().any(|alias| is_it(alias))
        });
        let value = words.get(place + 1).filter(|value| !value.starts_with("--"));
        given.extend(
            parameter
                .map(|parameter| (parameter.name.clone(), (*value.unwrap_or(&"true")).to_owned())),
        );
    }
    given
}

#[test]
fn every_query_answers_the_same_in_a_plain_shell_with_bound_parameters() {
    let folder = Folder::with_built_in();
    let (file, connection) = (folder.path("energy.sqlite"), folder.open("energy.sqlite"));
    let day = folder.write("day.csv", "hours,tokens_per_second\n8,1000\n4,8000\n12,20000\n");
    let day = day.display();
    let further = [
        ("plan", format!("--gpu B200 --load-profile {day} --idle-watts-per-gpu 70 --headroom 0.2")),
        ("plan", "--tps 5k --p99-ms 100 --max-busy-share 0.8 --measured-only".into()),
        ("capacity", "--max-gpus 8 --p90-ms 80 --max-request-seconds 40 --pue 1.2".into()),
        ("plan-media", "--task text-to-video --videos-per-hour 60 --max-gpus 64".into()),
        ("capacity-media", "--task text-to-image --max-gpus 8 --max-busy-share 0.7".into()),
    ];
    let mut rows = 0;
    for query in &Catalogue::built_in().queries {
        // The built-in data has one source.
        if query.takes("other_source") {
            continue;
        }
        let examples = query.head.examples.iter().map(|example| example.arguments.as_str());
        let further = further.iter().filter(|(name, _)| *name == query.name);
        for arguments in examples.chain(further.map(|(_, arguments)| arguments.as_str())) {
            let given = given(query, arguments);
            let word = |name: &str| {
                given.iter().find(|(known, _)| known == name).map(|(_, word)| word.clone())
            };
            let values = statement::values(&connection, query, word).unwrap();
            let Some(read) = in_shell(&file, query, &values) else {
                eprintln!("the machine has no sqlite3 shell");
                return;
            };
            let expected = in_program(&connection, query, &values);
            let about = format!("{} {arguments}", query.name);
            assert_eq!(read.len(), expected.len(), "{about}");
            for (row, expected) in read.iter().zip(&expected) {
                let is_same = row.len() == expected.len()
                    && row.iter().zip(expected).all(|(one, other)| is_same(one, other));
                assert!(is_same, "{about}:\n got {row:?}\nnot {expected:?}");
            }
            assert!(!read.is_empty(), "{about}");
            rows += read.len();
        }
    }
    assert!(rows > 1_000, "{rows}");
}
