//! The command line: its commands and flags, and no logic.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::measurement::product::Product;
use crate::output::Format;

/// The energy of LLM inference as a database: which configuration of a model on a GPU uses the
/// least energy within a latency deadline.
///
/// Without a database at hand every command answers from the built-in data: the ML.ENERGY
/// Leaderboard, of models that make text, images and videos.
#[derive(Debug, Parser)]
#[command(name = "energydb", version, max_term_width = 100, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// What stands anywhere on the line.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  energydb query best --gpu B200 --deadline-ms 50
      the least energy of each model on B200 within 50 ms between tokens
  energydb query
      the questions that have a name
  energydb build
      write energy.sqlite from the built-in data, for any SQL client
  energydb export -o published
      one JSON document per model

Exit status:
  0    done
  1    the data or the database was refused, or the machine failed
  2    the command line was wrong
  3    'diff --exit-code' found differences
  130  interrupted; 143 terminated";

/// The variable that names a database where `--db` does not.
pub const DATABASE_VARIABLE: &str = "ENERGYDB_DB";

/// Flags that several commands share. They come after a command's own in its help.
#[derive(Debug, Clone, Args)]
#[command(next_display_order = 1000, next_help_heading = "Shared flags")]
pub struct Global {
    /// Database to read, or the folder of a release [default: ENERGYDB_DB, else ./energy.sqlite,
    /// else the built-in data]
    #[arg(long, global = true, value_name = "FILE", env = DATABASE_VARIABLE, hide_env = true)]
    pub db: Option<PathBuf>,
    /// table, csv, tsv, json, ndjson, markdown or line, or a picture: chart or svg [default: table on
    /// a terminal, else csv]
    #[arg(long, global = true, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    #[arg(ignore_case = true)]
    pub format: Option<Format>,
    /// Show every column of a table, wider than the terminal if need be
    #[arg(long, global = true)]
    pub wide: bool,
    /// Print results and errors only, no notes or progress
    #[arg(long, short, global = true, hide_short_help = true)]
    pub quiet: bool,
    /// Give up after this many seconds
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    #[arg(allow_negative_numbers = true, hide_short_help = true)]
    pub timeout: Option<f64>,
}

/// Which rows and columns are printed, how, and where.
#[derive(Debug, Clone, Default, Args)]
#[command(next_display_order = 900, next_help_heading = "Output")]
pub struct Selection {
    /// Print this many rows at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Sort by this column; -COLUMN has the highest first
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Print these columns alone, in this order
    #[arg(long, value_name = "NAME,NAME")]
    pub columns: Option<String>,
    /// Write to this file; without --format its extension chooses the format
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The same as --format json
    #[arg(long, hide_short_help = true)]
    pub json: bool,
    /// The same as --format csv
    #[arg(long, hide_short_help = true)]
    pub csv: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build a database from files of the leaderboard, or from the built-in data
    Build(Build),
    /// Run a named query, or a statement of your own
    Query(Query),
    /// Publish one JSON document per model, and an index of each task
    Export(Export),
    /// Check that a database is complete and unchanged since it was built
    Check(Check),
    /// List the checks that data passes before it is stored
    Checks,
    /// Print an empty table for measurements of your own, with an example
    Template(Template),
    /// Show what changed between two releases
    Diff(Diff),
    /// Make the folder of a release: the database, documents, tables and descriptions
    Package(Package),
    /// Print a manifest for a publisher to fill in: what a release is and where its data comes from
    Manifest(Manifest),
    /// Make one HTML file to explore the database with, in any browser and offline
    Page(Page),
    /// Explain the tables, views and columns
    Schema(Schema),
    /// Show the version of the program and the data, and what the figures mean
    Info,
    /// Upgrade a database of an older schema to the newest
    Migrate(Migrate),
    /// Print a script that lets a shell complete commands, queries and flags
    Completions(Completions),
    /// Print the manual page, or write those of all commands and queries
    Man(Man),
}

/// `energydb check`
#[derive(Debug, Args)]
#[command(after_help = "\
Prints one line for each check. The exit status is 1 if any fails. The content hash is the one that
'energydb build' printed, if no figure has changed since.

Examples:
  energydb check energy.sqlite
  energydb check energy.sqlite --inputs lm-arena-chat.json")]
pub struct Check {
    /// Database to check, or the folder of a release [default: the one that --db would name]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The documents that the database was built from, or their folder, to compare their sha256
    #[arg(long, value_name = "INPUT", num_args = 1..)]
    pub inputs: Vec<PathBuf>,
}

/// `energydb template`
#[derive(Debug, Args)]
#[command(after_help = "\
Prints CSV with an example: the columns, their units, and which are needed. 'energydb build' reads
such a table, also as JSON lines with the same names.

Examples:
  energydb template > mine.csv
  energydb template images")]
pub struct Template {
    /// What the measurements are of: tokens, images or videos
    #[arg(value_name = "OUTPUT", default_value = "tokens", value_parser = product)]
    pub output: Product,
}

/// `energydb schema`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  energydb schema
      every table and view, as a page
  energydb schema best_per_deadline --format table
      the columns of one view")]
pub struct Schema {
    /// Table or view to explain [default: all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// `energydb migrate`
#[derive(Debug, Args)]
#[command(after_help = "\
The database is migrated in a copy, which is checked and put in its place in one step. Every row and
figure is kept. What the older schema did not record is null.")]
pub struct Migrate {
    /// Database to migrate
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// `energydb diff`
#[derive(Debug, Args)]
#[command(after_help = "\
OLD and NEW are each one of these:
  - a database, also of an older schema
  - the folder of a release
  - a source file or a folder of them, built in memory; - is standard input

A configuration is matched by task, model, GPU, number of GPUs and limit. Repeated measurements of
one are matched by all their figures, then by their other settings, then by some figures, then in order.

Without --details there is one line for each column that changed. relative_change is
(new - old) / old, with its median, lowest and highest. old and new are filled where they are the
same in all rows. The format is a table unless --format says otherwise.

Examples:
  energydb diff old.sqlite new.sqlite
  energydb diff old.json new.json --accept power-identity --details --format csv
  energydb diff --quiet --exit-code old.sqlite new.sqlite")]
pub struct Diff {
    /// The older release
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The newer release
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// One line for every row added or removed and every value changed
    #[arg(long)]
    pub details: bool,
    /// End with status 3 where anything differs
    #[arg(long)]
    pub exit_code: bool,
    /// Load source rows that fail this check (may be repeated)
    #[arg(long, value_name = "CHECK")]
    pub accept: Vec<String>,
    /// Leave out the source files that this pattern matches (may be repeated)
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
}

/// `energydb build`
#[derive(Debug, Args)]
#[command(after_help = "\
A database is built whole beside its destination and put in place in one step. A build that fails
or is interrupted leaves the existing file as it was.

A folder means every .json, .jsonl and .csv file in it, at any depth, also with .gz. They are task
files, models' own files, the index, and tables of own measurements. Files are recognised by their
content. What they share is stored once. Files that contradict each other are refused. A Parquet file
is read where it is named itself, by a program that has Parquet.

Examples:
  energydb build
      the built-in data to energy.sqlite
  energydb build leaderboard/public/data
      a checkout of the leaderboard's data
  energydb build gpqa.json.gz -o gpqa.sqlite
  energydb build --built-in my-results -o mine.sqlite
      measurements of your own beside the published ones
  energydb build old.json --accept power-identity --dry-run")]
pub struct Build {
    /// Leaderboard files and own measurements, plain, gzip or Parquet, or folders of them; - is
    /// standard input [default: the built-in data]
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// Add the built-in data to the inputs
    #[arg(long, requires = "inputs")]
    pub built_in: bool,
    /// A fact that the files of own measurements lack, such as gpu=H100 (may be repeated)
    #[arg(long = "fact", value_name = "NAME=VALUE", requires = "inputs")]
    pub facts: Vec<String>,
    /// Power of the GPUs during the runs of a serving benchmark: CSV of nvidia-smi or amd-smi, or a
    /// log of Zeus
    #[arg(long, value_name = "FILE", requires = "inputs")]
    pub power_log: Option<PathBuf>,
    /// Numbers of the GPUs that ran, where the power log has more, such as 0,1
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "power_log")]
    pub gpu_index: Vec<u32>,
    /// By how much local time is ahead of UTC, where the power log and the results differ: +HH:MM
    #[arg(long, value_name = "OFFSET", requires = "power_log", allow_hyphen_values = true)]
    pub utc_offset: Option<String>,
    /// Window of a log of Zeus in which the run is
    #[arg(long, value_name = "NAME", requires = "power_log")]
    pub window: Option<String>,
    /// Leave out the inputs that this pattern matches, by path or file name (may be repeated)
    #[arg(long, value_name = "GLOB", requires = "inputs")]
    pub exclude: Vec<String>,
    /// Where to write the database
    #[arg(long, short, value_name = "FILE", default_value = "energy.sqlite")]
    pub output: PathBuf,
    /// What the release is and where its documents come from [default: the built-in manifest]
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Date of the data, YYYY-MM-DD [default: the manifest's where it lists every document, else
    /// last_updated of the index]
    #[arg(long, value_name = "DATE")]
    pub data_version: Option<String>,
    /// Date of publication, YYYY-MM-DD [default: the same as --data-version]
    #[arg(long, value_name = "DATE")]
    pub updated: Option<String>,
    /// Load rows that fail this check, and record every finding (may be repeated)
    #[arg(long, value_name = "CHECK")]
    pub accept: Vec<String>,
    /// Refuse fields that this program does not know
    #[arg(long)]
    pub strict: bool,
    /// Print every finding, up to 1000 of a document, instead of the first 20
    #[arg(long)]
    pub all_findings: bool,
    /// Run every check and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// `energydb query`; the named queries are added as subcommands of it.
#[derive(Debug, Args)]
#[command(
    about = "Run a named query, or a statement of your own",
    long_about = "Run a named query, or a statement of your own with --sql. Without either, list \
                  the named queries.",
    subcommand_value_name = "NAME",
    subcommand_help_heading = "Named queries",
    after_long_help = "\
Examples:
  energydb query best --model llama-3-1-70b-instruct --percentile p99
      the least energy of one model on each GPU
  energydb query --sql 'select task, count(*) from model_index group by task'
      a statement of your own; 'energydb schema' explains the columns"
)]
pub struct Query {
    /// One SELECT statement to run instead of a named query; - reads it from standard input
    #[arg(long, value_name = "SELECT", allow_hyphen_values = true)]
    pub sql: Option<String>,
    /// List the named queries
    #[arg(long, conflicts_with = "sql")]
    pub list: bool,
    /// Which rows and columns are printed, how, and where.
    #[command(flatten)]
    pub selection: Selection,
    /// Folder of named queries of your own, one .sql file each
    #[arg(long, value_name = "DIR", global = true, display_order = 999)]
    #[arg(help_heading = "Shared flags", hide_short_help = true)]
    pub queries: Option<PathBuf>,
}

/// `energydb export`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  energydb export -o published
      published/<task>/<model>.json and an index of each task
  energydb export --model qwen-3-14b
      one document on standard output")]
pub struct Export {
    /// Folder to write to; with --model, the file to write
    #[arg(long, short, value_name = "DIR", required_unless_present = "model")]
    pub output: Option<PathBuf>,
    /// One model only: its slug, name or Hugging Face id
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// One task only [default: all; with --model lm-arena-chat, or the only one there is]
    #[arg(long, value_name = "TASK")]
    pub task: Option<String>,
}

/// `energydb package`
#[derive(Debug, Args)]
#[command(after_help = "\
The folder contains:
  - the database, plain and compressed
  - one JSON document per model
  - each view and table as CSV
  - descriptions for people and for catalogues of data
  - licence, citation and SHA256SUMS
  - with --parquet, each view and table as Parquet, named in README.md and
    croissant.json
  - with --partition COLUMN,..., the folder hive/: every table that has all of
    these columns, split into folders as Hive names them

The same database and the same energydb give the same bytes. The folder is made beside its place and
put there in one step. It replaces an older release and refuses to replace anything else. The
database must pass every check of 'energydb check'.

Examples:
  energydb package -o release
  energydb package -o release --db new.sqlite --since old.sqlite
  energydb package -o release --parquet --partition task,gpu")]
pub struct Package {
    /// Folder to make
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Write each view and table as Parquet, too
    #[arg(long)]
    pub parquet: bool,
    /// Also write Parquet that is split by the values of these columns
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', requires = "parquet")]
    pub partition: Vec<String>,
    /// List in CHANGES.md what changed since this release: a database, a release or a source file
    #[arg(long, value_name = "OLD")]
    pub since: Option<PathBuf>,
    /// Load rows of a source file OLD that fail this check (may be repeated)
    #[arg(long, value_name = "CHECK", requires = "since")]
    pub accept: Vec<String>,
    /// Leave out the source files of OLD that this pattern matches (may be repeated)
    #[arg(long, value_name = "GLOB", requires = "since")]
    pub exclude: Vec<String>,
}

/// `energydb manifest`
#[derive(Debug, Args)]
#[command(after_help = "\
The dates, tasks and documents are those of the data. What only its publisher knows is null or empty.
Fill it in, change what differs, and give the file to 'energydb build --manifest'.

Examples:
  energydb manifest path/to/leaderboard/public/data > manifest.json
  energydb build path/to/leaderboard/public/data --manifest manifest.json")]
pub struct Manifest {
    /// Leaderboard files or folders of them [default: the built-in data, with its own manifest]
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// Leave out the inputs that this pattern matches, by path or file name (may be repeated)
    #[arg(long, value_name = "GLOB", requires = "inputs")]
    pub exclude: Vec<String>,
    /// Load rows that fail this check (may be repeated)
    #[arg(long, value_name = "CHECK")]
    pub accept: Vec<String>,
}

/// `energydb page`
#[derive(Debug, Args)]
#[command(after_help = "\
The file contains the database, SQLite for the browser and the named queries. It needs no server.
Open it from a disk, send it, or put it on any web host. The same database and the same energydb
give the same bytes.

Examples:
  energydb page
  energydb page -o explore.html --db mine.sqlite")]
pub struct Page {
    /// File to write; an older page there is replaced, anything else is refused
    #[arg(long, short, value_name = "FILE", default_value = "energydb.html")]
    pub output: PathBuf,
}

/// `energydb completions`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  energydb completions bash > energydb.bash
  source energydb.bash                        # put this line into ~/.bashrc
  energydb completions zsh > ~/.zfunc/_energydb
      with ~/.zfunc in fpath
  energydb completions fish > ~/.config/fish/completions/energydb.fish")]
pub struct Completions {
    /// Shell to print it for
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: clap_complete::Shell,
}

/// `energydb man`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  energydb man best | man -l -
      the page of one query
  energydb man -o /usr/local/share/man/man1
      every page, energydb.1 to energydb-query-videos.1")]
pub struct Man {
    /// Command, and query, whose page to print [default: that of the program]
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,
    /// Folder to write every page to instead
    #[arg(long, short, value_name = "DIR", conflicts_with = "command")]
    pub output: Option<PathBuf>,
}

fn product(text: &str) -> Result<Product, String> {
    let names = || Product::all().map(Product::name).collect::<Vec<_>>().join(", ");
    Product::of_name(text).ok_or_else(|| format!("one of {}", names()))
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err("not a number of seconds above 0, up to 1e9".into()),
    }
}
