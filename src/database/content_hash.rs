//! The content hash: a sha256 of the content of a database, which does not depend on how SQLite lays out
//! its pages. The comment of the table `content_hash` defines it, in every file.

use anyhow::{Context, Result};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use crate::database::schema::{HISTORY, quoted};
use crate::hash::hex;

/// The table that records the hash.
const TABLE: &str = "content_hash";
/// Bytes gathered before they are hashed.
const PIECE_BYTES: usize = 16 * 1024;

/// A content hash that is being computed.
#[derive(Debug, Default)]
pub struct ContentHash {
    sha256: Sha256,
    gathered: Vec<u8>,
}

impl ContentHash {
    /// Begins with the rows of a table, which must be the first of all.
    pub fn of_table(name: &str) -> Self {
        let mut hash = Self::default();
        hash.table(name);
        hash
    }

    /// Begins the rows of a table.
    fn table(&mut self, name: &str) {
        self.add(b'T', name.as_bytes());
    }

    /// Adds a value that is a whole number.
    pub fn integer(&mut self, value: i64) {
        // Most are keys and counts of one digit.
        if let digit @ 0..=9 = value {
            self.gathered.extend_from_slice(&[b'i', b'1', b':', b'0' + digit as u8]);
        } else {
            self.add(b'i', decimal(value, &mut [0; 20]));
        }
    }

    /// Adds a value that is a real number.
    pub fn real(&mut self, value: f64) {
        let mut cell = *b"r8:........";
        cell[3..].copy_from_slice(&value.to_be_bytes());
        self.gathered.extend_from_slice(&cell);
    }

    /// Adds a null.
    pub fn null(&mut self) {
        self.gathered.extend_from_slice(b"n0:");
    }

    /// Adds any value.
    pub fn value(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Null => self.null(),
            ValueRef::Integer(value) => self.integer(value),
            ValueRef::Real(value) => self.real(value),
            ValueRef::Text(bytes) => self.add(b't', bytes),
            ValueRef::Blob(bytes) => self.add(b'b', bytes),
        }
    }

    /// Ends a row, which is a good moment to hash what was gathered.
    pub fn end_row(&mut self) {
        if self.gathered.len() >= PIECE_BYTES {
            self.hash_gathered();
        }
    }

    /// Adds a whole table as it is stored.
    fn stored_table(&mut self, connection: &Connection, name: &str) -> rusqlite::Result<()> {
        self.table(name);
        let (columns, key) = columns_and_key(connection, name)?;
        let sql = format!(
            "select {} from {} order by {}",
            columns.join(", "),
            quoted(name),
            key.join(", ")
        );
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns.len() {
                self.value(row.get_ref(column)?);
            }
            self.end_row();
        }
        Ok(())
    }

    /// The hash once the tables behind the first are added, in hexadecimal.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn with_the_others(mut self, connection: &Connection) -> rusqlite::Result<String> {
        for table in tables(connection)?.iter().skip(1) {
            self.stored_table(connection, table)?;
        }
        Ok(self.finish())
    }

    /// The hash, in hexadecimal.
    fn finish(mut self) -> String {
        self.hash_gathered();
        hex(&self.sha256.finalize())
    }

    fn add(&mut self, kind: u8, bytes: &[u8]) {
        let mut digits = [0; 20];
        self.gathered.push(kind);
        self.gathered.extend_from_slice(decimal(bytes.len() as i64, &mut digits));
        self.gathered.push(b':');
        self.gathered.extend_from_slice(bytes);
    }

    fn hash_gathered(&mut self) {
        self.sha256.update(&self.gathered);
        self.gathered.clear();
    }
}

/// The decimal digits of a number.
fn decimal(value: i64, digits: &mut [u8; 20]) -> &[u8] {
    let mut rest = value.unsigned_abs();
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        start -= 1;
        digits[start] = b'-';
    }
    &digits[start..]
}

/// The tables that the hash is taken of, in order.
///
/// # Errors
/// When the schema cannot be read.
pub fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(
        "select name from sqlite_schema where type = 'table' and rootpage > 0 \
         and substr(name, 1, 7) <> 'sqlite_' and name not in (?1, ?2) order by name",
    )?;
    statement.query_map([TABLE, HISTORY], |row| row.get(0))?.collect()
}

/// The content hash of a database as it is stored now.
///
/// # Errors
/// When a table cannot be read.
pub fn computed(connection: &Connection) -> rusqlite::Result<String> {
    let mut hash = ContentHash::default();
    for table in tables(connection)? {
        hash.stored_table(connection, &table)?;
    }
    Ok(hash.finish())
}

/// The content hash that a database records of itself, or `None` if it records none.
///
/// # Errors
/// When it cannot be read.
pub fn recorded(connection: &Connection) -> rusqlite::Result<Option<String>> {
    connection.query_row("select sha256 from content_hash", [], |row| row.get(0)).optional()
}

/// Records a content hash in a database.
///
/// # Errors
/// When SQLite refuses.
pub fn record(connection: &Connection, sha256: &str) -> Result<()> {
    connection
        .execute(
            "insert into content_hash (content_hash_id, sha256) values (1, ?1) \
             on conflict do update set sha256 = excluded.sha256",
            [sha256],
        )
        .context("could not record the content hash")?;
    Ok(())
}

/// The columns of a table and its primary key, quoted.
fn columns_and_key(
    connection: &Connection,
    table: &str,
) -> rusqlite::Result<(Vec<String>, Vec<String>)> {
    let mut statement =
        connection.prepare("select name, pk from pragma_table_info(?1) order by cid")?;
    let found = statement
        .query_map([table], |row| Ok((quoted(&row.get::<_, String>(0)?), row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(String, i64)>>>()?;
    let mut key: Vec<_> = found.iter().filter(|(_, place)| *place > 0).collect();
    key.sort_by_key(|(_, place)| *place);
    let mut key: Vec<String> = key.into_iter().map(|(name, _)| name.clone()).collect();
    if key.is_empty() {
        key.push("rowid".into());
    }
    Ok((found.into_iter().map(|(name, _)| name).collect(), key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fill: &str) -> String {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(fill).unwrap();
        computed(&connection).unwrap()
    }

    /// The sha256 of text that stands for what is hashed.
    fn sha256(text: &[u8]) -> String {
        hex(&Sha256::digest(text))
    }

    #[test]
    fn every_type_of_value_is_written_as_defined() {
        let fill = "create table b (id integer primary key, value); insert into b values \
                    (-10, null), (0, 1.5), (7, 'Σ'), (123456789, x'00ff'), (1234567890, ''), (9223372036854775807, ''); \
                    create table a (x)";
        let expected = [
            &b"T1:aT1:bi3:-10n0:i1:0r8:\x3f\xf8\0\0\0\0\0\0"[..],
            "i1:7t2:Σi9:123456789b2:".as_bytes(),
            b"\0\xffi10:1234567890t0:i19:9223372036854775807t0:",
        ];
        assert_eq!(of(fill), sha256(&expected.concat()));
    }

    #[test]
    fn rows_stand_in_the_order_of_the_key_however_they_were_inserted() {
        let table =
            "create table t (x integer, y integer, primary key (y, x)); insert into t values";
        let expected = sha256(b"T1:ti1:2i1:1i1:1i1:2i2:10i1:2");
        assert_eq!(of(&format!("{table} (10, 2), (2, 1), (1, 2)")), expected);
        assert_eq!(of(&format!("{table} (1, 2), (10, 2), (2, 1)")), expected);
    }

    #[test]
    fn whole_numbers_are_written_in_decimal_digits() {
        let written = |value| {
            let mut digits = [0; 20];
            String::from_utf8(decimal(value, &mut digits).to_vec()).unwrap()
        };
        for value in [0, 9, 10, -1, 256, i64::MIN, i64::MAX] {
            assert_eq!(written(value), value.to_string());
        }
    }
}
