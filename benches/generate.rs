//! Writes a generated task file to standard output:
//! `cargo run --release --example generate -- --rows 100000 > generated.json`.

use std::io::{self, BufWriter, Write};

use clap::Parser;

mod generator;

/// Write a generated leaderboard task file to standard output.
#[derive(Parser)]
struct Arguments {
    /// Number of measured configurations.
    #[arg(long)]
    rows: usize,
    /// Chooses the figures; the same rows and seed give the same bytes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the array of configurations alone, without the object around it.
    #[arg(long)]
    bare_array: bool,
}

fn main() -> io::Result<()> {
    let Arguments { rows, seed, bare_array } = Arguments::parse();
    #[allow(clippy::disallowed_methods, reason = "a program of its own")]
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    generator::Document { rows, seed, bare_array }.write_to(&mut out)?;
    out.flush()
}
