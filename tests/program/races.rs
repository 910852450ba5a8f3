//! Another program opens a transaction in a database while the database is rebuilt, migrated or packaged. It
//! commits it, rolls it back or is killed. In any order of events, no database is damaged.
//!
//! The long run has 240 tries and takes some five minutes:
//! `cargo test --test program races::no_transaction -- --ignored --nocapture`

#![cfg(unix)]

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use crate::common::{DATA, Ended, Folder, frozen};

/// Names the database that the other program changes, and how long it waits before it does.
const PLACE: &str = "ENERGYDB_TEST_PLACE";
const DELAY: &str = "ENERGYDB_TEST_DELAY_US";
/// What a committed transaction of the other program adds to every figure of this column.
const SUM: &str = "select sum(p99_itl_ms) from configurations";
const CHANGE: &str = "update configurations set p99_itl_ms = p99_itl_ms + 1";

/// Not a test: the other program, which is this one with the variables set. It opens the database at once, and
/// waits until something is being made next to it. Then it begins a transaction that does not fit into its
/// memory, and ends the transaction as standard input says.
#[test]
#[ignore = "is the other program of the tests here"]
fn the_other_program() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let delay: u64 = std::env::var(DELAY).unwrap().parse().unwrap();
    let connection =
        Connection::open_with_flags(&place, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    connection.execute_batch("pragma cache_size = 2; pragma busy_timeout = 0").unwrap();
    let _: f64 = connection.query_row(SUM, [], |row| row.get(0)).unwrap();
    println!("opened");
    // What packages a database leaves the folder around it alone.
    let watched = std::env::current_dir().unwrap();
    let start = Instant::now();
    let is_being_made = || {
        fs::read_dir(&watched)
            .unwrap()
            .any(|entry| entry.unwrap().file_name().to_string_lossy().starts_with('.'))
    };
    while !is_being_made() && start.elapsed() < Duration::from_secs(20) {
        sleep(Duration::from_micros(200));
    }
    sleep(Duration::from_micros(delay));
    let begun = connection.execute_batch(&format!("begin immediate; {CHANGE}"));
    println!("{}", if begun.is_ok() { "begun" } else { "refused" });
    let mut end = String::new();
    io::stdin().lock().read_line(&mut end).unwrap();
    let ended = connection.execute_batch(end.trim());
    println!("{}", if ended.is_ok() { "ended" } else { "not ended" });
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Build,
    Migrate,
    /// The other program changes the database that is packaged.
    Package,
    /// The other program changes the database of the release that is replaced.
    Replace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Commit,
    Rollback,
    Kill,
}

/// How one try goes.
#[derive(Clone, Copy, Debug)]
struct Try {
    work: Work,
    end: End,
    journal: &'static str,
    /// When the other program begins, as a part of the work's time.
    begins: f64,
    /// Whether it ends while the work goes on, and not after it.
    ends_early: bool,
}

/// What became of the tries.
#[derive(Debug, Default)]
struct Counts {
    tries: u32,
    /// The transaction was begun.
    begun: u32,
    /// The work was done.
    done: u32,
    /// The work was refused since the transaction was open.
    refused: u32,
    /// Of those, the ones with a journal or a write-ahead log that held changes when the work was
    /// about to replace or copy the database.
    with_journal: u32,
}

/// A folder in which each kind of work is tried.
struct Race {
    folder: Folder,
    /// The databases that are there before, by kind of work.
    old: Vec<u8>,
    oldest: Vec<u8>,
    release: Vec<(String, Vec<u8>)>,
    /// What the work makes when nobody disturbs it.
    built: Vec<u8>,
    migrated: Vec<u8>,
    times: [Duration; 4],
}

fn sum(path: &Path) -> f64 {
    // As any program opens it that may write, and so rolls a journal back.
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    let whole: String =
        connection.query_row("pragma integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(whole, "ok", "{}", path.display());
    connection.query_row(SUM, [], |row| row.get(0)).unwrap()
}

impl Race {
    fn new() -> Self {
        let folder = Folder::new();
        folder.done(["build", "--quiet", "--data-version", "2026-01-01", DATA]);
        let old = folder.read("energy.sqlite");
        let oldest = frozen(1);
        folder.done(["package", "--quiet", "-o", "release"]);
        let release = energydb::release::files(&folder.path("release"))
            .unwrap()
            .into_iter()
            .map(|name| (name.clone(), folder.read(Path::new("release").join(name))))
            .collect();
        let mut race = Self {
            folder,
            old,
            oldest,
            release,
            built: Vec::new(),
            migrated: Vec::new(),
            times: [Duration::ZERO; 4],
        };
        for work in [Work::Build, Work::Migrate, Work::Package, Work::Replace] {
            race.prepare(work, "delete");
            let start = Instant::now();
            Ended::of(race.command(work).output().unwrap()).succeeded();
            race.times[work as usize] = start.elapsed();
            match work {
                Work::Build => race.built = race.folder.read("energy.sqlite"),
                Work::Migrate => race.migrated = race.folder.read("energy.sqlite"),
                Work::Package | Work::Replace => {}
            }
        }
        race
    }

    fn command(&self, work: Work) -> Command {
        match work {
            Work::Build => self.folder.program(["build", "--quiet", DATA]),
            Work::Migrate => self.folder.program(["migrate", "energy.sqlite"]),
            Work::Package => self.folder.program(["package", "--quiet", "-o", "packaged"]),
            Work::Replace => self.folder.program(["package", "--quiet", "-o", "release"]),
        }
    }

    /// The database that the other program changes.
    fn place(&self, work: Work) -> PathBuf {
        match work {
            Work::Replace => self.folder.path("release/energydb-2026-01-01.sqlite"),
            _ => self.folder.path("energy.sqlite"),
        }
    }

    fn prepare(&self, work: Work, journal: &str) {
        for name in self.folder.names("") {
            let path = self.folder.path(name);
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
        let old = if work == Work::Migrate { &self.oldest } else { &self.old };
        self.folder.write("energy.sqlite", old);
        for (name, content) in &self.release {
            self.folder.write(Path::new("release").join(name), content);
        }
        let connection = Connection::open(self.place(work)).unwrap();
        connection.query_row(&format!("pragma journal_mode = {journal}"), [], |_| Ok(())).unwrap();
    }

    /// Whether a journal or a write-ahead log with changes lies beside the database.
    fn has_journal(&self, work: Work) -> bool {
        ["-journal", "-wal"].iter().any(|ending| {
            let mut path = self.place(work).into_os_string();
            path.push(ending);
            fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0)
        })
    }

    fn run(&self, tried: Try, counts: &mut Counts) {
        let Try { work, end, journal, begins, ends_early } = tried;
        self.prepare(work, journal);
        let place = self.place(work);
        let before = sum(&place);
        let rows: f64 = Connection::open(&place)
            .unwrap()
            .query_row("select count(*) from configurations", [], |row| row.get(0))
            .unwrap();
        let time = self.times[work as usize];
        let mut other = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", "races::the_other_program"])
            .current_dir(self.folder.path(""))
            .env(PLACE, &place)
            .env(DELAY, time.mul_f64(begins).as_micros().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = io::BufReader::new(other.stdout.take().unwrap());
        let mut until = |word: &str| {
            let mut line = String::new();
            while told.read_line(&mut line).unwrap() > 0 {
                if line.trim_end().ends_with(word) || line.trim_end().ends_with("refused") {
                    return line.trim_end().ends_with(word);
                }
                line.clear();
            }
            false
        };
        assert!(until("opened"), "{tried:?}");
        let mut command = self.command(work);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let ended = if ends_early {
            sleep(time.mul_f64(begins + 0.2));
            finish(&mut other, end);
            Ended::of(child.wait_with_output().unwrap())
        } else {
            Ended::of(child.wait_with_output().unwrap())
        };
        let has_journal = self.has_journal(work);
        if !ends_early {
            counts.begun += u32::from(until("begun"));
            finish(&mut other, end);
        }
        other.wait().unwrap();

        counts.tries += 1;
        let is_done = ended.status == Some(0);
        if is_done {
            counts.done += 1;
        } else {
            let ended = ended.failed(1, "");
            let is_of_the_check =
                matches!(work, Work::Package) && ended.err.contains("cannot be published");
            assert!(
                ended.err.contains("another program") || is_of_the_check,
                "{tried:?}: {ended:?}"
            );
            counts.refused += u32::from(!is_of_the_check);
            counts.with_journal += u32::from(!is_of_the_check && has_journal);
        }
        self.verify(tried, is_done, before, rows);
    }

    /// What is left of every database.
    fn verify(&self, tried: Try, is_done: bool, before: f64, rows: f64) {
        let Try { work, end, .. } = tried;
        let is_old = |sum: f64| (sum - before).abs() < 1e-6;
        let is_changed = |sum: f64| end == End::Commit && (sum - before - rows).abs() < 1e-6;
        let place = self.place(work);
        match (work, is_done) {
            (Work::Build, true) => {
                sum(&place);
                assert!(self.folder.read("energy.sqlite") == self.built, "{tried:?}");
            }
            (Work::Migrate, true) => {
                let found = sum(&place);
                assert!(is_old(found) || is_changed(found), "{tried:?}: {found} of {before}");
                let is_migrated = self.folder.read("energy.sqlite") == self.migrated;
                assert!(is_migrated || is_changed(found), "{tried:?}");
                self.folder.done(["check", "energy.sqlite"]);
            }
            (Work::Package, true) => {
                let found = sum(&place);
                assert!(is_old(found) || is_changed(found), "{tried:?}: {found} of {before}");
                let packaged = self.folder.path("packaged/energydb-2026-01-01.sqlite");
                assert!(fs::read(packaged).unwrap() == self.old, "{tried:?}");
            }
            (Work::Replace, true) => {
                sum(&place);
                assert!(fs::read(&place).unwrap() == self.old, "{tried:?}");
            }
            (_, false) => {
                let found = sum(&place);
                assert!(is_old(found) || is_changed(found), "{tried:?}: {found} of {before}");
            }
        }
        let left: Vec<_> =
            self.folder.names("").into_iter().filter(|name| name.starts_with('.')).collect();
        assert_eq!(left, [""; 0], "{tried:?}");
    }
}

/// Lets the other program end its transaction.
fn finish(other: &mut Child, end: End) {
    let word = match end {
        End::Commit => "commit",
        End::Rollback => "rollback",
        End::Kill => return other.kill().unwrap(),
    };
    // It may have ended, since it was refused.
    let _ = writeln!(other.stdin.take().unwrap(), "{word}");
}

/// Repeatable numbers from 0 to 1.
fn chance(number: u64) -> f64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

fn race(tries: u64) -> Counts {
    let race = Race::new();
    let mut counts = Counts::default();
    for number in 0..tries {
        let works = [Work::Build, Work::Migrate, Work::Package, Work::Replace];
        race.run(
            Try {
                work: works[number as usize % 4],
                end: [End::Commit, End::Rollback, End::Kill][number as usize / 4 % 3],
                journal: ["delete", "wal", "truncate"][number as usize % 3],
                begins: chance(number) * 1.1,
                ends_early: chance(number + tries) < 0.3,
            },
            &mut counts,
        );
    }
    counts
}

#[test]
fn a_transaction_of_another_program_damages_no_database() {
    let counts = race(12);
    assert!(counts.refused >= 1 && counts.done >= 3, "{counts:?}");
}

#[test]
#[ignore = "takes some five minutes"]
fn no_transaction_of_another_program_damages_a_database_in_240_tries() {
    let counts = race(240);
    println!("{counts:?}");
    assert!(counts.with_journal >= 50, "{counts:?}");
}
