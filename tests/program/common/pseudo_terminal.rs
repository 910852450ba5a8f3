//! The program run in a real pseudo-terminal, as a person runs it.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Runs the command in a terminal of so many columns, and returns all that it showed there, with
/// lines ended by one character.
pub fn shown(mut command: Command, columns: u16) -> String {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
    let theirs = File::options().read(true).write(true).open(name).unwrap();
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&theirs, size).unwrap();
    command.stdin(Stdio::null());
    command.stdout(theirs.try_clone().unwrap()).stderr(theirs);
    let mut child = command.spawn().unwrap();
    // The command holds the last of the terminal's other end.
    drop(command);
    let mut shown = Vec::new();
    let mut ours = File::from(ours);
    let mut bytes = [0; 4096];
    loop {
        match ours.read(&mut bytes) {
            Ok(0) => break,
            Ok(length) => shown.extend(&bytes[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Linux says so when nobody holds the other end.
            Err(_) => break,
        }
    }
    child.wait().unwrap();
    String::from_utf8(shown).unwrap().replace("\r\n", "\n")
}
