//! `energydb export`: the published documents, to a folder or one of them alone.

use std::io::Write;

use anyhow::{Context, Result};

use super::{DONE, note_built_in, open_database};
use crate::catalogue::Catalogue;
use crate::catalogue::parameter::Named;
use crate::catalogue::{meant, names};
use crate::cli::{Export, Global};
use crate::database::open;
use crate::error::usage;
use crate::output::{progress, terminal};
use crate::release::documents::Exporter;
use crate::release::exported::{Exported, NewDocuments, put_document};
use crate::signal::Signals;
use crate::text::counted;

pub(super) fn run(
    arguments: &Export,
    catalogue: &Catalogue,
    global: &Global,
    signals: &Signals,
) -> Result<u8> {
    let (connection, location) = open_database(global, signals)?;
    let task = match &arguments.task {
        Some(task) => Some(names::resolve(&connection, Named::Task, task, None)?),
        None => None,
    };
    let exporter = Exporter::new(&connection, catalogue);
    if let Some(model) = &arguments.model {
        let model = names::resolve(&connection, Named::Model, model, None)?;
        let task = match task {
            Some(task) => task,
            None => meant::task(&connection, Named::Task, std::slice::from_ref(&model), None)?
                .context("the database has no task")?,
        };
        let text = exporter.one_model(&task, &model)?;
        note_built_in(&location, global);
        print_or_write(arguments, &text)?;
        return Ok(DONE);
    }
    let folder = arguments.output.as_deref().context("name a folder with -o")?;
    if folder.as_os_str() == "-" {
        return Err(usage("standard output takes only one document; name its model with --model"));
    }
    let tasks = match &task {
        Some(task) => vec![task.clone()],
        None => exporter.tasks()?,
    };
    let new = NewDocuments::prepare(folder)?;
    let write = || exporter.write(&tasks, &new.path(), signals);
    progress::shown(!global.quiet, || None, write)?;
    let Exported { written, removed } = new.replace(task.as_deref())?;
    note_built_in(&location, global);
    if !global.quiet {
        let gone = match removed {
            0 => String::new(),
            removed => {
                format!(
                    "; {} removed, which the database no longer contains",
                    counted(removed as u64, "older document")
                )
            }
        };
        let shown = folder.display();
        terminal::note(&format!("{written} documents written to {shown}{gone}"));
    }
    open::leave(connection);
    Ok(DONE)
}

/// Hands the document of one model to the file that `-o` names, or to standard output.
fn print_or_write(arguments: &Export, text: &[u8]) -> Result<()> {
    match arguments.output.as_ref().filter(|path| path.as_os_str() != "-") {
        Some(path) if path.is_dir() => {
            let shown = path.display();
            Err(usage(format!("with --model, -o must name a file, but this is a folder: {shown}")))
        }
        Some(path) => put_document(path, text),
        None => {
            let mut out = terminal::results();
            out.write_all(text)?;
            out.flush()?;
            Ok(())
        }
    }
}
