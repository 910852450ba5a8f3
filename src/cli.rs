//! The command line: its commands and flags, and no logic.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::measurement::product::Product;
use crate::output::Format;

/// Find the configuration that serves a model on a GPU with the least energy within a latency
/// deadline.
///
/// Without a database, every command reads the built-in data: the measurements of the ML.ENERGY
/// Leaderboard, of models that make text, images and videos.
#[derive(Debug, Parser)]
#[command(name = "energydb", bin_name = "energydb", version)]
#[command(max_term_width = 100, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// Flags that may be anywhere on the line.
    #[command(flatten)]
    pub global: Global,
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  energydb query best --gpu B200 --deadline-ms 50
      the least energy of each model on B200 within 50 ms between tokens
  energydb query
      list the named queries
  energydb build
      write the built-in data to energy.sqlite, for any SQL client
  energydb export -o published
      one JSON document per model

Exit status:
  0    success, also without rows
  1    data or a database was refused, or the system failed
  2    the command line was wrong
  3    'diff --exit-code' found differences
  130  interrupted; 143 terminated";

/// The environment variable that names a database if `--db` is not given.
pub const DATABASE_VARIABLE: &str = "ENERGYDB_DB";

/// Flags that several commands share. Help lists them after the command's own flags.
#[derive(Debug, Clone, Args)]
#[command(next_display_order = 1000, next_help_heading = "Shared flags")]
pub struct Global {
    /// Database file or release folder to read [default: ENERGYDB_DB, else ./energy.sqlite, else the
    /// built-in data]
    #[arg(long, global = true, value_name = "FILE", env = DATABASE_VARIABLE, hide_env = true)]
    pub db: Option<PathBuf>,
    /// Output format: table, csv, tsv, json, ndjson, markdown or line, or chart or svg for a picture
    /// [default: table on a terminal, else csv]
    #[arg(long, global = true, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    #[arg(ignore_case = true)]
    pub format: Option<Format>,
    /// Show every column of a table, even if it is wider than the terminal
    #[arg(long, global = true)]
    pub wide: bool,
    /// Print only results and errors, no notes or progress
    #[arg(long, short, global = true, hide_short_help = true)]
    pub quiet: bool,
    /// Stop after this many seconds
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    #[arg(allow_negative_numbers = true, hide_short_help = true)]
    pub timeout: Option<f64>,
}

/// Selects the rows and columns to print, and where to print them.
#[derive(Debug, Clone, Default, Args)]
#[command(next_display_order = 900, next_help_heading = "Output")]
pub struct Selection {
    /// Print at most this many rows
    #[arg(long, value_name = "N", value_parser = limit, allow_negative_numbers = true)]
    pub limit: Option<u64>,
    /// Sort by this column; -COLUMN sorts from highest to lowest
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Print only these columns, in this order
    #[arg(long, value_name = "NAME,NAME")]
    pub columns: Option<String>,
    /// Write to this file; its extension selects the format unless --format is given
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
    /// Run a named query, or your own SQL statement
    Query(Query),
    /// Publish one JSON document per model, and an index of each task
    Export(Export),
    /// Check that a database is complete and unchanged since it was built
    Check(Check),
    /// List the checks that data must pass before it is stored
    Checks,
    /// Print an empty table for your own measurements, with an example
    Template(Template),
    /// Show what changed between two releases
    Diff(Diff),
    /// Make a release folder: the database, documents, tables and descriptions
    Package(Package),
    /// Print a manifest to fill in: what a release is and where its data comes from
    Manifest(Manifest),
    /// Make one HTML file to explore the database in a browser, offline
    Page(Page),
    /// Explain the tables, views and columns
    Schema(Schema),
    /// Show the version of the program and the data, and what the figures mean
    Info,
    /// Upgrade a database of an older schema to the newest
    Migrate(Migrate),
    /// Print a script that lets a shell complete commands, queries and flags
    Completions(Completions),
    /// Print a manual page, or write the pages of all commands and queries
    Man(Man),
}

/// `energydb check`
#[derive(Debug, Args)]
#[command(after_help = "\
Prints one line for each check. The exit status is 1 if a check fails. If no figure has changed, the
content hash is the one that 'energydb build' printed.

Examples:
  energydb check energy.sqlite
  energydb check energy.sqlite --inputs lm-arena-chat.json")]
pub struct Check {
    /// Database file or release folder to check [default: the database that --db names]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Documents that the database was built from, or their folder; their sha256 is compared
    #[arg(long, value_name = "INPUT", num_args = 1..)]
    pub inputs: Vec<PathBuf>,
}

/// `energydb template`
#[derive(Debug, Args)]
#[command(after_help = "\
Prints CSV with an example. Comments explain the columns, their units, and which are required.
'energydb build' reads such a table, also as JSON lines with the same names.

Examples:
  energydb template > mine.csv
  energydb template images")]
pub struct Template {
    /// What the models make: tokens, images or videos
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
A copy of the database is migrated and checked, and then replaces the file in one step. Every row and
figure is kept. Columns that the older schema did not record are null.")]
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
  - a release folder
  - a source file or a folder of source files; - is standard input

Configurations are matched by task, model, GPU, number of GPUs and limit. Repeated measurements of
one configuration are matched by all their figures first. The rest are matched by their other
settings, then by some figures, then by their order.

Without --details there is one line for each column that changed. relative_change is
(new - old) / old; the line has its median, lowest and highest. old and new have a value only if
it is the same in all rows. The default format is a table, also in a pipe.

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
    /// Print one line for every row added or removed and every value changed
    #[arg(long)]
    pub details: bool,
    /// Exit with status 3 if anything differs
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
The database is built next to its destination and moved there in one step. If a build fails or is
interrupted, an existing file stays unchanged.

From a folder, energydb reads every .json, .jsonl and .csv file at any depth, also with .gz. These
are task files, models' own files, the index, and your own measurements. Each file is recognised by
its content. Rows in several files are stored once. If files contradict each other, the build is
refused. A Parquet file is read only if you name it, and only by a program built with Parquet.

Examples:
  energydb build
      write the built-in data to energy.sqlite
  energydb build leaderboard/public/data
      read a checkout of the leaderboard's data
  energydb build gpqa.json.gz -o gpqa.sqlite
  energydb build --built-in my-results -o mine.sqlite
      add your own measurements to the published ones
  energydb build old.json --accept power-identity --dry-run")]
pub struct Build {
    /// Leaderboard files, your own measurements (plain, gzip or Parquet), or folders of them; - is
    /// standard input [default: the built-in data]
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// Add the built-in data to the inputs
    #[arg(long, requires = "inputs")]
    pub built_in: bool,
    /// A fact that your own files do not contain, such as gpu=H100 (may be repeated)
    #[arg(long = "fact", value_name = "NAME=VALUE", requires = "inputs")]
    pub facts: Vec<String>,
    /// Power log of the runs of a serving benchmark: CSV from nvidia-smi or amd-smi, or a log of
    /// ZeusMonitor
    #[arg(long, value_name = "FILE", requires = "inputs")]
    pub power_log: Option<PathBuf>,
    /// Indexes of the GPUs that the run used, if the power log has more, such as 0,1
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "power_log")]
    pub gpu_index: Vec<u32>,
    /// Offset of local time from UTC, if only one of the power log and the results has times in
    /// UTC: +HH:MM
    #[arg(long, value_name = "OFFSET", requires = "power_log", allow_hyphen_values = true)]
    pub utc_offset: Option<String>,
    /// Name of the window in a ZeusMonitor log that covers the run
    #[arg(long, value_name = "NAME", requires = "power_log")]
    pub window: Option<String>,
    /// Leave out the inputs that this pattern matches, by path or file name (may be repeated)
    #[arg(long, value_name = "GLOB", requires = "inputs")]
    pub exclude: Vec<String>,
    /// Where to write the database
    #[arg(long, short, value_name = "FILE", default_value = "energy.sqlite")]
    pub output: PathBuf,
    /// File that says what the release is and where its documents come from [default: the built-in
    /// manifest]
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Date of the data, YYYY-MM-DD [default: the manifest's date if it lists every document, else
    /// last_updated of the index]
    #[arg(long, value_name = "DATE")]
    pub data_version: Option<String>,
    /// Date of publication, YYYY-MM-DD [default: the same as --data-version]
    #[arg(long, value_name = "DATE")]
    pub updated: Option<String>,
    /// Load rows that fail this check, and record every finding (may be repeated)
    #[arg(long, value_name = "CHECK")]
    pub accept: Vec<String>,
    /// Refuse files that contain unknown fields
    #[arg(long)]
    pub strict: bool,
    /// Print every finding, up to 1000 per document, instead of the first 20
    #[arg(long)]
    pub all_findings: bool,
    /// Run every check, but write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// `energydb query`. The named queries are added as its subcommands.
#[derive(Debug, Args)]
#[command(
    about = "Run a named query, or your own SQL statement",
    long_about = "Run a named query, or your own SQL statement with --sql. Without either, list \
                  the named queries.",
    subcommand_value_name = "NAME",
    subcommand_help_heading = "Named queries",
    after_long_help = "\
Examples:
  energydb query best --model llama-3-1-70b-instruct --percentile p99
      the least energy of one model on each GPU
  energydb query --sql 'select task, count(*) from model_index group by task'
      run your own statement; 'energydb schema' explains the columns"
)]
pub struct Query {
    /// SELECT statement to run instead of a named query; - reads it from standard input
    #[arg(long, value_name = "SELECT", allow_hyphen_values = true)]
    pub sql: Option<String>,
    /// List the named queries
    #[arg(long, conflicts_with = "sql")]
    pub list: bool,
    /// The rows and columns to print, and where.
    #[command(flatten)]
    pub selection: Selection,
    /// Folder with your own named queries, one .sql file each
    #[arg(long, value_name = "DIR", global = true, display_order = 999)]
    #[arg(help_heading = "Shared flags", hide_short_help = true)]
    pub queries: Option<PathBuf>,
}

/// `energydb export`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  energydb export -o published
      write published/<task>/<model>.json and an index of each task
  energydb export --model qwen-3-14b
      print one document")]
pub struct Export {
    /// Folder to write to; with --model, the file to write to
    #[arg(long, short, value_name = "DIR", required_unless_present = "model")]
    pub output: Option<PathBuf>,
    /// Only this model: its slug, name or Hugging Face id
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Only this task [default: all tasks; for one model, lm-arena-chat or the model's only task]
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
  - descriptions for people and for data catalogues
  - licence, citation and SHA256SUMS
  - with --parquet, each view and table as Parquet, named in README.md and
    croissant.json
  - with --partition COLUMN,..., the folder hive/: every table that has all of
    these columns, split into folders in Hive's form

The same database and the same energydb give the same bytes. The folder is made next to its
destination and moved there in one step. It replaces an older release, and nothing else. The database
must pass every check of 'energydb check'.

Examples:
  energydb package -o release
  energydb package -o release --db new.sqlite --since old.sqlite
  energydb package -o release --parquet --partition task,gpu")]
pub struct Package {
    /// Folder to make
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Also write each view and table as Parquet
    #[arg(long)]
    pub parquet: bool,
    /// Also write Parquet that is split by the values of these columns
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', requires = "parquet")]
    pub partition: Vec<String>,
    /// Write CHANGES.md: what changed since this database, release folder or source file
    #[arg(long, value_name = "OLD")]
    pub since: Option<PathBuf>,
    /// If OLD is a source file, load rows that fail this check (may be repeated)
    #[arg(long, value_name = "CHECK", requires = "since")]
    pub accept: Vec<String>,
    /// If OLD is a folder of source files, leave out those that match this pattern (may be repeated)
    #[arg(long, value_name = "GLOB", requires = "since")]
    pub exclude: Vec<String>,
}

/// `energydb manifest`
#[derive(Debug, Args)]
#[command(after_help = "\
The manifest contains the dates, tasks and documents of the data. Fields that only the publisher can
fill in are null or empty. Fill them in, correct the others, and run 'energydb build --manifest'.

Examples:
  energydb manifest path/to/leaderboard/public/data > manifest.json
  energydb build path/to/leaderboard/public/data --manifest manifest.json")]
pub struct Manifest {
    /// Leaderboard files or folders of them [default: the built-in data, with its manifest]
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
Open it from a disk, send it to someone, or put it on any web host. The same database and the same
energydb give the same bytes.

Examples:
  energydb page
  energydb page -o explore.html --db mine.sqlite")]
pub struct Page {
    /// File to write; it may replace an older page, and nothing else
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
    /// Shell that will read the script
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: clap_complete::Shell,
}

/// `energydb man`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  energydb man best | man -l -
      show the page of one query
  energydb man -o /usr/local/share/man/man1
      write every page, energydb.1 to energydb-query-videos.1")]
pub struct Man {
    /// Command or query whose page to print [default: the page of the program]
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,
    /// Folder to write every page to instead
    #[arg(long, short, value_name = "DIR", conflicts_with = "command")]
    pub output: Option<PathBuf>,
}

fn product(text: &str) -> Result<Product, String> {
    let names = || Product::all().map(Product::name).collect::<Vec<_>>().join(", ");
    Product::of_name(text).ok_or_else(|| format!("expected one of {}", names()))
}

fn limit(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(limit) if limit > 0 => Ok(limit),
        _ => Err("expected a whole number from 1".into()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err("expected a number of seconds above 0, up to 1e9".into()),
    }
}
