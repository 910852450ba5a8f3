//! Measurements of the user's own beside the published ones.

use crate::common::{DATA, Ended, Folder, built_in, rows};

/// What every table below has in common: one row for each line.
const HEADER: &str = "task,energy_boundary,measurement_window,itl_kind,model,gpu,num_gpus,\
                      precision,max_num_seqs,tokens_per_second,power_watts,median_itl_ms\n";

/// A row of Qwen 3 14B on one B200.
fn row(limit: u32, tokens_per_second: f64, power_watts: f64, median_itl_ms: f64) -> String {
    format!(
        "lm-arena-chat,gpu,whole-run,per-chunk,qwen-3-14b,B200,1,BF16,{limit},\
         {tokens_per_second},{power_watts},{median_itl_ms}\n"
    )
}

fn table(rows: &[String]) -> String {
    format!("{HEADER}{}", rows.concat())
}

#[test]
fn the_template_is_a_table_that_can_be_built() {
    let folder = Folder::new();
    for (output, query, figures) in [
        ("tokens", "configurations", "16,64,0.16,512.0,3200.0"),
        ("images", "images", "1024,1024,1200.0,600.0,0.5"),
        ("videos", "videos", "832,480,65000.0,650.0,0.01"),
    ] {
        let name = format!("{output}.csv");
        folder.write(&name, folder.done(["template", output]));
        folder.run(["build", &name, "--strict", "-o", "x.sqlite"]).succeeded();
        let columns = match output {
            "tokens" => {
                "params_b + 9, max_num_seqs, joules_per_output_token, power_watts, tokens_per_second"
            }
            "images" => {
                "width_pixels, height_pixels, joules_per_image, power_watts, images_per_second"
            }
            _ => "width_pixels, height_pixels, joules_per_video, power_watts, videos_per_second",
        };
        let view = match query {
            "configurations" => "configuration_energy",
            "images" => "image_energy",
            _ => "video_energy",
        };
        let sql = format!("select {columns} from {view}");
        assert_eq!(folder.csv("x.sqlite", &sql), [figures.replace("16,64", "16.0,64")]);
    }
}

/// A table that lacks most of what it needs, and what its build asks for.
fn lacking() -> (Folder, Ended) {
    let folder = Folder::new();
    folder.write(
        "t.csv",
        "model,tokens_per_second,power_watts,median_itl_ms\nqwen-3-14b,1000,700,7\n",
    );
    let asked = folder.run(["build", "t.csv"]).failed(1, "nothing was written");
    (folder, asked)
}

#[test]
fn what_a_table_lacks_is_asked_for_by_its_name_and_taken_from_facts() {
    let (folder, asked) = lacking();
    let mut facts = vec![];
    for (name, value) in [
        ("task", "my-chat"),
        ("energy_boundary", "gpu"),
        ("measurement_window", "whole-run"),
        ("itl_kind", "per-chunk"),
        ("gpu", "B200"),
        ("num_gpus", "1"),
        ("precision", "bfloat16"),
        ("max_num_seqs", "8"),
    ] {
        assert!(asked.err.contains(&format!("--fact {name}=")), "{name}: {}", asked.err);
        facts.extend(["--fact".to_owned(), format!("{name}={value}")]);
    }
    let words = ["build", "t.csv", "-o", "t.sqlite"].map(str::to_owned);
    let built = folder.run(words.iter().chain(&facts)).succeeded();
    assert!(
        built.err.contains("the facts of 1 model are taken from the built-in data"),
        "{built:?}"
    );
    assert!(built.err.contains("missing facts were filled in: data_parallel"), "{built:?}");
    let found = folder.csv(
        "t.sqlite",
        "select task, source, row_id, params_b, joules_per_output_token, tensor_parallel, p99_itl_ms \
         from configuration_energy",
    );
    assert_eq!(found, ["my-chat,mine,mine:qwen-3-14b/B200/1/8,14.0,0.7,1,"]);
    let unused = folder.refused(2, ["build", DATA, "--fact", "gpu=H100"]);
    assert!(unused.contains("--fact is for your own measurements"), "{unused}");
    let wrong = folder.refused(2, ["build", "t.csv", "--fact", "gpus=H100"]);
    assert!(wrong.contains("did you mean 'gpu'"), "{wrong}");
    let wrong = folder.refused(2, ["build", "t.csv", "--fact", "source=published"]);
    assert!(wrong.contains("other than published"), "{wrong}");
}

#[test]
fn a_fact_that_changes_nothing_is_named_and_one_that_has_no_place_is_refused() {
    let folder = Folder::new();
    folder.write("t.csv", table(&[row(8, 1000.0, 700.0, 7.0)]));
    let lacking = HEADER.replace(",gpu,num_gpus", ",num_gpus") + &row(8, 1000.0, 700.0, 7.0);
    folder.write("u.csv", lacking.replace(",B200,", ","));
    let build = |inputs: &[&str], fact: &str| {
        let words = ["build", "-o", "x.sqlite", "--fact", fact];
        folder.run(words.iter().chain(inputs)).succeeded().err
    };
    let idle = "says otherwise";
    for fact in [
        "gpu=H100",
        "power_watts=900",
        "energy_boundary=node",
        "task=other-chat",
        "model=qwen-3-8b",
        "precision=FP8",
    ] {
        let told = build(&["t.csv"], fact);
        assert!(told.contains(&format!("the fact {fact} changes nothing")), "{told}");
        assert!(told.contains(idle), "{told}");
    }
    // The file says the same, or does not say it.
    for fact in [
        "gpu=B200",
        "power_watts=700.0",
        "precision=bfloat16",
        "model=Qwen 3 14B",
        "source=lab",
        "avg_output_tokens=400",
        "architecture=Dense Transformer",
    ] {
        let told = build(&["t.csv"], fact);
        assert!(!told.contains(idle), "{fact}: {told}");
    }
    // One of two files lacks it.
    let told = build(&["t.csv", "u.csv"], "gpu=H100");
    assert!(!told.contains(idle), "{told}");
    assert_eq!(
        folder.csv("x.sqlite", "select gpu from configuration_energy order by gpu"),
        ["B200", "H100"]
    );
    let refused = folder.refused(2, ["build", "t.csv", "--fact", "num_frames=81"]);
    assert!(refused.contains("num_frames is for measurements of images and videos"), "{refused}");
    folder.write("images.csv", folder.done(["template", "images"]));
    let refused = folder.refused(2, ["build", "images.csv", "--fact", "max_num_seqs=8"]);
    assert!(refused.contains("max_num_seqs is for measurements of tokens"), "{refused}");
}

#[test]
fn a_manifest_gives_facts_by_the_names_of_files() {
    let folder = Folder::new();
    let plain =
        "model,tokens_per_second,power_watts,max_num_seqs,num_gpus\nqwen-3-8b,1000,500,8,1\n";
    folder.write("lab/h.csv", plain);
    folder.write("lab/b.csv", plain.replace("1000", "2000"));
    let mut manifest: serde_json::Value = serde_json::from_slice(
        &std::fs::read(crate::common::in_project("data/manifest.json")).unwrap(),
    )
    .unwrap();
    // It is of no checkout but of what it is given with.
    manifest.as_object_mut().unwrap().remove("checkout");
    manifest["own"] = serde_json::json!([
        {"files": "*.csv", "facts": {
            "task": "my-chat", "energy_boundary": "node", "measurement_window": "whole-run",
            "precision": "BF16", "gpu": "H100", "source": "lab"}},
        {"files": "b.csv", "facts": {"gpu": "B200", "is_estimated": true, "source": "guess"}},
    ]);
    folder.write("manifest.json", manifest.to_string());
    folder.run(["build", "lab", "--manifest", "manifest.json", "-o", "x.sqlite"]).succeeded();
    assert_eq!(
        folder.csv("x.sqlite", "select row_id from configuration_energy order by row_id"),
        ["guess:qwen-3-8b/B200/1/8", "lab:qwen-3-8b/H100/1/8"]
    );
    assert_eq!(
        folder.csv("x.sqlite", "select source, energy_boundary, is_estimated from sources"),
        ["guess,node,1", "lab,node,0"]
    );
}

#[test]
fn lines_of_json_are_the_same_table() {
    let folder = Folder::new();
    folder.write("a.csv", table(&[row(8, 1000.0, 700.0, 7.0), row(16, 1900.0, 750.0, 8.0)]));
    let lines = [(8, 1000.0, 700.0, 7.0), (16, 1900.0, 750.0, 8.0)].map(|(limit, rate, power, itl)| {
        let line = serde_json::json!({
            "task": "lm-arena-chat", "energy_boundary": "gpu", "measurement_window": "whole-run",
            "itl_kind": "per-chunk", "model": "Qwen/Qwen3-14B", "gpu": "B200", "num_gpus": 1,
            "precision": "bfloat16", "max_num_seqs": limit, "tokens_per_second": rate,
            "power_watts": power, "median_itl_ms": itl, "p99_itl_ms": null,
        });
        format!("{line}\n")
    });
    folder.write("b.jsonl", lines.concat());
    folder.write(
        "c.csv",
        table(&[row(8, 1000.0, 700.0, 7.0), row(16, 1900.0, 750.0, 8.0)]).replace(',', ";"),
    );
    let figures = |name: &str| {
        folder.run(["build", name, "-o", "x.sqlite"]).succeeded();
        rows(&folder.open("x.sqlite"), "select * from configuration_energy order by row_id")
    };
    let expected = figures("a.csv");
    assert_eq!(expected.len(), 2);
    assert_eq!(figures("b.jsonl"), expected);
    assert_eq!(figures("c.csv"), expected);
}

#[test]
fn own_rows_stand_beside_the_published_ones_and_change_none() {
    let folder = Folder::with_database();
    folder.write("one.csv", table(&[row(8, 1000.0, 700.0, 7.0), row(8, 1010.0, 700.0, 7.0)]));
    folder.write("two.csv", table(&[row(8, 1020.0, 700.0, 7.0)]));
    folder.run(["build", DATA, "one.csv", "two.csv", "-o", "both.sqlite"]).succeeded();
    let of_both = folder.open("both.sqlite");
    let columns = "task, row_id, joules_per_output_token, median_itl_ms, p99_itl_ms, model_name";
    let published = format!(
        "select {columns} from configuration_energy where source = 'published' order by row_id"
    );
    assert_eq!(rows(&of_both, &published), rows(&folder.open("energy.sqlite"), &published));
    let own = "select row_id from configuration_energy where source = 'mine' order by row_id";
    let id = "mine:qwen-3-14b/B200/1/8";
    assert_eq!(rows(&of_both, own), [[id.to_owned()], [format!("{id}/r2")], [format!("{id}/r3")]]);
    folder.done(["check", "both.sqlite"]);
}

#[test]
fn one_source_has_one_method() {
    let folder = Folder::new();
    folder.write("one.csv", table(&[row(8, 1000.0, 700.0, 7.0)]));
    let other = table(&[row(16, 1000.0, 700.0, 7.0)]).replace("chat,gpu,", "chat,node,");
    folder.write("two.csv", &other);
    let words = ["build", "one.csv", "two.csv", "-o", "x.sqlite"];
    folder.run(words).failed(1, "1 finding").found(&["energy_boundary", "[source-method]"]);
    folder.write("two.csv", other.replace("task,", "task,source,").replace("-chat,", "-chat,lab,"));
    folder.run(words).succeeded();
    let mixed =
        table(&[row(8, 1.0, 70.0, 7.0), row(9, 1.0, 70.0, 7.0).replace("chat,gpu", "chat,node")]);
    folder.write("one.csv", mixed);
    folder.run(words).failed(1, "finding").found(&[
        "line 3 (row 2), energy_boundary",
        "gpu",
        "[table]",
    ]);
}

#[test]
fn a_fault_in_a_table_is_told_with_its_line_and_column() {
    let folder = Folder::new();
    let sound = row(8, 1000.0, 700.0, 7.0);
    for (broken, parts) in [
        (
            sound.replace("1000", "fast"),
            ["line 3 (row 2), tokens_per_second", "fast", "number-range"],
        ),
        (sound.replace("1000", "-1"), ["line 3 (row 2), tokens_per_second", "-1", "above 0"]),
        (sound.replace(",8,", ",8.5,"), ["line 3 (row 2), max_num_seqs", "8.5", "whole number"]),
        (sound.replace(",7\n", "\n"), ["line 3", "11 cells", "12, as in the header"]),
        (sound.replace("B200", "b200"), ["line 3 (row 2), gpu", "b200", "name-spelling"]),
        (sound.replace("B200", "=B200"), ["line 3 (row 2), gpu", "=B200", "letter or digit"]),
        (
            sound.replace(",8,", ",,"),
            ["line 3 (row 2), max_num_seqs", "missing", "--fact max_num_seqs="],
        ),
        (
            sound.replace("lm-arena-chat", "gpqa"),
            ["line 3 (row 2), task", "gpqa", "as in the rows before"],
        ),
    ] {
        folder.write("t.csv", table(&[row(4, 500.0, 600.0, 6.0), broken]));
        folder.run(["build", "t.csv"]).failed(1, "finding").found(&parts);
    }
    folder.write("t.csv", HEADER.replace("gpu,", "gpu,gpu,") + "\n");
    folder.run(["build", "t.csv"]).failed(1, "finding").found(&["header/gpu", "duplicate-key"]);
    folder.write("t.csv", HEADER);
    folder.run(["build", "t.csv"]).failed(1, "finding").found(&["no rows"]);
}

/// A row of every figure that is bound to others, and one of them in another unit.
#[test]
fn a_table_with_one_figure_in_a_wrong_unit_is_refused_with_its_column_row_and_bound() {
    let folder = Folder::new();
    let header = "task,energy_boundary,measurement_window,itl_kind,model,gpu,num_gpus,precision,\
                  max_num_seqs,avg_running_batch,tokens_per_second,power_watts,\
                  joules_per_output_token,median_itl_ms,p99_itl_ms,avg_output_tokens\n";
    let names = "lm-arena-chat,gpu,steady-state,per-token,qwen-3-14b,B200,1,BF16,8";
    let sound = [7.5, 1000.0, 700.0, 0.7, 7.0, 20.0, 600.0];
    let columns: Vec<_> = header.trim().split(',').skip(9).collect();
    let line = |figures: &[f64]| {
        let figures: Vec<_> = figures.iter().map(f64::to_string).collect();
        format!("{names},{}\n", figures.join(","))
    };
    folder.write("t.csv", format!("{header}{}", line(&sound)));
    folder.run(["build", "t.csv"]).succeeded();
    for (at, column) in columns.iter().enumerate() {
        for factor in [1000.0, 0.001] {
            let mut figures = sound;
            figures[at] *= factor;
            folder.write("t.csv", format!("{header}{}{}", line(&sound), line(&figures)));
            let refused = folder.run(["build", "t.csv"]).failed(1, "finding");
            let told = refused.lines("finding: ").join("\n");
            assert!(told.contains("line 3 (row 2)") && told.contains("expected"), "{told}");
            // An error in one side of a relation is reported at the other side, or by the bound.
            let name = match *column {
                "avg_running_batch" => "load",
                "tokens_per_second" => "tokens per second",
                column => column,
            };
            let value = figures[at].to_string();
            assert!(told.contains(name) || told.contains(&value), "{column}: {told}");
        }
    }
}

/// Two sources of each workload, with the same model and GPU, that were measured in different ways.
fn of_two_methods() -> Folder {
    let folder = Folder::new();
    let text = [(8, 7, 1000, 7.0), (8, 7, 1010, 7.1), (24, 20, 2100, 9.0)].map(
        |(limit, load, rate, itl)| {
            let watts = if limit == 8 { 920 } else { 980 };
            format!(
                "lm-arena-chat,node,whole-run,per-chunk,qwen-3-14b,B200,1,BF16,{limit},{load},\
                 {rate},{watts},{itl},{},{},{},500,900\n",
                itl * 1.2,
                itl * 1.3,
                itl * 1.5
            )
        },
    );
    let header = HEADER.replace("max_num_seqs,", "max_num_seqs,avg_running_batch,").replace(
        "_itl_ms\n",
        "_itl_ms,p90_itl_ms,p95_itl_ms,p99_itl_ms,avg_output_tokens,requests\n",
    );
    folder.write("own.csv", format!("{header}{}", text.concat()));
    let of_media = "task,energy_boundary,measurement_window,model,gpu,num_gpus,precision,batch_size,\
                    height_pixels,width_pixels,inference_steps,joules_per_output,batch_latency_s";
    folder.write(
        "images.csv",
        format!(
            "{of_media}\ntext-to-image,node,whole-run,sana-1-5-1-6b,B200,1,BF16,1,1024,1024,20,400,0.7\n\
             text-to-image,node,whole-run,sana-1-5-1-6b,B200,1,BF16,2,1024,1024,20,390,1.1\n"
        ),
    );
    folder.write(
        "videos.csv",
        format!(
            "{of_media},num_frames,frames_per_second\n\
             text-to-video,node,whole-run,wan-2-1-1-3b,B200,1,BF16,1,480,832,50,70000,80,81,15\n"
        ),
    );
    let files = ["own.csv", "images.csv", "videos.csv"];
    let words = ["build", "--built-in"].into_iter().chain(files).chain(["-o", "both.sqlite"]);
    folder.run(words).succeeded();
    folder
}

/// No row mixes figures of both sources, and every row names its source. A row that compares two sources names both,
/// and the differences between their methods. An answer with rows of both has a note about these differences.
#[test]
fn mixed_methods_never_meet_in_one_answer_unsaid() {
    let folder = of_two_methods();
    let list = folder.done(["query", "--list", "--format", "csv"]);
    let names: Vec<_> = list.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let mut words = vec!["query", name, "--db", "both.sqlite", "--format", "json"];
        words.extend::<&[&str]>(match name {
            // The documents are of published rows alone, and a configuration has one source.
            "provenance" => continue,
            "at" => &["--model", "qwen-3-14b", "--load", "7"],
            "plan" => &["--model", "qwen-3-14b", "--tokens-per-second", "900"],
            "compare-sources" => &["--source", "mine", "--other-source", "published"],
            "compare" => &["--gpu", "H100", "--other-gpu", "B200"],
            "capacity" => &["--model", "qwen-3-14b", "--max-gpus", "8"],
            "capacity-media" => &["--task", "text-to-image", "--max-gpus", "8"],
            "plan-media" => &["--task", "text-to-image", "--outputs-per-hour", "500"],
            media if media.ends_with("-media") => &["--task", "text-to-image"],
            "best-videos" | "videos" | "export-best-videos" | "export-videos" => {
                &["--task", "text-to-video"]
            }
            "repeats" => &["--model", "qwen-3-14b"],
            _ => &[],
        });
        let ran = folder.run(&words).succeeded();
        let answer: serde_json::Value = serde_json::from_str(&ran.text()).unwrap();
        let answer = answer.as_array().unwrap();
        assert!(!answer.is_empty(), "{name}");
        let notes =
            ran.lines("note: the sources differ in energy_boundary (mine node, published gpu)");
        // The documents are of published rows, and so are the distributions of lengths. Of this model
        // the own source alone was measured again.
        let is_published = name.starts_with("export-") || name == "output-lengths";
        let is_of_both = !is_published && name != "repeats";
        assert_eq!(notes.len(), usize::from(is_of_both), "{name}: {}", ran.err);
        for row in answer {
            let ids = row.as_object().unwrap().iter();
            let ids = ids.filter(|(column, _)| column.ends_with("row_id"));
            for (column, id) in ids.filter_map(|(column, id)| Some((column, id.as_str()?))) {
                let of = id.split_once(':').map_or("published", |(source, _)| source);
                let whose = if column.starts_with("other_") { "other_source" } else { "source" };
                match row.get(whose).or_else(|| row.get("source")) {
                    Some(source) => assert_eq!(source, of, "{name}: {row}"),
                    None => {
                        assert!(name.starts_with("export-") && of == "published", "{name}: {row}")
                    }
                }
            }
            if name == "compare-sources" {
                let differing = row["differing_method"].as_str().unwrap();
                assert!(differing.starts_with("energy_boundary, measurement_window"), "{row}");
            } else if !name.starts_with("export-") {
                assert!(row["source"].is_string(), "{name}: {row}");
            }
        }
        let takes_source = folder.run(["query", name, "--help"]).text().contains("--source");
        if takes_source && name != "compare-sources" {
            let with = |source: &str| {
                let mut words = words.clone();
                words.extend(["--source", source]);
                let rows: serde_json::Value = serde_json::from_str(&folder.done(words)).unwrap();
                rows.as_array().unwrap().clone()
            };
            // Both sources together have the rows that each has by itself.
            let mut apart = [with("published"), with("mine")].concat();
            let mut together = answer.clone();
            let has_own = apart.iter().any(|row| row["source"] == "mine");
            assert!(has_own || is_published, "{name}: {apart:?}");
            apart.sort_by_key(|row| row.to_string());
            together.sort_by_key(|row| row.to_string());
            assert_eq!(apart, together, "{name}");
        } else {
            let is_of_one = name.starts_with("export-") || name == "compare-sources";
            assert!(is_of_one, "{name} takes no --source");
        }
    }
}

#[test]
fn own_rows_beside_the_published_ones_of_the_same_configuration_or_load() {
    let folder = of_two_methods();
    let compare = ["query", "compare-sources", "--source", "mine", "--other-source", "published"];
    let words = compare.into_iter().chain(["--db", "both.sqlite", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&folder.done(words)).unwrap();
    let [same, near] = &answer.as_array().unwrap()[..] else { panic!("{answer}") };
    assert_eq!((&same["status"], &near["status"]), (&"same limit".into(), &"same load".into()));
    // The published energy of this configuration over the mean of the two measurements of it.
    let own = (920.0 / 1000.0 + 920.0 / 1010.0) / 2.0;
    let ratio = same["energy_ratio"].as_f64().unwrap();
    assert!((ratio - 0.6993091867226764 / own).abs() < 1e-12, "{ratio}");
    assert_eq!(same["exceeds_spread"], true);
    assert_eq!(near["exceeds_spread"], serde_json::Value::Null);
}

#[test]
fn every_command_works_on_a_database_with_own_rows() {
    let folder = of_two_methods();
    folder.run(["check", "both.sqlite"]).succeeded();
    folder.write("published.sqlite", built_in());
    folder.done(["export", "--db", "both.sqlite", "-o", "with"]);
    folder.done(["export", "--db", "published.sqlite", "-o", "without"]);
    for task in folder.names("without") {
        for name in folder.names(&format!("without/{task}")) {
            let read = |of: &str| folder.read(format!("{of}/{task}/{name}"));
            assert!(read("with") == read("without"), "{task}/{name}");
        }
    }
    let changed = folder.done(["diff", "published.sqlite", "both.sqlite", "--format", "csv"]);
    assert!(changed.contains("added"), "{changed}");
    folder.run(["package", "--db", "both.sqlite", "-o", "release"]).succeeded();
    let told = folder.done([
        "query",
        "provenance",
        "--db",
        "both.sqlite",
        "--row-id",
        "mine:qwen-3-14b/B200/1/8/r2",
        "--format",
        "csv",
    ]);
    assert!(told.contains("power_watts,power_watts,920.0,"), "{told}");
    assert!(told.contains(",row 2,own.csv,"), "{told}");
    assert!(told.contains("energy_boundary,source,node,of the source mine"), "{told}");
}

/// If a row lacks a figure that the query needs, it is left out. A note says how many rows are left out, and why.
#[test]
fn a_query_that_needs_a_missing_figure_leaves_the_row_out_and_says_how_many_and_why() {
    let folder = Folder::new();
    let header = "task,energy_boundary,measurement_window,itl_kind,model,gpu,num_gpus,precision,\
                  max_num_seqs,avg_running_batch,tokens_per_second,power_watts,median_itl_ms,\
                  p90_itl_ms,p95_itl_ms,p99_itl_ms,avg_output_tokens,requests\n";
    let line = |limit: u32, figures: &str| {
        format!(
            "lm-arena-chat,gpu,steady-state,per-token,qwen-3-14b,B200,1,BF16,{limit},{figures}\n"
        )
    };
    let whole =
        line(8, "7.5,1000,700,7,8,9,12,500,900") + &line(64, "60,4000,900,15,20,22,40,500,900");
    // The third has no load, the fourth no p99, the fifth nothing but energy.
    let partial = line(16, ",1900,750,8,9,10,14,,")
        + &line(32, "30,2700,800,11,14,15,,500,")
        + &line(48, ",3300,850,,,,,,");
    folder.write("own.csv", format!("{header}{whole}{partial}"));
    folder.run(["build", "own.csv", "-o", "own.sqlite"]).succeeded();
    let says = |words: &[&str]| {
        let words = ["query"].iter().chain(words).chain(&["--db", "own.sqlite", "--format", "csv"]);
        let ran = folder.run(words).succeeded();
        let notes = ran.lines("note: ").into_iter().filter(|note| note.contains("left out"));
        (notes.map(str::to_owned).collect::<Vec<_>>().join("\n"), ran.text())
    };
    for (words, expected) in [
        (&["best"][..], "1 of 5 own configurations is left out: 1 without median_itl_ms"),
        (
            &["best", "--percentile", "p99"],
            "2 of 5 own configurations are left out: 2 without p99_itl_ms",
        ),
        (
            &["best", "--p99-ms", "50", "--max-request-seconds", "60"],
            "3 of 5 own configurations are left out: 1 without median_itl_ms; 2 without p99_itl_ms; \
             2 without request_seconds",
        ),
        (&["best", "--min-requests-per-slot", "1"], "3 without requests_per_slot"),
        (&["best", "--repeats", "mean", "--percentile", "p90"], "1 without p90_itl_ms"),
        (&["feasibility", "--percentile", "p95"], "1 without p95_itl_ms"),
        (&["deadlines", "--percentile", "p99"], "2 without p99_itl_ms"),
        (&["pareto", "--percentile", "p99"], "2 without p99_itl_ms"),
        (&["footprint"], "1 without median_itl_ms; 2 without avg_output_tokens"),
        (
            &["footprint", "--output-tokens", "200"],
            "1 of 5 own configurations is left out: 1 without median_itl_ms",
        ),
        (&["at", "--model", "qwen-3-14b", "--load", "20"], "2 without avg_running_batch"),
        (
            &["plan", "--tokens-per-second", "900", "--percentile", "p99"],
            "3 of 5 own configurations are left out: 2 without avg_running_batch; 2 without p99_itl_ms",
        ),
        (&["capacity", "--max-gpus", "2", "--p90-ms", "100"], "2 without avg_running_batch"),
    ] {
        let (said, answer) = says(words);
        assert!(said.contains(expected), "{words:?}: {said}");
        assert!(answer.lines().count() > 1, "{words:?}");
    }
    // What needs nothing that is missing says nothing, and shows every row.
    for query in ["configurations", "curve", "models", "gpus", "tasks"] {
        let (said, answer) = says(&[query]);
        assert_eq!(said, "", "{query}");
        let rows = if ["configurations", "curve"].contains(&query) { 5 } else { 1 };
        assert_eq!(answer.lines().count(), rows + 1, "{query}: {answer}");
    }
    // Where nothing is left, that is the reason.
    folder.write("own.csv", format!("{header}{}", line(48, ",3300,850,,,,,,")));
    folder.run(["build", "own.csv", "-o", "own.sqlite"]).succeeded();
    let ran = folder.run(["query", "best", "--db", "own.sqlite"]).succeeded();
    assert!(ran.err.contains("1 of 1 own configurations is left out"), "{}", ran.err);
    assert!(!ran.err.contains("no rows:"), "{}", ran.err);
}

#[test]
fn what_is_missing_is_asked_for_in_the_order_of_the_template() {
    let (folder, asked) = lacking();
    let names: Vec<_> = asked
        .lines("finding: ")
        .into_iter()
        .filter_map(|line| line.split_once("--fact ")?.1.split_once('='))
        .map(|(name, _)| name.to_owned())
        .collect();
    let template = folder.done(["template"]);
    let header = template.lines().find(|line| !line.starts_with('#')).unwrap();
    let mut in_order: Vec<_> =
        header.split(',').filter(|name| names.iter().any(|of| of == name)).collect();
    in_order.dedup();
    assert_eq!(names, in_order);
    assert!(names.len() >= 8, "{names:?}");
}

/// As of text: a figure of images or videos in another unit breaks a relation or a bound.
#[test]
fn a_table_of_images_or_videos_with_one_figure_in_a_wrong_unit_is_refused_too() {
    let folder = Folder::new();
    for output in ["images", "videos"] {
        let template = folder.done(["template", output]);
        let lines: Vec<_> = template.lines().filter(|line| !line.starts_with('#')).collect();
        let [header, sound] = lines[..] else { panic!("{template}") };
        let names: Vec<_> = header.split(',').collect();
        for column in ["joules_per_output", "batch_latency_s", "outputs_per_second", "power_watts"]
        {
            for factor in [1000.0, 0.001] {
                let at = names.iter().position(|name| *name == column).unwrap();
                let mut cells: Vec<_> = sound.split(',').map(str::to_owned).collect();
                cells[at] = (cells[at].parse::<f64>().unwrap() * factor).to_string();
                folder.write("t.csv", format!("{header}\n{sound}\n{}\n", cells.join(",")));
                let refused = folder.run(["build", "t.csv"]).failed(1, "finding");
                let told = refused.lines("finding: ").join("\n");
                let is_told = told.contains("line 3 (row 2)") && told.contains("expected");
                assert!(is_told, "{output}, {column}: {told}");
            }
        }
    }
}

/// The provenance of own text, images and videos names the file and the row.
#[test]
fn own_images_and_videos_are_traced_checked_compared_and_packaged() {
    let folder = of_two_methods();
    for (task, view, file) in [
        ("lm-arena-chat", "configuration_energy", "own.csv"),
        ("text-to-image", "image_energy", "images.csv"),
        ("text-to-video", "video_energy", "videos.csv"),
    ] {
        let sql = format!("select min(row_id) from {view} where source = 'mine'");
        let id = folder.csv("both.sqlite", &sql).remove(0);
        let words = ["query", "provenance", "--db", "both.sqlite", "--task", task, "--row-id", &id];
        let told = folder.done(words.into_iter().chain(["--format", "csv"]));
        let is_traced =
            told.lines().any(|line| line.contains(",row ") && line.contains(&format!(",{file},")));
        assert!(is_traced, "{id}: {told}");
        assert!(told.contains("energy_boundary,source,node,of the source mine"), "{told}");
    }
    folder.run(["check", "both.sqlite"]).succeeded();
    folder.write("published.sqlite", built_in());
    let words = ["diff", "published.sqlite", "both.sqlite", "--details", "--format", "csv"];
    let changed = folder.done(words);
    for id in ["mine:qwen-3-14b/B200/1/8", "mine:sana-1-5-1-6b/", "mine:wan-2-1-1-3b/"] {
        assert!(changed.contains(id), "{id}: {changed}");
    }
    folder.run(["package", "--db", "both.sqlite", "-o", "release"]).succeeded();
    for view in ["configuration_energy", "image_energy", "video_energy"] {
        let csv = String::from_utf8(folder.read(format!("release/csv/{view}.csv"))).unwrap();
        assert!(csv.contains("mine:"), "{view}");
    }
}
