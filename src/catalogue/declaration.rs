//! The grammar of a query file's head comment.
//!
//! ```sql
//! -- One line of description.
//! --
//! -- More lines of explanation.
//! --
//! -- :gpu          gpu          GPU, such as B200
//! -- :deadline_ms  real = 500   highest inter-token latency allowed, ms
//! --
//! -- needs :gpu
//! select …
//! ```
//!
//! The comment ends at the first line that is not a comment. A parameter line is `:name type`, or
//! `:name type = default`, then at least two blanks, then help. A default may be one of the release:
//! `= release.itl_deadline_ms`. The types are those of [`Kind`].
//! These lines may follow the parameters:
//!
//! - `needs :name`: the parameter must be given.
//! - `needs one of :name, :name`: exactly one of them must be given.
//! - `needs at most one of :name, :name`: no two of them may be given.
//! - `needs different :name, :name`: their values must differ.
//! - `no rows: text`: why the query may have no rows although there is data.
//! - `alias: --flag :name`: another name for a parameter's flag.
//! - `example: --flag VALUE`: a command line of the query. The next line, indented by two more blanks,
//!   says what it answers.
//! - `requires: column, column for :name`: the figures that a configuration must have to be used; see
//!   [`Requirement`].
//! - `note when …` and `note without …`: a note that follows the answer; see [`Note`].
//!
//! These lines say how a terminal shows the rows:
//!
//! - `important: column, column`: the columns to leave out last if there is no room, the most important
//!   first.
//! - `caption: at most :deadline_ms ms`: a phrase above the answer, left out if a parameter in it is
//!   null. ` · ` separates phrases. A given parameter that is in no phrase gets its own.
//! - `picture: curve of column over column by column, column`, or `points of …`: the vertical axis, the
//!   horizontal axis, and the columns that separate series, the one with the fewest values first.

use anyhow::{Context, Result, bail};

use crate::catalogue::note::Note;
use crate::catalogue::parameter::{Kind, Parameter};
use crate::catalogue::requirement::Requirement;
use crate::output::picture::Sketch;
use crate::text::printable;

/// What a head comment says.
#[derive(Debug, Default)]
pub struct Head {
    /// The first line.
    pub description: String,
    /// The lines between the first and the parameters.
    pub explanation: String,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Rules between the parameters.
    pub needs: Vec<Need>,
    /// Why there are no rows although there is data.
    pub no_rows: Option<String>,
    /// The columns that a terminal leaves out last, the most important first.
    pub important: Vec<String>,
    /// Phrases about what was asked for, with parameters in them.
    pub caption: Vec<String>,
    /// What is drawn of the rows.
    pub picture: Option<Sketch>,
    /// Notes that may follow the answer.
    pub notes: Vec<Note>,
    /// The figures that a configuration must have to be used.
    pub requires: Vec<Requirement>,
    /// Command lines that show what the query is for.
    pub examples: Vec<Example>,
}

/// One command line of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The words after the query's name, separated by blanks.
    pub arguments: String,
    /// What it answers.
    pub answers: String,
}

/// A rule on which parameters are given together.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    /// The rule.
    pub rule: Rule,
    /// The parameters that it is about.
    pub names: Vec<String>,
}

/// A rule between parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Exactly one is given.
    One,
    /// No two are given.
    AtMostOne,
    /// Those that are given are not equal.
    Differ,
}

impl Rule {
    /// The rule in a word, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::AtMostOne => "at most one",
            Self::Differ => "differ",
        }
    }
}

impl Head {
    /// The parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

impl Need {
    /// What is needed, as messages say it: `--load`, `one of --load, --tokens-per-second` or
    /// `--gpu and --other-gpu to differ`.
    pub fn flags(&self) -> String {
        let flags: Vec<_> =
            self.names.iter().map(|name| format!("--{}", name.replace('_', "-"))).collect();
        match self.rule {
            Rule::Differ => format!("{} to differ", flags.join(" and ")),
            _ if flags.len() > 1 => format!("one of {}", flags.join(", ")),
            _ => flags.join(", "),
        }
    }

    /// The rule as help puts it.
    pub fn shown(&self) -> String {
        let verb = if self.rule == Rule::AtMostOne { "Takes only" } else { "Needs" };
        format!("{verb} {}", self.flags())
    }
}

/// Reads the head comment of a query.
///
/// # Errors
/// When there is no description, a parameter line is not of the grammar, or a name is taken.
pub fn parse(sql: &str) -> Result<Head> {
    let mut lines = comment(sql);
    let description = lines.next().unwrap_or_default();
    if description.is_empty() || description.starts_with(':') {
        bail!("the first line must be a comment that describes the query: '-- TEXT'");
    }
    let mut explanation = String::new();
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut needs = Vec::new();
    let mut no_rows = None;
    let mut important = Vec::new();
    let mut caption = Vec::new();
    let mut picture = None;
    let mut notes: Vec<Note> = Vec::new();
    let mut requires = Vec::new();
    let mut examples: Vec<Example> = Vec::new();
    for line in lines {
        if let Some(names) = line.strip_prefix("important: ") {
            important.extend(names.split(',').map(|name| name.trim().to_owned()));
        } else if let Some(phrases) = line.strip_prefix("caption: ") {
            caption.extend(phrases.split(" · ").map(|phrase| phrase.trim().to_owned()));
        } else if let Some(declared) = line.strip_prefix("picture: ") {
            let sketch = sketch(declared).with_context(|| format!("the line '{line}'"))?;
            picture = Some(sketch);
        } else if line.starts_with(':') {
            let parameter =
                parameter(&line).with_context(|| format!("the parameter line '{line}'"))?;
            if parameters.iter().any(|known| known.name == parameter.name) {
                bail!("the parameter :{} is declared twice", parameter.name);
            }
            parameters.push(parameter);
        } else if let Some(arguments) = line.strip_prefix("example:") {
            let arguments = arguments.trim().to_owned();
            examples.push(Example { arguments, answers: String::new() });
        } else if let (Some(answers), Some(example)) =
            (line.strip_prefix("  "), examples.last_mut())
        {
            example.answers = format!("{} {answers}", example.answers).trim().to_owned();
        } else if parameters.is_empty() {
            explanation.push_str(&line);
            explanation.push('\n');
        } else if let Some(names) = line.strip_prefix("needs ") {
            needs.push(need(names, &parameters).with_context(|| format!("the line '{line}'"))?);
        } else if let Some(reason) = line.strip_prefix("no rows: ") {
            no_rows = Some(reason.trim().to_owned());
        } else if let Some(note) = line.strip_prefix("note ") {
            notes.push(Note::parse(note).with_context(|| format!("the line '{line}'"))?);
        } else if let Some(required) = line.strip_prefix("requires: ") {
            let required = Requirement::parse(required);
            requires.extend(required.with_context(|| format!("the line '{line}'"))?);
        } else if let Some(alias) = line.strip_prefix("alias: ") {
            add_alias(alias, &mut parameters).with_context(|| format!("the line '{line}'"))?;
        } else if !line.is_empty() {
            bail!("'{line}' comes after the parameters; put explanations before them");
        }
    }
    let explanation = explanation.trim_matches('\n').to_owned();
    let of_caption = caption.iter().flat_map(|phrase| mentioned(phrase));
    let of_notes = notes.iter().flat_map(|note| note.parameters().iter().map(String::as_str));
    let of_requirements = requires.iter().flat_map(Requirement::parameters);
    for name in of_caption.chain(of_notes).chain(of_requirements) {
        if !parameters.iter().any(|parameter| parameter.name == name) {
            bail!("the caption, a note or a requirement uses :{name}, which is not a parameter");
        }
    }
    Ok(Head {
        description,
        explanation,
        parameters,
        needs,
        no_rows,
        notes,
        requires,
        examples,
        important,
        caption,
        picture,
    })
}

/// The first line of the head comment.
pub fn description(sql: &str) -> String {
    comment(sql).next().unwrap_or_default()
}

/// The lines of the head comment.
fn comment(sql: &str) -> impl Iterator<Item = String> {
    sql.lines()
        .map(|line| line.strip_prefix("--"))
        .map_while(|line| line.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()))
        // Help shows what it says.
        .map(|line| printable(&line.replace('\t', " ")))
}

fn sketch(declared: &str) -> Result<Sketch> {
    const FORM: &str = "is not 'curve of COLUMN over COLUMN by COLUMN, COLUMN' nor 'points of …'";
    let (kind, rest) = declared.split_once(" of ").context(FORM)?;
    let is_curve = match kind {
        "curve" => true,
        "points" => false,
        _ => bail!(FORM),
    };
    let (y, rest) = rest.split_once(" over ").context(FORM)?;
    let (x, by) = rest.split_once(" by ").context(FORM)?;
    let by = by.split(',').map(|name| name.trim().to_owned()).collect();
    Ok(Sketch { is_curve, x: x.trim().to_owned(), y: y.trim().to_owned(), by })
}

/// The parameters that a phrase has.
pub fn mentioned(phrase: &str) -> impl Iterator<Item = &str> {
    phrase.split(':').skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '_');
        rest.get(..end.unwrap_or(rest.len())).filter(|name| !name.is_empty())
    })
}

/// Adds `--flag :name`, another name for the flag of a parameter.
fn add_alias(line: &str, parameters: &mut [Parameter]) -> Result<()> {
    let (alias, name) = line
        .split_once(' ')
        .and_then(|(flag, name)| Some((flag.strip_prefix("--")?, name.trim().strip_prefix(':')?)))
        .context("an alias is written --flag :name")?;
    let is_taken = super::RESERVED.contains(&alias)
        || parameters
            .iter()
            .any(|known| known.flag() == alias || known.aliases.iter().any(|taken| taken == alias));
    if is_taken || alias.is_empty() || alias.contains(char::is_whitespace) {
        bail!("--{alias} cannot be an alias");
    }
    let parameter = parameters
        .iter_mut()
        .find(|parameter| parameter.name == name)
        .with_context(|| format!(":{name} is not a parameter declared above it"))?;
    parameter.aliases.push(alias.to_owned());
    Ok(())
}

fn need(line: &str, parameters: &[Parameter]) -> Result<Need> {
    let rules = [
        ("one of ", Rule::One),
        ("at most one of ", Rule::AtMostOne),
        ("different ", Rule::Differ),
    ];
    let found = rules
        .into_iter()
        .find_map(|(words, rule)| line.strip_prefix(words).map(|names| (names, rule)));
    let (names, rule) = found.unwrap_or((line, Rule::One));
    let names = names.split(',').map(|name| {
        let name = name.trim();
        let declared = name
            .strip_prefix(':')
            .and_then(|name| parameters.iter().find(|parameter| parameter.name == name))
            .with_context(|| format!("{name} is not a parameter declared above it"))?;
        if rule == Rule::One && declared.default.is_some() {
            bail!("{name} has a default, so it cannot be needed");
        }
        Ok(declared.name.clone())
    });
    Ok(Need { rule, names: names.collect::<Result<_>>()? })
}

fn parameter(line: &str) -> Result<Parameter> {
    let line = line.trim_start_matches(':');
    let (name, rest) = line.split_once(' ').context("has no type")?;
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    if !is_name {
        bail!("the name may contain only a-z, 0-9 and _");
    }
    if super::RESERVED.contains(&name) {
        bail!("--{name} is a flag of the program itself");
    }
    let rest = rest.trim_start();
    let (declaration, help) = rest.split_once("  ").unwrap_or((rest, ""));
    let (kind, default) = match declaration.split_once('=') {
        Some((kind, default)) => (kind.trim(), Some(default.trim().to_owned())),
        None => (declaration.trim(), None),
    };
    let kind = Kind::parse(kind)?;
    let parameter = Parameter {
        name: name.to_owned(),
        kind,
        default,
        help: help.trim().to_owned(),
        aliases: Vec::new(),
    };
    if parameter.default.is_some() {
        parameter.check_default().context("its default")?;
    }
    Ok(parameter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::parameter::Named;
    use crate::catalogue::range::Range;

    #[test]
    fn a_head_comment_has_a_description_an_explanation_and_parameters() {
        let head = parse(
            "-- What it does.\n--\n-- More of it,\n-- on two lines.\n--\n\
             -- :task        task                     workload\n\
             -- :percentile  one of median|p90 = p90  which one\n\
             -- :deadline_ms real = 500               highest, ms\n\
             --\n\
             -- needs :task\n\
             -- needs at most one of :task, :deadline_ms\n\
             -- no rows: nothing is that fast\n\
             -- important: x, y\n\
             -- picture: curve of y over x by z, w\n\
             -- caption: :percentile at most :deadline_ms ms · in :task\n\
             -- alias: --itl :deadline_ms\n\
             -- example: --task gpqa\n\
             --   what is asked,\n\
             --   on two lines\n\
             -- example:\n\
             --   all\n\
             select 1 -- :other real  no parameter\n",
        )
        .unwrap();
        assert_eq!(head.description, "What it does.");
        assert_eq!(head.explanation, "More of it,\non two lines.");
        let parameter = |name: &str, kind, default: Option<&str>, help: &str| Parameter {
            name: name.into(),
            kind,
            default: default.map(Into::into),
            help: help.into(),
            aliases: if name == "deadline_ms" { vec!["itl".into()] } else { Vec::new() },
        };
        assert_eq!(
            head.parameters,
            [
                parameter("task", Kind::Named(Named::Task), None, "workload"),
                parameter(
                    "percentile",
                    Kind::OneOf(vec!["median".into(), "p90".into()]),
                    Some("p90"),
                    "which one"
                ),
                parameter("deadline_ms", Kind::Real(Range::default()), Some("500"), "highest, ms"),
            ]
        );
        let need = |rule, names: &[&str]| Need {
            rule,
            names: names.iter().map(|&name| name.into()).collect(),
        };
        assert_eq!(
            head.needs,
            [need(Rule::One, &["task"]), need(Rule::AtMostOne, &["task", "deadline_ms"])]
        );
        assert_eq!(head.no_rows.as_deref(), Some("nothing is that fast"));
        assert_eq!(head.important, ["x", "y"]);
        let [x, y, z, w] = ["x", "y", "z", "w"].map(str::to_owned);
        assert_eq!(head.picture, Some(Sketch { is_curve: true, x, y, by: vec![z, w] }));
        assert_eq!(head.caption, [":percentile at most :deadline_ms ms", "in :task"]);
        assert_eq!(mentioned(&head.caption[0]).collect::<Vec<_>>(), ["percentile", "deadline_ms"]);
        let example = |arguments: &str, answers: &str| Example {
            arguments: arguments.into(),
            answers: answers.into(),
        };
        assert_eq!(
            head.examples,
            [example("--task gpqa", "what is asked, on two lines"), example("", "all")]
        );
    }

    #[test]
    fn a_head_comment_outside_the_grammar_is_refused_with_its_reason() {
        for (sql, reason) in [
            ("select 1", "the first line must be a comment"),
            ("", "the first line must be a comment"),
            ("--\n-- Late.\nselect 1", "the first line must be a comment"),
            ("-- A.\n-- :x number  help\n", "'number' is not a type"),
            ("-- A.\n-- :x\n", "has no type"),
            ("-- A.\n-- :Xy real  help\n", "may contain only a-z"),
            ("-- A.\n-- :format text  help\n", "a flag of the program itself"),
            ("-- A.\n-- :x real  a\n-- :x real  b\n", "declared twice"),
            ("-- A.\n-- :x real = fast  a\n", "its default"),
            ("-- A.\n-- :x real over 3  help\n", "'over 3' is not a range"),
            ("-- A.\n-- :x real above 0 = 0  help\n", "takes a number above 0, not '0'"),
            ("-- A.\n-- :x realistic  help\n", "'realistic' is not a type"),
            ("-- A.\n-- :x one of  a\n", "no choices"),
            ("-- A.\n-- :x one of a|b = c  a\n", "its default"),
            ("-- A.\n-- :x real  a\n-- needs :y\n", ":y is not a parameter declared above"),
            ("-- A.\n-- :x real  a\n-- needs one of :x, y\n", "y is not a parameter"),
            ("-- A.\n-- :x real = 1  a\n-- needs :x\n", "has a default"),
            ("-- A.\n-- :x real  a\n-- afterthought\n", "put explanations before them"),
            ("-- A.\n-- picture: bars of y over x by z\n", "is not 'curve of"),
            ("-- A.\n-- picture: curve of y by z\n", "is not 'curve of"),
            ("-- A.\n-- :x real  a\n-- caption: at most :y\n", ":y, which is not a parameter"),
            ("-- A.\n-- :x real  a\n-- alias: --db :x\n", "--db cannot be an alias"),
            ("-- A.\n-- :x real  a\n-- alias: --x :x\n", "--x cannot be an alias"),
            ("-- A.\n-- :x real  a\n-- alias: --y :z\n", ":z is not a parameter"),
            ("-- A.\n-- :x real  a\n-- alias: y\n", "written --flag :name"),
        ] {
            let error = format!("{:#}", parse(sql).unwrap_err());
            assert!(error.contains(reason), "{sql:?} gave {error:?}");
        }
    }
}
