use std::io::{Error, ErrorKind};

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};

use super::*;

/// Rebuilds the whole document from the pieces that the reader gives.
fn rebuild<R: Read>(mut reader: JsonReader<R>) -> Result<Value> {
    let value = rebuild_value(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

fn rebuild_value<R: Read>(reader: &mut JsonReader<R>) -> Result<Value> {
    match reader.peek()? {
        Kind::Object => rebuild_object(reader),
        Kind::Array => rebuild_array(reader),
        kind => {
            let scalar = reader.scalar()?;
            let (value, scalar_kind) = match scalar {
                Scalar::Number(text) => (number(text), Kind::Number),
                Scalar::Text(text) => (Value::from(text), Kind::Text),
                Scalar::Boolean(boolean) => (Value::from(boolean), Kind::Boolean),
                Scalar::Null => (Value::Null, Kind::Null),
            };
            assert_eq!(kind, scalar_kind);
            Ok(value)
        }
    }
}

fn rebuild_object<R: Read>(reader: &mut JsonReader<R>) -> Result<Value> {
    reader.begin_object()?;
    let mut object = Map::new();
    while let Some(key) = reader.next_key()? {
        let key = key.to_owned();
        object.insert(key, rebuild_value(reader)?);
    }
    Ok(object.into())
}

fn rebuild_array<R: Read>(reader: &mut JsonReader<R>) -> Result<Value> {
    reader.begin_array()?;
    let mut array = Vec::new();
    while reader.next_element()? {
        array.push(rebuild_value(reader)?);
    }
    Ok(array.into())
}

/// A number too large for the other reader is kept as text.
fn number(text: &str) -> Value {
    serde_json::from_str::<Number>(text).map_or_else(|_| Value::from(text), Value::Number)
}

fn skip_all<R: Read>(mut reader: JsonReader<R>) -> Result<()> {
    reader.skip()?;
    reader.finish()
}

/// Gives one byte at a time, and is interrupted before each.
struct Dripping<'a> {
    bytes: &'a [u8],
    interrupted: bool,
}

impl<'a> Dripping<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, interrupted: false }
    }
}

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        self.bytes.read(&mut buffer[..1])
    }
}

fn shown<T>(result: Result<T>) -> std::result::Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// Reads a document in one piece, and checks that every other way of reading gives the same.
fn read(document: &[u8]) -> std::result::Result<Value, String> {
    let outcome = shown(rebuild(JsonReader::new(document)));
    let skipped = outcome.as_ref().map(|_| ()).map_err(String::clone);
    assert_eq!(shown(skip_all(JsonReader::new(document))), skipped);
    assert_eq!(shown(rebuild(JsonReader::new(Dripping::new(document)))), outcome);
    for capacity in [0, 5, 6, 7, 16, 61] {
        assert_eq!(shown(rebuild(JsonReader::with_capacity(document, capacity))), outcome);
        assert_eq!(shown(skip_all(JsonReader::with_capacity(document, capacity))), skipped);
    }
    outcome
}

#[track_caller]
fn refuses(document: impl AsRef<[u8]>, line: u64, column: u64, message: &str) {
    let document = document.as_ref();
    let error = read(document).expect_err("the document should be refused");
    let place = format!("line {line}, column {column}: ");
    let document = String::from_utf8_lossy(document);
    let rest = error.strip_prefix(&place).unwrap_or_else(|| panic!("{document}: {error}"));
    assert!(rest.contains(message), "{document}: {error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

#[test]
fn valid_documents_read_as_another_reader_reads_them() {
    let documents = [
        "{}",
        "[]",
        "null",
        " true ",
        "\t\r\n false\r\n",
        "0",
        "-0",
        "-0.0e-0",
        "10",
        "1234567890.0987654321E+10",
        "1e5",
        "[1,2 , 3\n,\t4]",
        "\"\"",
        "\"plain\"",
        "\"exactly 16 bytes\"",
        r#""\"\\\/\b\f\n\r\t""#,
        r#""a\nb\u0041\u00e9\u20AC\uD83D\uDE00c""#,
        r#""\uffff\ud800\udc00\udbff\udfff""#,
        "\"é€😀\u{7f}\u{2028}\"",
        r#"{"a":1,"b":[{"c":[]},{}],"":""}"#,
        "{ \"spaced\" : 1 , \"\\u0061\" \n : \"x\" }",
        r#"{"twice":1,"twice":2}"#,
        "[[[[[1]]]], {\"a\": {\"b\": {\"c\": null}}}]",
        "{\"models\": [{\"nickname\": \"Qwen 3 14B\", \"avg_power_watts\": 759.9467920298994}]}",
    ];
    for document in documents {
        let expected: Value = serde_json::from_str(document).unwrap();
        assert_eq!(read(document.as_bytes()), Ok(expected), "{document}");
    }
}

#[test]
fn numbers_keep_their_exact_text() {
    for text in
        ["0", "-0", "1.50", "1E+05", "-12.340e-0", "1e999", "123456789012345678901234567890"]
    {
        for capacity in [4, 5, 100] {
            let mut reader = JsonReader::with_capacity(text.as_bytes(), capacity);
            assert_eq!(reader.scalar().unwrap(), Scalar::Number(text));
            reader.finish().unwrap();
        }
    }
}

#[test]
fn a_byte_order_mark_is_ignored_at_the_start_only() {
    assert_eq!(read(b"\xEF\xBB\xBF{\"a\":1}"), Ok(json!({"a": 1})));
    assert_eq!(read("\"\u{feff}\"".as_bytes()), Ok(json!("\u{feff}")));
    refuses("\u{feff}x", 1, 1, "found 'x'");
    refuses("\u{feff}", 1, 1, "the document is empty");
    refuses("\u{feff}\u{feff}1", 1, 1, "expected a value, found '\\u{feff}'");
    refuses("1\u{feff}", 1, 2, "text after the end");
}

#[test]
fn an_empty_document_is_called_empty() {
    refuses("", 1, 1, "the document is empty");
    refuses(" \n\n  ", 3, 3, "the document is empty");
}

#[test]
fn a_truncated_document_is_refused_at_its_end() {
    refuses("{", 1, 2, "the document ends in the middle of an object");
    refuses("[", 1, 2, "the document ends in the middle of an array");
    refuses("[1", 1, 3, "the document ends in the middle of an array");
    refuses("[1,", 1, 4, "the document ends in the middle of an array");
    refuses("[[1]\n", 2, 1, "the document ends in the middle of an array");
    refuses("{\"a\"", 1, 5, "the document ends in the middle of an object");
    refuses("{\"a\":", 1, 6, "the document ends in the middle of an object");
    refuses("{\"a\":1", 1, 7, "the document ends in the middle of an object");
    refuses("{\n  \"a\": 1,\n", 3, 1, "the document ends in the middle of an object");
    refuses("{\"ab", 1, 5, "the document ends in the middle of a string");
    refuses("\"", 1, 2, "the document ends in the middle of a string");
    refuses("[\"ab", 1, 5, "the document ends in the middle of a string");
    refuses("\"a\\n", 1, 5, "the document ends in the middle of a string");
    refuses("\"a\\", 1, 4, "the document ends in the middle of a string");
    refuses("\"a\\u12", 1, 7, "the document ends in the middle of a string");
    refuses("\"\\ud800", 1, 8, "the document ends in the middle of a string");
    refuses("\"\\ud800\\", 1, 9, "the document ends in the middle of a string");
    refuses("\"\\ud800\\udc", 1, 12, "the document ends in the middle of a string");
    refuses("-", 1, 2, "the document ends in the middle of a number");
    refuses("[1.", 1, 4, "the document ends in the middle of a number");
    refuses("1e", 1, 3, "the document ends in the middle of a number");
    refuses("1e-", 1, 4, "the document ends in the middle of a number");
    refuses("[tru", 1, 5, "the document ends in the middle of true");
    refuses("n", 1, 2, "the document ends in the middle of null");
}

#[test]
fn text_after_the_end_is_refused() {
    refuses("{} x", 1, 4, "text after the end of the document: found 'x'");
    refuses("[]\n\n,", 3, 1, "text after the end of the document: found ','");
    refuses("1 2", 1, 3, "text after the end of the document: found '2'");
    refuses("1.5.3", 1, 4, "text after the end of the document: found '.'");
    refuses("{}\0", 1, 3, "text after the end of the document: found a NUL character");
}

#[test]
fn misplaced_separators_are_refused() {
    refuses("[1,]", 1, 4, "expected a value after ',' (JSON has no trailing commas), found ']'");
    refuses("{\"a\":1,\n}", 2, 1, "expected a key after ',' (JSON has no trailing commas)");
    refuses("[1 2]", 1, 4, "expected ',' or ']', found '2'");
    refuses("[1}", 1, 3, "expected ',' or ']', found '}'");
    refuses("[,1]", 1, 2, "expected a value, found ','");
    refuses("[1,,2]", 1, 4, "expected a value, found ','");
    refuses("{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}', found '\"'");
    refuses("{\"a\":1]", 1, 7, "expected ',' or '}', found ']'");
    refuses("{\"a\" 1}", 1, 6, "expected ':' after the key, found '1'");
    refuses("{\"a\",1}", 1, 5, "expected ':' after the key, found ','");
    refuses("{\"a\"::1}", 1, 6, "expected a value, found ':'");
    refuses("{\"a\":}", 1, 6, "expected a value, found '}'");
    refuses("{,}", 1, 2, "expected a key in double quotes or '}', found ','");
    refuses("{\"a\":1,,}", 1, 8, "expected a key in double quotes, found ','");
    refuses("{1:2}", 1, 2, "expected a key in double quotes or '}', found '1'");
    refuses("{a:1}", 1, 2, "expected a key in double quotes or '}', found 'a'");
}

#[test]
fn what_python_writes_for_infinity_is_null_where_that_is_asked_for() {
    let read = |text: &str| {
        let mut json = JsonReader::new(text.as_bytes()).with_infinity();
        json.skip()?;
        json.finish()
    };
    assert!(read(r#"{"rate": Infinity, "of": [NaN, 1], "last": NaN}"#).is_ok());
    for word in ["-Infinity", "nan", "Infinite", "NaNs", "Inf"] {
        assert!(read(&format!("[1, {word}]")).is_err(), "{word}");
    }
}

#[test]
fn numbers_that_json_does_not_have_are_refused() {
    for word in ["NaN", "Infinity", "-Infinity", "nan", "-inf", "-NaN"] {
        let message = format!("JSON has no NaN or Infinity, found '{word}'");
        refuses(format!("[1, {word}]"), 1, 5, &message);
        refuses(word, 1, 1, &message);
    }
    refuses("[01]", 1, 2, "a number may not have leading zeros");
    refuses("-00", 1, 2, "a number may not have leading zeros");
    refuses("+1", 1, 1, "expected a value (a number begins with a digit or '-'), found '+'");
    refuses(" .5", 1, 2, "expected a value (a number begins with a digit or '-'), found '.'");
    refuses("[1.]", 1, 4, "expected a digit after the decimal point, found ']'");
    refuses("[1.e5]", 1, 4, "expected a digit after the decimal point, found 'e'");
    refuses("[1e]", 1, 4, "expected a digit in the exponent, found ']'");
    refuses("[1e+]", 1, 5, "expected a digit in the exponent, found ']'");
    refuses("[-]", 1, 3, "expected a digit after '-', found ']'");
    refuses("-x", 1, 2, "expected a digit after '-', found 'x'");
    refuses("[0x10]", 1, 3, "expected ',' or ']', found 'x'");
    refuses("[1_000]", 1, 3, "expected ',' or ']', found '_'");
}

#[test]
fn rubbish_is_refused() {
    refuses("{'a':1}", 1, 2, "found \"'\" (JSON has only double quotes)");
    refuses("['a']", 1, 2, "expected a value, found \"'\" (JSON has only double quotes)");
    refuses("[1, // one\n2]", 1, 5, "expected a value, found '/' (JSON has no comments)");
    refuses("/* x */ 1", 1, 1, "expected a value, found '/' (JSON has no comments)");
    refuses("[1 # one\n]", 1, 4, "expected ',' or ']', found '#' (JSON has no comments)");
    refuses("[True]", 1, 2, "expected a value, found 'True'");
    refuses("[nulls]", 1, 2, "expected a value, found 'nulls'");
    refuses("[truly", 1, 2, "expected a value, found 'truly'");
    refuses("tru}", 1, 1, "expected a value, found 'tru'");
    refuses("undefined", 1, 1, "expected a value, found 'undefined'");
    refuses("x".repeat(1000), 1, 1, &format!("found '{}'", "x".repeat(32)));
    refuses("[é]", 1, 2, "expected a value, found 'é'");
    refuses("[\u{b}1]", 1, 2, "expected a value, found '\\u{b}'");
    refuses("[\u{a0}1]", 1, 2, "expected a value, found '\\u{a0}'");
    refuses("\0", 1, 1, "expected a value, found a NUL character");
    refuses(b"{\0\"\0a\0\"\0", 1, 2, "found a NUL character");
    refuses(b"\xFF\xFE{\0}\0", 1, 1, "invalid UTF-8");
    refuses(b"\x1F\x8B\x08\0", 1, 1, "expected a value, found '\\u{1f}'");
    refuses(b"SQLite format 3\0", 1, 1, "expected a value, found 'SQLite'");
}

#[test]
fn strings_that_json_does_not_have_are_refused() {
    refuses(r#"["a\ud800b"]"#, 1, 4, "lone surrogate '\\ud800'");
    refuses(r#"["\ud83d\n"]"#, 1, 3, "lone surrogate '\\ud83d'");
    refuses(r#"["\uD83D\u0041"]"#, 1, 3, "lone surrogate '\\ud83d'");
    refuses(r#"["\ud83d\ud83d\ude00"]"#, 1, 3, "lone surrogate '\\ud83d'");
    refuses(r#"["é\udc00"]"#, 1, 4, "lone surrogate '\\udc00'");
    refuses(r#"["\udc00\ud800"]"#, 1, 3, "lone surrogate '\\udc00'");
    refuses(r#"["ab\x41"]"#, 1, 5, "invalid escape in a string: found 'x' after '\\'");
    refuses(r#"["\é"]"#, 1, 3, "invalid escape in a string: found 'é' after '\\'");
    refuses("\"\\\n\"", 1, 2, "invalid escape in a string: found '\\n' after '\\'");
    refuses(r#"["\u12G4"]"#, 1, 7, "expected four hexadecimal digits after '\\u', found 'G'");
    refuses(r#"["\u+123"]"#, 1, 5, "expected four hexadecimal digits after '\\u', found '+'");
    refuses(r#"["\ud83d\u12"]"#, 1, 13, "expected four hexadecimal digits after '\\u'");
    refuses("{\n\"a\nb\":1}", 2, 3, "unescaped control character '\\n' in a string");
    refuses("\"\\n\t\"", 1, 4, "unescaped control character '\\t' in a string");
    refuses("\"\u{1f}\"", 1, 2, "unescaped control character '\\u{1f}' in a string");
    refuses("\"ab\0\"", 1, 4, "NUL character in a string");
    refuses(r#""ab\u0000""#, 1, 4, "NUL character in a string");
    refuses(r#"{"\n\u0000":1}"#, 1, 5, "NUL character in a string");
}

#[test]
fn invalid_utf_8_is_refused_wherever_it_is() {
    refuses(b"[\"ab\xFF\"]", 1, 5, "invalid UTF-8");
    refuses(b"[\"\xC3\xA9\\n\xC0\x80\"]", 1, 6, "invalid UTF-8");
    refuses(b"[\"\xED\xA0\x80\"]", 1, 3, "invalid UTF-8");
    refuses(b"{\"a\":1,\n \x80}", 2, 2, "invalid UTF-8");
    refuses(b"[tr\xF5ue]", 1, 4, "invalid UTF-8");
    refuses(b"[1\xFE]", 1, 3, "invalid UTF-8");
    refuses(b"[1]\xE2(\xA1", 1, 4, "invalid UTF-8");
    refuses(b"\"\xE2\x82", 1, 2, "invalid UTF-8: the document ends in the middle of a character");
    refuses(b"[1] \xF0\x9F", 1, 5, "invalid UTF-8: the document ends");
}

#[test]
fn an_earlier_mistake_counts_before_invalid_utf_8() {
    refuses(b"[1 2 \xFF]", 1, 4, "expected ',' or ']', found '2'");
}

#[test]
fn nesting_is_bounded() {
    assert!(read(nested(MAXIMUM_DEPTH).as_bytes()).is_ok());
    refuses(nested(MAXIMUM_DEPTH + 1), 1, 129, "nesting is deeper than 128 levels");
    refuses("[".repeat(100_000), 1, 129, "nesting is deeper than 128 levels");
    refuses("{\"a\":\n".repeat(200), 129, 1, "nesting is deeper than 128 levels");
    assert!(read(format!("[{}]", vec![nested(127); 9].join(",")).as_bytes()).is_ok());
}

/// Reads in one piece and in other windows, without the slowest of the other ways.
fn skip_long(document: &str) -> std::result::Result<(), String> {
    let outcome = shown(skip_all(JsonReader::new(document.as_bytes())));
    let other = skip_all(JsonReader::with_capacity(document.as_bytes(), 1000));
    assert_eq!(shown(other), outcome);
    outcome
}

#[test]
fn tokens_are_bounded() {
    let longest = MAXIMUM_TOKEN;
    let too_long = |what| Err(format!("line 2, column 1: {what} is longer than 1048576 bytes"));
    let text = |length| format!("[\n\"{}\"]", "x".repeat(length));
    assert_eq!(skip_long(&text(longest)), Ok(()));
    assert_eq!(skip_long(&text(longest + 1)), too_long("a string"));
    assert_eq!(skip_long(&text(3 * longest)), too_long("a string"));
    let escaped = |length| format!("[\n\"{}{}\"]", "\\n".repeat(50), "x".repeat(length - 100));
    assert_eq!(skip_long(&escaped(longest)), Ok(()));
    assert_eq!(skip_long(&escaped(longest + 1)), too_long("a string"));
    assert_eq!(
        skip_long(&format!("[\n\"{}\"]", "\\n".repeat(longest / 2 + 1))),
        too_long("a string")
    );
    let key = |length| format!("{{\n\"{}\" : 1}}", "k".repeat(length));
    assert_eq!(skip_long(&key(longest)), Ok(()));
    assert_eq!(skip_long(&key(longest + 1)), too_long("a string"));
    let number = |length| format!("[\n1.{}e5]", "0".repeat(length - 4));
    assert_eq!(skip_long(&number(longest)), Ok(()));
    assert_eq!(skip_long(&number(longest + 1)), too_long("a number"));
    assert_eq!(skip_long(&format!("[\n{}", "1".repeat(longest + 1))), too_long("a number"));
}

#[test]
fn white_space_is_not_bounded() {
    let blank = " ".repeat(2 * MAXIMUM_TOKEN);
    assert_eq!(skip_long(&format!("{{{blank}\"a\"{blank}:{blank}1{blank}}}{blank}")), Ok(()));
}

#[test]
fn places_follow_what_was_read() {
    let document = "{\n  \"é\": 12,\n  \"b\\n\": [\"x\"]\n}";
    for capacity in [4, 5, 9, 1000] {
        let mut reader = JsonReader::with_capacity(document.as_bytes(), capacity);
        let at = |line, column| Place { line, column };
        assert_eq!(reader.place(), at(1, 1));
        reader.begin_object().unwrap();
        assert_eq!((reader.token_place(), reader.place()), (at(1, 1), at(1, 2)));
        assert_eq!(reader.next_key().unwrap(), Some("é"));
        assert_eq!((reader.token_place(), reader.place()), (at(2, 3), at(2, 7)));
        reader.peek().unwrap();
        assert_eq!((reader.token_place(), reader.place()), (at(2, 3), at(2, 8)));
        reader.scalar().unwrap();
        assert_eq!((reader.token_place(), reader.place()), (at(2, 8), at(2, 10)));
        assert_eq!(reader.next_key().unwrap(), Some("b\n"));
        assert_eq!((reader.token_place(), reader.place()), (at(3, 3), at(3, 9)));
        reader.begin_array().unwrap();
        assert!(reader.next_element().unwrap());
        assert_eq!((reader.token_place(), reader.place()), (at(3, 10), at(3, 11)));
        assert_eq!(reader.scalar().unwrap(), Scalar::Text("x"));
        assert!(!reader.next_element().unwrap());
        assert_eq!((reader.token_place(), reader.place()), (at(3, 11), at(3, 15)));
        assert_eq!(reader.next_key().unwrap(), None);
        reader.finish().unwrap();
        assert_eq!(reader.place(), at(4, 2));
    }
}

#[test]
fn places_are_exact_far_into_a_document() {
    let line = "[\"é€😀 and some more text\", 1234567],\n";
    let document = format!("[\n{}  oops]", line.repeat(20_000));
    let error = skip_all(JsonReader::new(document.as_bytes())).unwrap_err();
    assert_eq!(error.to_string(), "line 20002, column 3: expected a value, found 'oops'");
    let document = document.replace('\n', " ");
    let column = document.chars().count() - 4;
    let error = skip_all(JsonReader::new(document.as_bytes())).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("line 1, column {column}: expected a value, found 'oops'")
    );
}

#[test]
fn skipping_leaves_the_rest_to_be_read() {
    let document = br#"{"skipped": [{"a": [1, {}]}, []], "kept": true}"#;
    let mut reader = JsonReader::new(&document[..]);
    reader.begin_object().unwrap();
    reader.next_key().unwrap();
    reader.skip().unwrap();
    assert_eq!(reader.next_key().unwrap(), Some("kept"));
    assert_eq!(reader.scalar().unwrap(), Scalar::Boolean(true));
    assert_eq!(reader.next_key().unwrap(), None);
    reader.finish().unwrap();
    assert!(reader.into_inner().is_empty());
}

fn message<T>(result: Result<T>) -> String {
    result.err().expect("the call should fail").to_string()
}

#[test]
fn asking_for_something_else_than_comes_next_is_an_error() {
    let reader = || JsonReader::new(&b" [1, {}]"[..]);
    assert_eq!(
        message(reader().begin_object()),
        "line 1, column 2: expected an object, found an array"
    );
    assert_eq!(
        message(reader().scalar()),
        "line 1, column 2: expected a string, a number, true, false or null, found an array"
    );
    let expected = "line 1, column 2: expected to be inside an object, found '['";
    assert_eq!(message(reader().next_key()), expected);
    let expected = "line 1, column 2: expected the value to be read first, found '['";
    assert_eq!(message(reader().finish()), expected);
}

#[test]
fn calls_out_of_turn_are_errors() {
    let mut reader = JsonReader::new(&b"[1, 2]"[..]);
    reader.begin_array().unwrap();
    assert!(message(reader.scalar()).starts_with("line 1, column 2: expected "));
    assert!(reader.next_element().unwrap());
    assert!(message(reader.next_element()).contains("expected the value to be read first"));
    reader.scalar().unwrap();
    assert!(message(reader.scalar()).contains("expected ',' or ']', found ','"));
    assert!(message(reader.finish()).contains("expected ',' or ']', found ','"));
    reader.next_element().unwrap();
    reader.scalar().unwrap();
    reader.next_element().unwrap();
    assert!(message(reader.peek()).contains("unexpected end of the document"));
    reader.finish().unwrap();
}

#[test]
fn a_failing_input_is_told_from_a_wrong_document() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(Error::other("the disk is gone"))
        }
    }
    let error = skip_all(JsonReader::new(b"[1, ".chain(Failing))).unwrap_err();
    assert!(matches!(error, JsonError::Read(_)));
    assert_eq!(error.to_string(), "cannot read the document: the disk is gone");
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn runs_end_at_the_first_byte_that_does_not_belong() {
    for byte in 0..=u8::MAX {
        for offset in 0..20 {
            let with = |filler: u8| {
                let mut bytes = [filler; 24];
                bytes[offset] = byte;
                bytes
            };
            let end = |belongs: bool| if belongs { 24 } else { offset };
            let plain = byte >= b' ' && byte != b'"' && byte != b'\\';
            for filler in [b'!', b'#', b'[', 0x7F, 0x80, 0xFF] {
                assert_eq!(scan::plain_length(&with(filler)), end(plain), "{byte} at {offset}");
            }
            let blank = matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
            assert_eq!(scan::blank_length(&with(b' ')), end(blank), "{byte} at {offset}");
            if !matches!(byte, b'.' | b'e' | b'E' | b'-') && offset > 0 {
                let length = scan::number(&with(b'9'), true).ok();
                assert_eq!(length, Some(end(byte.is_ascii_digit())), "{byte} at {offset}");
            }
        }
    }
}

fn arbitrary_value() -> impl Strategy<Value = Value> {
    let text = "[^\0]{0,12}";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Value::from),
            btree_map(text, inner, 0..8)
                .prop_map(|object| Value::Object(object.into_iter().collect())),
        ]
    })
}

/// Bytes that matter to a reader, more often than others.
fn arbitrary_byte() -> impl Strategy<Value = u8> {
    let telling = b"{}[],:\"\\/u0019dDcC8-+.eEtfn \n\0\x1f\x7f\x80\xbf\xc3\xe2\xed\xf0\xff";
    prop_oneof![any::<u8>(), proptest::sample::select(&telling[..])]
}

/// What the other reader makes of a document, without the mark at the start that it refuses.
fn read_elsewhere(document: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(document.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(document))
}

/// Whether a document is JSON to the other reader, which has a limit to the size of numbers.
fn is_json_elsewhere(document: &[u8]) -> bool {
    read_elsewhere(document)
        .map_or_else(|error| error.to_string().starts_with("number out of range"), |_| true)
}

proptest! {
    #[test]
    fn any_document_is_rebuilt(value in arbitrary_value()) {
        let compact = serde_json::to_vec(&value).unwrap();
        prop_assert_eq!(read(&compact), Ok(value.clone()));
        let pretty = serde_json::to_vec_pretty(&value).unwrap();
        prop_assert_eq!(read(&pretty), Ok(value));
    }

    #[test]
    fn a_damaged_document_is_read_only_if_it_is_still_json(
        value in arbitrary_value(),
        changes in vec((any::<prop::sample::Index>(), arbitrary_byte(), 0..3), 1..4),
    ) {
        let mut document = serde_json::to_vec(&value).unwrap();
        for (index, byte, change) in changes {
            let index = index.index(document.len());
            match change {
                0 => document[index] = byte,
                1 => document.insert(index, byte),
                _ => document.truncate(index + 1),
            }
        }
        match read(&document) {
            Ok(_) => prop_assert!(is_json_elsewhere(&document)),
            Err(error) if error.contains("NUL character in a string") => {}
            Err(error) => prop_assert!(read_elsewhere(&document).is_err(), "{}", error),
        }
    }

    #[test]
    fn arbitrary_bytes_are_read_only_if_they_are_json(document in vec(arbitrary_byte(), 0..40)) {
        if read(&document).is_ok() {
            prop_assert!(is_json_elsewhere(&document));
        }
    }

    #[test]
    fn any_string_is_decoded(text in "[^\0]{0,80}", padding in 0..9_usize) {
        let padded = " ".repeat(padding) + &text;
        let escaped: String =
            padded.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        prop_assert_eq!(read(json!(padded).to_string().as_bytes()), Ok(json!(padded)));
        prop_assert_eq!(read(format!("\"{escaped}\"").as_bytes()), Ok(json!(padded)));
    }
}

#[test]
fn a_key_written_as_before_is_passed_over_and_any_other_is_read() {
    let text =
        "[{\"a\": 1,\n \"b\" : 2}, {\"a\": 3,\n \"b\" : 4}, {\"a\":5, \"b\":6}, [7, \"b\" , 8]]";
    let mut json = JsonReader::new(text.as_bytes());
    let mut passages = [Passage::default(), Passage::default()];
    let mut passed = Vec::new();
    let mut values = Vec::new();
    json.begin_array().unwrap();
    for _ in 0..3 {
        assert!(json.next_element().unwrap());
        json.begin_object().unwrap();
        for (passage, key) in passages.iter_mut().zip(["a", "b"]) {
            let is_passed = json.passes(passage);
            if !is_passed {
                assert_eq!(json.next_key_learning(passage).unwrap(), Some(key));
            }
            passed.push(is_passed);
            let Scalar::Number(value) = json.scalar().unwrap() else { panic!("no number") };
            values.push(value.to_owned());
        }
        // Nothing is passed over where the object has no such key.
        assert!(!json.passes(&passages[0]));
        assert_eq!(json.next_key_learning(&mut Passage::default()).unwrap(), None);
    }
    assert_eq!(passed, [false, false, true, true, false, false]);
    assert_eq!(values, ["1", "2", "3", "4", "5", "6"]);
    // Inside an array a key is no key, however it is written.
    assert!(json.next_element().unwrap());
    json.begin_array().unwrap();
    assert!(!json.passes(&passages[0]));
}

#[test]
fn keys_are_passed_over_whatever_the_size_of_the_window() {
    let object = "{\"alpha\": 1, \"beta\": [2], \"gamma\": \"3\"}";
    let text = format!("[{}]", vec![object; 50].join(",\n"));
    for capacity in 4..80 {
        let mut json = JsonReader::with_capacity(text.as_bytes(), capacity);
        let mut passages: [Passage; 3] = Default::default();
        json.begin_array().unwrap();
        let mut objects = 0;
        while json.next_element().unwrap() {
            json.begin_object().unwrap();
            for (passage, key) in passages.iter_mut().zip(["alpha", "beta", "gamma"]) {
                if !json.passes(passage) {
                    assert_eq!(json.next_key_learning(passage).unwrap(), Some(key));
                }
                json.skip().unwrap();
            }
            assert_eq!(json.next_key().unwrap(), None);
            objects += 1;
        }
        json.finish().unwrap();
        assert_eq!(objects, 50);
    }
}
