//! The same inputs give the same bytes, for every user, in every folder and at any time.

use std::process::Command;
use std::time::Duration;

use energydb::embedded::IMAGE;

use crate::common::{DAY, Folder, in_project, source_configurations, task_file};

/// Three documents of two tasks. Some rows are in two of the documents.
fn documents(folder: &Folder) {
    let configurations = source_configurations();
    folder.write("in/a.json", task_file("lm-arena-chat", &configurations[..200]));
    folder.write("in/b.json", task_file("lm-arena-chat", &configurations[150..]));
    folder.write("in/c.json", task_file("gpqa", &configurations[10..50]));
}

const IN_ORDER: [&str; 3] = ["in/a.json", "in/b.json", "in/c.json"];

/// Builds in the folder and returns the bytes of the database.
fn built(folder: &Folder, mut command: Command, inputs: &[&str]) -> Vec<u8> {
    command.args(["build", "-o", "x.sqlite", "--quiet", "--data-version", DAY]).args(inputs);
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let bytes = folder.read("x.sqlite");
    std::fs::remove_file(folder.path("x.sqlite")).unwrap();
    bytes
}

#[test]
fn the_order_of_inputs_does_not_matter() {
    let folder = Folder::new();
    documents(&folder);
    let [a, b, c] = IN_ORDER;
    let expected = built(&folder, folder.command(), &IN_ORDER);
    for order in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
        assert!(built(&folder, folder.command(), &order) == expected, "{order:?}");
    }
}

#[test]
fn the_folder_the_time_and_what_was_built_before_do_not_matter() {
    let (here, there) = (Folder::new(), Folder::new());
    documents(&here);
    documents(&there);
    let expected = built(&here, here.command(), &IN_ORDER);
    // A second is what times in files are mostly counted in.
    std::thread::sleep(Duration::from_millis(1100));
    assert!(built(&there, there.command(), &IN_ORDER) == expected);
    let absolute: Vec<_> =
        IN_ORDER.iter().map(|name| there.path(name).to_str().unwrap().to_owned()).collect();
    let absolute: Vec<_> = absolute.iter().map(String::as_str).collect();
    assert!(built(&here, here.command(), &absolute) == expected);
    let mut elsewhere = here.command();
    elsewhere.current_dir(here.path("in"));
    let ended = elsewhere
        .args(["build", "a.json", "./b.json", "../in/c.json", "-o", "../y.sqlite", "--quiet"])
        .args(["--data-version", DAY])
        .output()
        .unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(here.read("y.sqlite") == expected);
    // Over another database, larger and smaller than itself.
    for before in [&["in/a.json"][..], &[]] {
        here.done(["build", "-o", "y.sqlite", "--quiet"].iter().chain(before));
        let words = ["build", "-o", "y.sqlite", "--quiet"];
        here.done(words.iter().chain(&IN_ORDER));
        assert!(here.read("y.sqlite") == expected, "{before:?}");
    }
}

#[test]
fn the_locale_the_time_zone_the_environment_and_the_umask_do_not_matter() {
    let folder = Folder::new();
    documents(&folder);
    let expected = built(&folder, folder.command(), &IN_ORDER);
    for (name, value) in [
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LC_ALL", "C"),
        ("LANG", "de_DE.UTF-8"),
        ("TZ", "Pacific/Kiritimati"),
        ("TZ", "America/New_York"),
        ("HOME", "/nonexistent"),
        ("USER", "somebody"),
        ("SOURCE_DATE_EPOCH", "1"),
        ("RAYON_NUM_THREADS", "1"),
        ("SQLITE_TMPDIR", "."),
        ("NO_COLOR", "1"),
    ] {
        let mut command = folder.command();
        command.env(name, value);
        assert!(built(&folder, command, &IN_ORDER) == expected, "{name}={value}");
    }
    let mut bare = folder.command();
    bare.env_clear();
    assert!(built(&folder, bare, &IN_ORDER) == expected);
    for umask in ["000", "077"] {
        let mut command = Command::new("sh");
        let run = format!("umask {umask}; exec \"$0\" \"$@\"");
        command.args(["-c", &run, env!("CARGO_BIN_EXE_energydb")]).current_dir(folder.path(""));
        command.env_remove("ENERGYDB_DB");
        assert!(built(&folder, command, &IN_ORDER) == expected, "{umask}");
    }
}

/// A copy of the built-in documents, as a checkout of the leaderboard has them.
fn leaderboard(folder: &Folder, below: &str) {
    let source = in_project("data/leaderboard");
    for part in ["", "tasks", "models"] {
        for entry in std::fs::read_dir(source.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.file_name().unwrap().to_str().unwrap();
                folder.write(format!("{below}/{part}/{name}"), std::fs::read(&path).unwrap());
            }
        }
    }
}

#[test]
fn whatever_a_checkout_is_called_by_it_gives_the_same_database() {
    let folder = Folder::new();
    leaderboard(&folder, "lb/public/data");
    for (from, inputs) in [
        ("", &["lb"][..]),
        ("", &["lb/public"]),
        ("", &["./lb/public/data/"]),
        ("lb/public/data", &["tasks", "models", "index.json"]),
        ("lb/public/data", &["index.json", "../data/tasks", "models"]),
        ("lb/public/data/tasks", &[".."]),
    ] {
        let mut command = folder.command();
        command.args(["build", "--quiet", "-o"]).arg(folder.path("x.sqlite")).args(inputs);
        let ended = command.current_dir(folder.path(from)).output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        assert!(folder.read("x.sqlite") == IMAGE, "{from} {inputs:?}");
    }
}

#[test]
fn a_clone_of_which_git_changes_the_line_ends_gives_the_same_database() {
    let folder = Folder::new();
    leaderboard(&folder, "origin/data/leaderboard");
    folder.write("origin/.gitattributes", std::fs::read(in_project(".gitattributes")).unwrap());
    // Git does change what the attributes say nothing of.
    folder.write("other/plain.json", "{\n}\n");
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@localhost"]).args(words);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        command.current_dir(folder.path("")).output().is_ok_and(|ended| ended.status.success())
    };
    if !git(&["--version"]) {
        return eprintln!("skipped: no git");
    }
    for of in ["origin", "other"] {
        assert!(git(&["init", "-q", of]));
        assert!(git(&["-C", of, "add", "-A"]));
        assert!(git(&["-C", of, "commit", "-q", "-m", "Add the data"]));
        assert!(git(&["clone", "-q", "-c", "core.autocrlf=true", of, &format!("{of}-clone")]));
    }
    assert_eq!(folder.read("other-clone/plain.json"), b"{\r\n}\r\n");
    folder.done(["build", "origin-clone/data/leaderboard", "--quiet"]);
    assert!(folder.read("energy.sqlite") == IMAGE);
}

#[test]
fn the_number_of_processors_does_not_matter() {
    let folder = Folder::new();
    documents(&folder);
    let expected = built(&folder, folder.command(), &IN_ORDER);
    if Command::new("taskset").arg("--version").output().is_err() {
        return;
    }
    let mut command = Command::new("taskset");
    command.args(["-c", "0", env!("CARGO_BIN_EXE_energydb")]).current_dir(folder.path(""));
    command.env_remove("ENERGYDB_DB");
    assert!(built(&folder, command, &IN_ORDER) == expected);
}

/// Needs to become another user, which only root can.
#[cfg(unix)]
#[test]
fn the_user_does_not_matter() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::Path;
    let folder = Folder::new();
    documents(&folder);
    let expected = built(&folder, folder.command(), &IN_ORDER);
    let root = folder.path("");
    if root.metadata().unwrap().uid() != 0 {
        return;
    }
    let open = |path: &Path| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
    };
    open(&root);
    // The program may be in a folder that only its owner can read.
    let program = folder.path("energydb");
    std::fs::copy(env!("CARGO_BIN_EXE_energydb"), &program).unwrap();
    open(&program);
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
    command.current_dir(&root).env_remove("ENERGYDB_DB");
    if Command::new("setpriv").arg("--version").output().is_ok() {
        assert!(built(&folder, command, &IN_ORDER) == expected);
    }
}
