//! Ends builds at any moment, removes their disk, and gives them destinations that are not a place for a
//! database. What was there stays unchanged, and no temporary files are left.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicU64;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::documents::{document, document_of, real_rows};
use crate::common::{DATA, DAY, Ended, Folder, frozen};
use energydb::input::document::Document;
use energydb::input::findings::Accepted;
use energydb::input::read;
use energydb::platform;
use energydb::signal::Signals;
use signal_hook::consts::SIGHUP;

/// A document of consistent rows, large enough that a build of it can be met half way.
fn large(rows: usize, seed: u64) -> Vec<u8> {
    let mut text = Vec::new();
    crate::generator::Document { rows, seed, bare_array: false }.write_to(&mut text).unwrap();
    text
}

/// Runs a command in a folder with one file, and ends it by a signal once it has begun to write. On a busy
/// machine the command may finish before the signal, and is then tried again.
fn ended_while_writing(folder: &Folder, words: &[&str], signal: &str) -> Ended {
    const TRIES: usize = 20;
    let kept = folder.names("");
    for _ in 0..TRIES {
        let child = spawn(folder.program(words));
        while folder.names("").len() <= kept.len() {
            sleep(Duration::from_millis(1));
        }
        send(signal, &child);
        let ended = Ended::of(child.wait_with_output().unwrap());
        if ended.status != Some(0) {
            return ended;
        }
        for made in folder.names("").into_iter().filter(|name| !kept.contains(name)) {
            let path = folder.path(&made);
            let removed = if path.is_dir() {
                std::fs::remove_dir_all(path)
            } else {
                std::fs::remove_file(path)
            };
            removed.unwrap();
        }
    }
    panic!("{words:?} was done before {signal} in {TRIES} tries");
}

/// Repeatable numbers from 0 to 1: splitmix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn send(signal: &str, child: &Child) {
    let status =
        Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
    assert!(status.unwrap().success());
}

fn spawn(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A database at the destination of a longer build, and the result of that build.
struct Builds {
    folder: Folder,
    old: Vec<u8>,
    new: Vec<u8>,
    duration: Duration,
}

impl Builds {
    fn new(rows: usize) -> Self {
        let folder = Folder::new();
        folder.write("in.json", large(rows, 1));
        folder.run(["build", DATA, "-o", "out.sqlite"]).succeeded();
        let old = folder.read("out.sqlite");
        // The shortest of several times. A build that other work delayed would let most builds finish in time.
        let duration = (0..5).map(|_| {
            let start = Instant::now();
            folder.run(["build", "in.json", "-o", "out.sqlite"]).succeeded();
            start.elapsed()
        });
        let duration = duration.min().unwrap();
        let new = folder.read("out.sqlite");
        folder.write("out.sqlite", &old);
        Self { folder, old, new, duration }
    }

    /// Ends a build by a signal after a part of its time. Returns whether it was ended.
    fn interrupt(&self, signal: &str, part: f64) -> bool {
        let at = format!("{signal} after {part} of {:?}", self.duration);
        let child = spawn(self.folder.program(["build", "in.json", "-o", "out.sqlite"]));
        sleep(self.duration.mul_f64(part));
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        let (status, ran) = (output.status, Ended::of(output));
        let is_complete = status.success();
        let kept = self.folder.read("out.sqlite");
        if is_complete {
            assert!(kept == self.new, "{at}: not the new database");
            self.folder.write("out.sqlite", &self.old);
        } else if kept == self.new && signal == "KILL" {
            // It ended between putting the file in place and saying so.
            self.folder.write("out.sqlite", &self.old);
        } else {
            assert!(kept == self.old, "{at}: {} bytes are not the old database", kept.len());
        }
        let number = match signal {
            "KILL" => 9,
            "INT" => 2,
            _ => 15,
        };
        if signal == "KILL" {
            assert!(is_complete || status.signal() == Some(number), "{at}: {status}");
            self.folder.run(["build", DATA, "-o", "out.sqlite"]).succeeded();
        } else if !is_complete && status.signal() != Some(number) {
            // A signal ends the program itself only before it watches for signals.
            assert_eq!(status.code(), Some(128 + number), "{at}: {ran:?}");
            assert_eq!(ran.err, "error: interrupted\n", "{at}");
        }
        assert_eq!(self.folder.names(""), ["in.json", "out.sqlite"], "{at}");
        !is_complete
    }
}

#[test]
fn a_build_that_a_signal_ends_leaves_the_old_database_and_no_litter() {
    let builds = Builds::new(3000);
    let mut chance = Chance(1);
    let mut ended = 0;
    for (signal, times) in [("KILL", 8), ("TERM", 4), ("INT", 4)] {
        for _ in 0..times {
            ended += u32::from(builds.interrupt(signal, chance.next()));
        }
    }
    assert!(ended >= 6, "only {ended} of 16 builds were ended early");
}

#[test]
#[ignore = "takes some minutes"]
fn two_hundred_and_fifty_builds_that_signals_end_lose_nothing() {
    let builds = Builds::new(8000);
    let mut chance = Chance(2);
    let mut ended = 0;
    for round in 0..250 {
        let signal = ["KILL", "KILL", "KILL", "TERM", "INT"][round % 5];
        // Every other one near the end, where the file is completed and put in place.
        let part = if round % 2 == 0 { chance.next() } else { 0.85 + 0.25 * chance.next() };
        ended += u32::from(builds.interrupt(signal, part));
    }
    assert!(ended >= 150, "only {ended} of 250 builds were ended early");
}

#[test]
fn a_build_without_a_database_before_it_leaves_none_when_it_is_ended() {
    let folder = Folder::new();
    folder.write("in.json", large(8000, 1));
    for signal in ["INT", "TERM"] {
        ended_while_writing(&folder, &["build", "in.json"], signal)
            .failed(if signal == "INT" { 130 } else { 143 }, "interrupted");
        assert_eq!(folder.names(""), ["in.json"]);
    }
}

#[test]
fn a_signal_ends_the_wait_for_an_input_that_never_comes() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    folder.write("a.json", document(&real_rows()));
    for inputs in [&["-"][..], &["pipe"], &["a.json", "-"], &["pipe", "a.json"]] {
        for more in [&[][..], &["--dry-run"]] {
            let mut command = folder.program([&["build"], inputs, more].concat());
            command.stdin(Stdio::piped());
            let mut child = spawn(command);
            // Held open, so that the input does not end.
            let held = child.stdin.take();
            sleep(Duration::from_millis(150));
            send("INT", &child);
            let start = Instant::now();
            Ended::of(child.wait_with_output().unwrap()).failed(130, "interrupted");
            assert!(start.elapsed() < Duration::from_secs(5), "{inputs:?}");
            drop(held);
            assert_eq!(folder.names(""), ["a.json", "pipe"]);
        }
    }
}

#[test]
fn pipes_are_read_alone_and_among_several_inputs() {
    let folder = Folder::new();
    folder.write("a.json", document(&real_rows()));
    folder.write("b.json", document_of("b", &real_rows()));
    let program = env!("CARGO_BIN_EXE_energydb");
    for (inputs, rows) in
        [("a", "328"), ("a b", "656"), ("b a", "656"), ("a a", "328"), ("a b b a", "656")]
    {
        let inputs: String = inputs.split(' ').map(|name| format!(" <(cat {name}.json)")).collect();
        let mut command = Command::new("bash");
        command
            .arg("-c")
            .arg(format!("exec '{program}' build --data-version {DAY}{inputs}"))
            .current_dir(folder.path(""));
        let Ok(output) = command.output() else { return eprintln!("skipped: no bash") };
        Ended::of(output).succeeded();
        let sql = "select count(*) from configurations";
        assert_eq!(folder.csv("energy.sqlite", sql), [rows], "{inputs}");
    }
}

#[test]
fn an_input_that_changes_between_its_two_readings_is_refused() {
    let folder = Folder::new();
    let rows = real_rows();
    let paths = ["a", "b"].map(|task| folder.write(task, document_of(task, &rows[..4])));
    let order = read::order(Document::of_inputs(&paths, &Signals::none()).unwrap()).unwrap();
    let (progress, accept) = (AtomicU64::new(0), Accepted::default());
    let mut take = |_| true;
    read::read(&order.documents, &accept, false, &progress, &mut take).unwrap();
    for changed in [document_of("c", &rows[..4]), document_of("b", &rows[..3])] {
        folder.write("b", changed);
        let error = read::read(&order.documents, &accept, false, &progress, &mut take).unwrap_err();
        assert!(error.to_string().contains("changed while it was being read"), "{error}");
    }
}

#[test]
fn a_migration_that_a_signal_ends_says_so_and_leaves_the_old_database() {
    let folder = Folder::new();
    let old = frozen(1);
    let path = folder.write("old.sqlite", &old);
    let start = Instant::now();
    folder.run(["migrate", "old.sqlite"]).succeeded();
    let duration = start.elapsed();
    let new = folder.read("old.sqlite");
    for round in 0..40 {
        let (signal, number) = [("TERM", 15), ("INT", 2)][round % 2];
        fs::write(&path, &old).unwrap();
        let child = spawn(folder.program(["migrate", "old.sqlite"]));
        sleep(duration.mul_f64(round as f64 / 40.0));
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        let is_complete = output.status.success();
        let kept = folder.read("old.sqlite");
        assert!(kept == if is_complete { &new[..] } else { &old[..] }, "{signal}: {round}");
        // A signal ends the program itself only before it watches for signals.
        if !is_complete && output.status.signal() != Some(number) {
            let ran = Ended::of(output).failed(128 + number, "interrupted");
            assert_eq!(ran.err, "error: interrupted\n", "{signal}: {round}");
        }
        assert_eq!(folder.names(""), ["old.sqlite"], "{signal}: {round}");
    }
}

#[test]
fn builds_to_one_destination_at_once_leave_one_of_their_databases_whole() {
    let folder = Folder::new();
    let mut whole = Vec::new();
    for seed in 0..4 {
        folder.write(format!("{seed}.json"), large(500, seed));
        folder.run(["build", &format!("{seed}.json")]).succeeded();
        whole.push(folder.read("energy.sqlite"));
    }
    let names = folder.names("");
    for round in 0..5 {
        let at_once = if round < 3 { 2 } else { 4 };
        let builds: Vec<_> = (0..at_once)
            .map(|seed| spawn(folder.program(["build", &format!("{seed}.json")])))
            .collect();
        for build in builds {
            Ended::of(build.wait_with_output().unwrap()).succeeded();
        }
        let built = folder.read("energy.sqlite");
        assert!(whole[..at_once].contains(&built), "{} bytes are none of them", built.len());
        assert_eq!(folder.names(""), names);
    }
}

#[test]
fn what_killed_builds_left_is_removed_and_nothing_else() {
    let folder = Folder::new();
    for name in [
        ".energy.sqlite.build-notes",
        ".energy.sqlite.build-abc-ef",
        ".energy.sqlite.build-abcdefg",
        ".other.sqlite.build-abcdef",
        "energy.sqlite.build-abcdef",
    ] {
        folder.write(name, "mine");
    }
    // A file of that name, and a folder of somebody else that contains something.
    folder.write(".energy.sqlite.build-aB3dE9", "mine");
    folder.write(".energy.sqlite.build-folder/notes", "mine");
    let pipe = folder.path(".energy.sqlite.build-apipe1");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let before = folder.names("");
    folder.write(".energy.sqlite.build-000000/lock", "");
    folder.write(".energy.sqlite.build-000000/new", "half a database");
    fs::create_dir(folder.path(".energy.sqlite.build-000001")).unwrap();
    folder.run(["build", DATA]).succeeded();
    fs::remove_file(folder.path("energy.sqlite")).unwrap();
    assert_eq!(folder.names(""), before);
}

#[test]
fn a_limit_on_the_size_of_files_ends_a_build_with_an_error() {
    let folder = Folder::with_database();
    let old = folder.read("energy.sqlite");
    folder.write("in.json", large(4000, 1));
    let program = env!("CARGO_BIN_EXE_energydb");
    let mut refused = 0;
    for blocks in [0, 1, 16, 17, 100, 300, 600, 1000, 1200, 1400, 100_000] {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!(
            "ulimit -f {blocks}; exec '{program}' build in.json --data-version {DAY}"
        ));
        let output = shell.current_dir(folder.path("")).stdin(Stdio::null()).output().unwrap();
        let ran = Ended::of(output);
        if ran.status == Some(0) {
            continue;
        }
        ran.failed(1, "energy.sqlite");
        assert!(folder.read("energy.sqlite") == old, "{blocks} blocks");
        assert_eq!(folder.names(""), ["energy.sqlite", "in.json"]);
        refused += 1;
    }
    assert!((5..11).contains(&refused), "{refused}");
}

#[test]
fn a_full_disk_ends_a_build_with_an_error() {
    let folder = Folder::with_database();
    folder.write("in.json", large(4000, 1));
    fs::create_dir(folder.path("disk")).unwrap();
    let program = env!("CARGO_BIN_EXE_energydb");
    for kibibytes in [300, 400, 900] {
        // The mount is private to the shell, and gone with it.
        let script = format!(
            "mount -t tmpfs -o size={kibibytes}k none disk || exit 77
             cp energy.sqlite disk/ || exit 77
             '{program}' build in.json -o disk/energy.sqlite; status=$?
             cmp energy.sqlite disk/energy.sqlite || exit 3
             [ \"$(ls -A disk)\" = energy.sqlite ] || exit 4
             exit $status"
        );
        let mut shell = Command::new("unshare");
        shell.args(["-m", "sh", "-c", &script]).current_dir(folder.path("")).stdin(Stdio::null());
        match shell.output() {
            Ok(output) if [Some(0), Some(1), Some(3), Some(4)].contains(&output.status.code()) => {
                let ran = Ended::of(output).failed(1, "disk/energy.sqlite");
                assert!(ran.err.contains("full"), "{ran:?}");
            }
            _ => return eprintln!("skipped: a disk can be mounted by root only"),
        }
    }
}

/// The program as someone whom permissions bind, or `None` if that cannot be had.
fn ordinary(folder: &Folder, arguments: &[&str]) -> Option<Command> {
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if !is_root {
        return Some(folder.program(arguments));
    }
    let program = env!("CARGO_BIN_EXE_energydb");
    let as_nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", program];
    let can = Command::new("setpriv").args(as_nobody).arg("--version").output();
    if !can.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let mut command = Command::new("setpriv");
    command.args(as_nobody).args(arguments).current_dir(folder.path("")).env_remove("ENERGYDB_DB");
    command.stdin(Stdio::null());
    Some(command)
}

#[test]
fn a_folder_that_may_not_be_written_to_is_said_to_be_one() {
    let folder = Folder::with_database();
    let old = folder.read("energy.sqlite");
    let mode = |mode| fs::set_permissions(folder.path(""), Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    for output in ["energy.sqlite", "new.sqlite"] {
        let Some(mut command) = ordinary(&folder, &["build", "-o", output]) else {
            mode(0o755);
            return eprintln!("skipped: root may write everywhere, and cannot be another user");
        };
        let ran = Ended::of(command.output().unwrap()).failed(1, "could not write into the folder");
        assert!(ran.err.contains(output), "{ran:?}");
        let dry =
            ordinary(&folder, &["build", "--dry-run", "-o", output]).unwrap().output().unwrap();
        Ended::of(dry).succeeded();
        let query = ordinary(&folder, &["query", "models"]).unwrap().output().unwrap();
        Ended::of(query).succeeded();
    }
    mode(0o755);
    assert_eq!(folder.names(""), ["energy.sqlite"]);
    assert!(folder.read("energy.sqlite") == old);

    // A folder that may be written to but not read, and so not synced; a database that may not be
    // read.
    mode(0o333);
    let build = ordinary(&folder, &["build", "-o", "new.sqlite"]).unwrap().output().unwrap();
    Ended::of(build).failed(1, "could not write into the folder");
    mode(0o777);
    assert_eq!(folder.names(""), ["energy.sqlite"]);
    fs::set_permissions(folder.path("energy.sqlite"), Permissions::from_mode(0o000)).unwrap();
    let build = ordinary(&folder, &["build"]).unwrap().output().unwrap();
    Ended::of(build).failed(1, "energy.sqlite");
    let query = ordinary(&folder, &["query", "models"]).unwrap().output().unwrap();
    Ended::of(query).failed(1, "could not read the database: energy.sqlite");
}

/// Makes one database, and everything else that is not a database.
fn obstacles(folder: &Folder) {
    let path = |name: &str| folder.path(name);
    fs::create_dir(path("folder")).unwrap();
    folder.write("empty", "");
    folder.write("text", "SQLite format 3, as people write of it");
    folder.write("data.json", document(&real_rows()));
    let other = rusqlite::Connection::open(path("other.sqlite")).unwrap();
    other.execute_batch("create table t (x); insert into t values (1)").unwrap();
    drop(other);
    assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    for name in ["folder", "empty", "text", "other.sqlite", "pipe", "/dev/null"] {
        let link = format!("link-to-{}", name.trim_start_matches("/dev/"));
        symlink(name, path(&link)).unwrap();
    }
    symlink("loop-b", path("loop-a")).unwrap();
    symlink("loop-a", path("loop-b")).unwrap();
    symlink("no/such/file", path("link-to-nowhere")).unwrap();
}

#[test]
fn a_destination_that_is_no_place_for_a_database_is_refused_and_stays_as_it_was() {
    let folder = Folder::new();
    obstacles(&folder);
    let before = folder.names("");
    let contents = |name: &str| fs::read(folder.path(name)).unwrap();
    let kept = ["empty", "text", "other.sqlite", "data.json"];
    let old: Vec<_> = kept.iter().map(|name| contents(name)).collect();
    let not_ours = "is not an energydb database, so it is not replaced";
    for (output, why) in [
        ("folder", "a folder is not a database"),
        ("folder/", "a folder is not a database"),
        (".", "cannot be the name of a file"),
        ("..", "cannot be the name of a file"),
        ("/", "cannot be the name of a file"),
        ("new/", "a folder is not a database"),
        ("text/", "text"),
        ("text/new.sqlite", "text"),
        ("no/such/new.sqlite", "no such folder: no/such"),
        ("-", "standard output"),
        ("text", not_ours),
        ("data.json", not_ours),
        ("other.sqlite", not_ours),
        ("pipe", not_ours),
        ("/dev/null", not_ours),
        ("link-to-folder", "a folder is not a database"),
        ("link-to-text", not_ours),
        ("link-to-other.sqlite", not_ours),
        ("link-to-pipe", not_ours),
        ("link-to-null", not_ours),
        ("link-to-nowhere", "no such folder"),
        ("loop-a", "too many symbolic links"),
        ("loop-a/new.sqlite", "loop-a"),
        (&"x".repeat(300), "xxx"),
    ] {
        for input in ["data.json", DATA] {
            folder.run(["build", input, "-o", output]).failed(1, why);
        }
        assert_eq!(folder.names(""), before, "{output}");
    }
    for (name, old) in kept.iter().zip(old) {
        assert!(contents(name) == old, "{name}");
    }
    // An output that is an input: neither is harmed.
    folder.run(["build", DATA, "-o", "energy.sqlite"]).succeeded();
    let old = contents("energy.sqlite");
    let built = folder.run(["build", "energy.sqlite", "-o", "energy.sqlite"]);
    built.failed(1, "1 finding").found(&["energy.sqlite: first bytes", "SQLite database"]);
    assert!(contents("energy.sqlite") == old);
}

#[test]
fn a_symbolic_link_is_followed_and_stays_one() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    fs::create_dir(path("real")).unwrap();
    fs::create_dir(path("links")).unwrap();
    // To nothing yet, then to a database; relative, absolute, and one through another.
    symlink("../real/energy.sqlite", path("links/relative")).unwrap();
    symlink(path("real/energy.sqlite"), path("links/absolute")).unwrap();
    symlink("relative", path("links/chain")).unwrap();
    symlink("real", path("folder-link")).unwrap();
    for output in ["links/relative", "links/absolute", "links/chain", "folder-link/energy.sqlite"] {
        for _ in 0..2 {
            folder.run(["build", DATA, "-o", output]).succeeded();
            assert!(path("real/energy.sqlite").symlink_metadata().unwrap().is_file());
            assert_eq!(fs::read_dir(path("real")).unwrap().count(), 1);
            assert_eq!(folder.csv(output, "select count(*) from tasks"), ["1"]);
        }
        fs::remove_file(path("real/energy.sqlite")).unwrap();
    }
    for link in ["links/relative", "links/absolute", "links/chain", "folder-link"] {
        assert!(path(link).is_symlink(), "{link}");
    }
}

#[test]
fn names_that_mean_something_elsewhere_are_names_here() {
    let folder = Folder::new();
    let names: [&[u8]; 16] = [
        b"a#b.sqlite",
        b"a?mode=memory",
        b"a%20b.sqlite",
        b"file:a.sqlite",
        b"file:a?mode=ro",
        b" leading and trailing ",
        b"two\nlines",
        b"tab\tescape\x1b[2J",
        "é Σ 数据 🙂.sqlite".as_bytes(),
        b"not \xff\xfe utf-8",
        b":memory:",
        b"'quoted' \"twice\" `and` $HOME;",
        b"back\\slash",
        b"*",
        b"~",
        b".hidden",
    ];
    for name in names {
        let name = OsStr::from_bytes(name);
        let run = |program: &mut Command| Ended::of(program.output().unwrap());
        let ran = run(folder.program(["build", DATA, "-o"]).arg(name)).succeeded();
        assert_eq!(ran.err, "", "{name:?}");
        let found: Vec<_> = fs::read_dir(folder.path(""))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(found, [name]);
        let sql = ["query", "--format", "csv", "--sql", "select count(*) from tasks", "--db"];
        let ran = run(folder.program(sql).arg(Path::new(name))).succeeded();
        assert_eq!(ran.text(), "count(*)\n1\n", "{name:?}");
        fs::remove_file(folder.path(name)).unwrap();
    }
}

#[test]
fn changes_of_another_program_beside_the_destination_are_refused() {
    for ending in ["-journal", "-wal"] {
        for has_database in [false, true] {
            let folder = Folder::new();
            if has_database {
                folder.run(["build", DATA]).succeeded();
            }
            let name = format!("energy.sqlite{ending}");
            folder.write(&name, "");
            folder.run(["build", DATA]).succeeded();
            let old = folder.read("energy.sqlite");
            if !has_database {
                fs::remove_file(folder.path("energy.sqlite")).unwrap();
            }
            folder.write(&name, [7; 600]);
            folder.run(["build", DATA]).failed(1, &name);
            assert!(!has_database || folder.read("energy.sqlite") == old);
            assert_eq!(folder.names("").len(), 1 + usize::from(has_database));
        }
    }
}

#[test]
fn a_terminal_that_is_closed_ends_a_command_and_leaves_nothing() {
    if !platform::ending_signals().contains(&SIGHUP) {
        return eprintln!("skipped: nohup runs this test");
    }
    let folder = Folder::new();
    folder.write("in.json", large(8000, 1));
    for words in [&["build", "in.json"][..], &["package", "-o", "release"]] {
        ended_while_writing(&folder, words, "HUP").failed(129, "interrupted");
        assert_eq!(folder.names(""), ["in.json"], "{words:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_nohup_runs_goes_on_without_its_terminal() {
    let folder = Folder::new();
    folder.write("in.json", large(4000, 1));
    let program = env!("CARGO_BIN_EXE_energydb");
    let mut command = Command::new("nohup");
    command
        .args([program, "build", "-q", "in.json", "--data-version", DAY])
        .current_dir(folder.path(""));
    let child = spawn(command);
    while folder.names("").len() < 2 {
        sleep(Duration::from_millis(1));
    }
    send("HUP", &child);
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(folder.names(""), ["energy.sqlite", "in.json"]);
}

#[test]
fn an_input_that_never_ends_is_refused_at_once_where_its_first_bytes_are() {
    let folder = Folder::new();
    folder.write("a.json", document(&real_rows()));
    let program = env!("CARGO_BIN_EXE_energydb");
    let start = Instant::now();
    for (script, why) in [
        ("yes '[' | exec 'P' build -", "nesting is deeper than 128 levels"),
        ("yes '{' | exec 'P' build a.json -", "line 2, column 1"),
        ("yes | tr -d '\\n' | exec 'P' build -", "line 1, column 1: expected a value"),
        ("exec 'P' build /dev/zero", "line 1, column 1: expected a value, found a NUL"),
        ("exec 'P' build a.json /dev/zero", "found a NUL character"),
        ("exec 'P' build --dry-run /dev/zero /dev/zero", "found a NUL character"),
        // Findings without an end.
        (
            "(printf '{\"configurations\": [{\"model_id\": \"a/b\"},'; yes '{},') | exec 'P' build -",
            "too many findings; the rest of the document was not read",
        ),
    ] {
        let script = script.replace('P', program);
        let mut shell = Command::new("timeout");
        shell.args(["20", "sh", "-c", &script]).current_dir(folder.path("")).stdin(Stdio::null());
        let Ok(output) = shell.output() else { return eprintln!("skipped: no timeout") };
        let ended = Ended::of(output);
        assert_eq!(ended.status, Some(1), "{script}: {ended:?}");
        assert!(ended.err.contains(why), "{script}: {ended:?}");
        assert_eq!(folder.names(""), ["a.json"]);
    }
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_signal_ends_the_reading_of_text_without_an_end_that_has_no_fault() {
    let folder = Folder::new();
    folder.write("a.json", document(&real_rows()));
    let numbers = "printf '{\"task\": \"gpqa\", \"x\": ['; seq 1 999999999999 | tr '\n' ,";
    for feed in [numbers.to_owned(), format!("({numbers}) | gzip -1")] {
        for words in
            [&["build", "-"][..], &["build", "a.json", "-", "--dry-run"], &["diff", "a.json", "-"]]
        {
            let mut feeder = Command::new("sh");
            feeder.args(["-c", &feed]).stdout(Stdio::piped()).stderr(Stdio::null());
            let Ok(mut feeder) = feeder.spawn() else { return eprintln!("skipped: no sh") };
            let mut command = folder.program(words);
            command.stdin(feeder.stdout.take().unwrap());
            let mut child = spawn(command);
            sleep(Duration::from_millis(700));
            assert!(child.try_wait().unwrap().is_none(), "{words:?} ended by itself: {feed}");
            send("INT", &child);
            let start = Instant::now();
            Ended::of(child.wait_with_output().unwrap()).failed(130, "interrupted");
            assert!(start.elapsed() < Duration::from_secs(5), "{words:?}: {feed}");
            feeder.wait().unwrap();
            assert_eq!(folder.names(""), ["a.json"]);
        }
    }
}

#[test]
fn a_manifest_that_never_comes_or_never_ends_is_refused() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let child = spawn(folder.program(["build", "--manifest", "pipe"]));
    sleep(Duration::from_millis(150));
    send("INT", &child);
    Ended::of(child.wait_with_output().unwrap()).failed(130, "interrupted");
    let build = |manifest: &str| folder.run(["build", "--manifest", manifest]);
    build("/dev/zero").failed(1, "it is longer than 1048576 bytes");
    folder.write("long.json", format!("{{\"{}\": 1}}", "a".repeat(1_000_000)));
    let ended = build("long.json").failed(1, "not a manifest");
    assert!(ended.err.len() < 1000, "{} bytes", ended.err.len());
    assert_eq!(folder.names(""), ["long.json", "pipe"]);
}

#[test]
fn a_database_that_cannot_be_read_is_refused_and_not_passed_over() {
    let folder = Folder::new();
    symlink("nowhere", folder.path("energy.sqlite")).unwrap();
    for words in [&["query", "gpus"][..], &["-q", "query", "gpus"], &["check"], &["schema"]] {
        let ended = folder.run(words).failed(1, "a symbolic link to a missing file");
        assert_eq!(ended.out, b"", "{words:?}");
        assert!(!ended.err.contains("built-in"), "{words:?}");
    }
    fs::remove_file(folder.path("energy.sqlite")).unwrap();
    let ended = folder.run(["query", "gpus"]).succeeded();
    assert!(ended.err.contains("built-in data"), "{ended:?}");
    // A folder in which nothing can be looked up.
    let mode = |mode| fs::set_permissions(folder.path(""), Permissions::from_mode(mode)).unwrap();
    let Some(mut query) = ordinary(&folder, &["query", "gpus"]) else {
        return eprintln!("skipped: root may read everywhere, and cannot be another user");
    };
    mode(0o000);
    let output = query.output();
    mode(0o755);
    let Ok(output) = output else {
        return eprintln!("skipped: only root can start a program in such a folder");
    };
    Ended::of(output).failed(1, "could not read the database: energy.sqlite");
}

#[test]
fn a_reader_that_stopped_reading_does_not_hold_up_a_signal() {
    let folder = Folder::new();
    folder.write("old.json", large(3000, 1));
    folder.write("new.json", large(3000, 2));
    for name in ["old", "new"] {
        folder.done(["build", "-q", &format!("{name}.json"), "-o", &format!("{name}.sqlite")]);
    }
    let mut child = spawn(folder.program(["diff", "--details", "old.sqlite", "new.sqlite"]));
    // The pipe is full once the first of much has come.
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0]).unwrap();
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "all fitted into the pipe");
    send("INT", &child);
    let start = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_name_as_long_as_the_system_allows_is_a_place_for_a_database() {
    let folder = Folder::new();
    let name = "x".repeat(255);
    for _ in 0..2 {
        folder.run(["build", "-q", "-o", &name]).succeeded();
        assert_eq!(folder.names(""), std::slice::from_ref(&name));
    }
    assert_eq!(folder.csv(&name, "select count(*) from gpus"), ["2"]);
}
