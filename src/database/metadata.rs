//! Stores everything except the measurements: the release, the models, GPUs and tasks, the documents and
//! their sources.

use std::collections::{BTreeSet, HashMap};

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, params};

use crate::database::dates::Release;
use crate::input::document::Document;
use crate::input::gpu_reference::GpuReference;
use crate::input::identities::{Identities, published_precision};
use crate::input::kind::Holds;
use crate::input::leaderboard::file_names::canonical_name;
use crate::input::own::given::PUBLISHED;
use crate::input::reading::{ReadDocument, Reading};
use crate::manifest::{Manifest, Source};
use crate::measurement::columns::NULL;
use crate::measurement::method::{self, MEASURED_ON, Method};

/// The key of the thing at an index: from 1.
pub(super) fn number(index: usize) -> i64 {
    index as i64 + 1
}

/// Stores the release.
pub(super) fn insert_release(
    connection: &Connection,
    manifest: &Manifest,
    release: &Release,
) -> Result<()> {
    let described = &manifest.release;
    connection.execute(
        "insert into release (release_id, version, updated, data_version, unit, itl_deadline_ms, \
         caveat, boundary, energydb_version, image_deadline_s, video_deadline_s) \
         values (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            described.version,
            release.updated,
            release.data_version,
            described.unit,
            described.itl_deadline_ms,
            described.caveat,
            described.boundary,
            env!("CARGO_PKG_VERSION"),
            described.image_deadline_s,
            described.video_deadline_s
        ],
    )?;
    Ok(())
}

/// Stores what the documents name.
pub(super) fn insert_identities(connection: &Connection, identities: &Identities) -> Result<()> {
    let mut insert = connection.prepare(
        "insert into models (model_id, model, model_name, hugging_face_id, params_b, \
         active_params_b, architecture) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (index, model) in identities.models.iter().enumerate() {
        insert.execute(params![
            number(index),
            model.slug,
            model.name,
            model.hugging_face_id,
            Some(model.params_b).filter(|params| *params != NULL),
            Some(model.active_params_b).filter(|params| *params != NULL),
            model.architecture
        ])?;
    }
    let references = GpuReference::built_in()?;
    for (index, gpu) in identities.gpus.names.iter().enumerate() {
        let reference = references.iter().find(|reference| reference.gpu == *gpu);
        connection.execute(
            "insert into gpus (gpu_id, gpu, product, vendor, rated_power_watts, memory_gb, \
             reference_title, reference_url) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                number(index),
                gpu,
                reference.map(|reference| &reference.product),
                reference.map(|reference| &reference.vendor),
                reference.map(|reference| reference.rated_power_watts),
                reference.map(|reference| reference.memory_gb),
                reference.map(|reference| &reference.reference_title),
                reference.map(|reference| &reference.reference_url)
            ],
        )?;
    }
    for (index, name) in identities.precisions.names.iter().enumerate() {
        connection.execute(
            "insert into precisions (precision_id, precision, source_name) values (?1, ?2, ?3)",
            params![number(index), published_precision(name), name],
        )?;
    }
    Ok(())
}

/// What was measured: the numbers of a task, a model, a GPU and a source.
pub(super) type Measured = [u32; 4];

/// The number of each document's source, from 1: one for each name and task, and one for documents of all
/// tasks.
pub(super) fn sources(documents: &[Document], tasks_of: &[u32]) -> Vec<u32> {
    let mut seen: Vec<(u32, &str)> = Vec::new();
    let mut numbers = Vec::new();
    for (document, task) in documents.iter().zip(tasks_of) {
        let source = (*task, document.source.as_str());
        let index = seen.iter().position(|known| *known == source).unwrap_or_else(|| {
            seen.push(source);
            seen.len() - 1
        });
        numbers.push(index as u32 + 1);
    }
    numbers
}

/// Stores what was measured.
pub(super) fn insert_measured(
    connection: &Connection,
    measured: &BTreeSet<Measured>,
) -> rusqlite::Result<()> {
    let mut insert = connection.prepare(
        "insert into measured (task_id, model_id, gpu_id, source_id) values (?1, ?2, ?3, ?4)",
    )?;
    for numbers in measured {
        insert.execute(*numbers)?;
    }
    Ok(())
}

/// Stores documents with their tasks and sources. Returns the number of tasks.
pub(super) fn insert_documents(
    connection: &Connection,
    documents: &[Document],
    tasks_of: &[u32],
    sources_of: &[u32],
    reading: &Reading,
    manifest: &Manifest,
    release: &Release,
) -> Result<u64> {
    let mut sources = 0;
    let mut names = HashMap::new();
    let mut tasks = 0;
    let mut latest_task = None;
    let all = documents.iter().zip(tasks_of).zip(&reading.documents);
    for (index, ((document, &task), of)) in all.enumerate() {
        let form = document.form;
        let name = of.head.task.as_deref();
        // Documents come in the order of their tasks.
        if task > tasks {
            (tasks, latest_task) = (task, name);
            connection.execute(
                "insert into tasks (task_id, task, display_name, output) values (?1, ?2, ?3, ?4)",
                params![task, name, of.head.display_name, form.product.name()],
            )?;
        }
        if name.is_some() && name != latest_task {
            let name = name.unwrap_or_default();
            bail!("{}: its first row must name its task, which is {name}", document.shown);
        }
        let source = match name {
            _ if form.is_own() => None,
            Some(task) => manifest.source(task)?,
            None => manifest.source_of_all()?,
        };
        let url_of_source = || source.as_ref().and_then(|source| source.data_url.clone());
        let own_url = match (form.kind.holds, &of.head.hugging_face_id) {
            (Holds::Facts, _) => manifest.url_of_index(),
            (Holds::Details, Some(id)) => manifest.url_of_model(id, name.unwrap_or_default()),
            (Holds::Details, None) | (Holds::Configurations, _) => url_of_source(),
            (Holds::Own, _) => None,
        };
        let source_id = *sources_of.get(index).context("a document without a source")?;
        if source_id > sources {
            sources = source_id;
            if form.is_own() {
                // All documents of the source have the same method except the day. The latest day is stored.
                let same = reading.documents.iter().zip(sources_of);
                let same = same.filter(|(_, source)| **source == source_id).map(|(of, _)| of);
                let days = same.filter_map(|of| of.head.method.0[MEASURED_ON].clone());
                insert_own_source(connection, source_id, &document.source, of, days.max())?;
            } else {
                let source = source.map(|source| release.of_this_state(source));
                insert_source(connection, source_id, source)?;
                update_method(
                    connection,
                    source_id,
                    &name.map_or_else(|| Ok(Method::default()), |task| manifest.method(task))?,
                )?;
            }
        }
        connection.execute(
            "insert into documents \
             (document_id, task_id, source_id, name, kind, sha256, bytes, data_url, power_log, \
             power_log_sha256) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                number(index),
                name.map(|_| task),
                source_id,
                named(&mut names, document, of),
                form.kind.name,
                of.received.sha256,
                i64::try_from(of.received.bytes)?,
                own_url,
                of.head.power_log.as_ref().map(|log| &log.name),
                of.head.power_log.as_ref().map(|log| &log.sha256)
            ],
        )?;
    }
    Ok(tasks.into())
}

/// The name of a document in the database. It describes the content, so it does not depend on where the
/// document was; from the second document of a name on, it has a number. Other documents keep their name.
fn named(names: &mut HashMap<String, u32>, document: &Document, of: &ReadDocument) -> String {
    let (task, id) = (of.head.task.as_deref(), of.head.hugging_face_id.as_deref());
    let name = canonical_name(document.form.kind.holds, task, id).unwrap_or(document.name.clone());
    let count = names.entry(name.clone()).or_insert(0);
    *count += 1;
    match (*count, name.strip_suffix(".json")) {
        (1, _) | (_, None) => name,
        (number, Some(stem)) => format!("{stem}.{number}.json"),
    }
}

/// Stores how a source was measured.
fn update_method(connection: &Connection, source_id: u32, method: &Method) -> Result<()> {
    for (at, fact) in method::FACTS.iter().enumerate() {
        let update = format!("update sources set {} = ?2 where source_id = ?1", fact.name);
        match method.get(at) {
            None => {}
            Some(word) if at == method::IS_ESTIMATED => {
                connection.execute(&update, params![source_id, word == "true"])?;
            }
            Some(word) => drop(connection.execute(&update, params![source_id, word])?),
        }
    }
    Ok(())
}

/// Stores a source of own measurements, with the day of the latest ones.
fn insert_own_source(
    connection: &Connection,
    source_id: u32,
    source: &str,
    of: &ReadDocument,
    day: Option<String>,
) -> Result<()> {
    connection.execute(
        "insert into sources (source_id, source, workload) values (?1, ?2, ?3)",
        params![source_id, source, of.head.workload],
    )?;
    let mut method = of.head.method.clone();
    method.0[MEASURED_ON] = day;
    update_method(connection, source_id, &method)
}

/// Stores a source. If the manifest does not describe it, only its name is stored.
fn insert_source(connection: &Connection, source_id: u32, source: Option<Source>) -> Result<()> {
    let Some(source) = source else {
        let insert = "insert into sources (source_id, source) values (?1, ?2)";
        connection.execute(insert, params![source_id, PUBLISHED])?;
        return Ok(());
    };
    connection.execute(
        "insert into sources (source_id, name, publisher, url, data_url, version, released, \
         compiled, compiled_evidence, retrieved, licence, workload, method, selection, cite, \
         cite_url, used_for, configurations, source) values \
         (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
        params![
            source_id,
            source.name,
            source.publisher,
            source.url,
            source.data_url,
            source.version,
            source.released,
            source.compiled,
            source.compiled_evidence,
            source.retrieved,
            source.licence,
            source.workload,
            source.method,
            source.selection,
            source.cite,
            source.cite_url,
            source.used_for,
            source.configurations,
            PUBLISHED
        ],
    )?;
    for (index, evidence) in source.licence_evidence.iter().enumerate() {
        connection.execute(
            "insert into licence_evidence (source_id, position, evidence) values (?1, ?2, ?3)",
            params![source_id, number(index), evidence],
        )?;
    }
    Ok(())
}
