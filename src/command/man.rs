//! `energydb man`: manual pages of the program, its commands and its queries.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use clap_mangen::Man as Page;
use clap_mangen::roff::{Roff, roman};

use super::DONE;
use crate::cli::Man;
use crate::error::{did_you_mean, usage};
use crate::output::terminal;

pub(super) fn run(arguments: &Man, command: clap::Command) -> Result<u8> {
    // The commands that explain others have no pages.
    let mut command = command
        .disable_help_subcommand(true)
        .mut_subcommand("query", |query| query.disable_help_subcommand(true));
    // Gives the commands the names of their pages.
    command.build();
    if let Some(folder) = &arguments.output {
        fs::create_dir_all(folder)
            .with_context(|| format!("could not make the folder: {}", folder.display()))?;
        write_all(&command, folder)?;
        return Ok(DONE);
    }
    let mut page = &command;
    for word in &arguments.command {
        page = page.find_subcommand(word).ok_or_else(|| {
            let near = did_you_mean(word, page.get_subcommands().map(clap::Command::get_name));
            usage(format!("'{}' has no command '{word}'{near}", page.get_name()))
        })?;
    }
    let mut out = terminal::results();
    out.write_all(&rendered(page)?)?;
    out.flush()?;
    Ok(DONE)
}

fn write_all(command: &clap::Command, folder: &Path) -> Result<()> {
    let page = Page::new(command.clone());
    let path = folder.join(page.get_filename());
    fs::write(&path, rendered(command)?)
        .with_context(|| format!("could not write: {}", path.display()))?;
    command.get_subcommands().try_for_each(|command| write_all(command, folder))
}

/// How an item of a list begins in an explanation.
const LIST_ITEM: &str = "\n  - ";

fn rendered(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    let source = concat!("energydb ", env!("CARGO_PKG_VERSION"));
    // No date, written as an empty word: nothing at all would let the next word take its place.
    let no_date = "\"\"";
    let man = Page::new(command.clone()).date(no_date).source(source).manual("energydb");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    let (explanation, sections) = explained(command);
    for paragraph in explanation.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        let mut section = Roff::new();
        section.control("PP", []);
        // A list keeps its lines.
        if paragraph.contains(LIST_ITEM) {
            section.control("nf", []).text([roman(paragraph)]).control("fi", []);
        } else {
            section.text([roman(paragraph)]);
        }
        section.to_writer(&mut page)?;
    }
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    for (title, lines) in sections {
        let mut section = Roff::new();
        section.control("SH", [title.to_uppercase().as_str()]).control("nf", []);
        section.text([roman(lines)]).control("fi", []).to_writer(&mut page)?;
    }
    Ok(page)
}

/// What the help of a command says after its flags: paragraphs, and parts that have a title, such as
/// examples.
fn explained(command: &clap::Command) -> (String, Vec<(String, String)>) {
    let text = command.get_after_long_help().or(command.get_after_help());
    let mut explanation = Vec::new();
    let mut sections = Vec::new();
    for block in text.map(ToString::to_string).unwrap_or_default().split("\n\n") {
        match block.split_once(":\n") {
            Some((title, lines))
                if !title.contains('\n')
                    && lines.starts_with(' ')
                    && !block.contains(LIST_ITEM) =>
            {
                sections.push((title.to_owned(), lines.to_owned()));
            }
            _ => explanation.push(block.to_owned()),
        }
    }
    (explanation.join("\n\n"), sections)
}
