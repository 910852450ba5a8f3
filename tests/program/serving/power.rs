//! The energy of runs from logs of power. The columns of `nvidia-smi` and `amd-smi` are those that
//! InferenceX's benchmarks/benchmark_lib.sh at 843c6254 records.

use super::{FACTS, Folder, Value, build, figures, json, with};
use crate::common::in_project;

/// A run of 100 s that ends at 10:16:15 local time and makes 400,000 tokens.
fn result() -> Value {
    json!({
        "date": "20261120-101615", "model_id": "acme/Acme-7B-Instruct", "tokenizer_id": "x",
        "max_concurrency": 64, "duration": 100.0, "completed": 4000,
        "total_input_tokens": 2_048_000, "total_output_tokens": 400_000,
        "output_throughput": 4000.0, "median_itl_ms": 14.5, "p90_itl_ms": 20.5,
        "p95_itl_ms": 24.75, "p99_itl_ms": 61.25,
    })
}

/// A log of `nvidia-smi` with a sample of each GPU each second from 10:14:00 on, at these watts.
fn log(gpus: &[(u32, f64)], seconds: std::ops::Range<u32>) -> String {
    let mut log = String::from("timestamp, index, power.draw [W], utilization.gpu [%]\n");
    for second in seconds {
        for (gpu, watts) in gpus {
            let (minute, second) = (14 + second / 60, second % 60);
            log += &format!("2026/11/20 10:{minute}:{second:02}.250, {gpu}, {watts:.2} W, 98 %\n");
        }
    }
    log
}

/// All facts except the boundary, which the log determines, and the number of GPUs.
fn facts(gpus: &'static str) -> Vec<&'static str> {
    let of_all =
        FACTS.into_iter().filter(|fact| !fact.starts_with("energy") && !fact.contains("gpus"));
    of_all.chain([gpus, "tensor_parallel=1"]).collect()
}

#[test]
fn a_log_gives_the_energy_of_a_run_over_its_window() {
    let folder = Folder::new();
    folder.write("r.json", result().to_string());
    folder.write("p.csv", log(&[(0, 500.0), (1, 540.0)], 0..200));
    let options = ["--power-log", "p.csv"];
    build(&folder, "r.json", &facts("num_gpus=2"), &options).succeeded();
    let columns = "power_watts, joules_per_output_token, window_uncertainty_percent";
    assert_eq!(figures(&folder, columns), ["1040.0,0.26,1.0"]);
    assert_eq!(folder.csv("x.sqlite", "select energy_boundary from sources"), ["gpu"]);
    // sha256sum p.csv
    let sha256 = "63ff1f736022ca904b2517bcbaa983bdc31e8bef4c6b25154ac2966bb8fd3837";
    let log = "select power_log || ' ' || power_log_sha256 from documents";
    assert_eq!(folder.csv("x.sqlite", log), [format!("p.csv {sha256}")]);
    let row_id = "lab:acme-7b-instruct/H100/2/64";
    let told = folder.done([
        "query",
        "provenance",
        "--db",
        "x.sqlite",
        "--row-id",
        row_id,
        "--format",
        "csv",
    ]);
    assert!(
        told.contains("power_log,document,p.csv,the log that the energy is from,p.csv"),
        "{told}"
    );
    assert!(told.contains(&format!("power_log_sha256,document,{sha256},")), "{told}");
    let options = ["--power-log", "p.csv", "--gpu-index", "1"];
    build(&folder, "r.json", &facts("num_gpus=1"), &options).succeeded();
    assert_eq!(figures(&folder, columns), ["540.0,0.135,1.0"]);
    // What the document says counts first.
    folder.write(
        "r.json",
        with(&result(), &json!({"energy_joules": "80000", "energy_boundary": "gpu"})).to_string(),
    );
    build(&folder, "r.json", &facts("num_gpus=1"), &options).succeeded();
    assert_eq!(figures(&folder, columns), ["800.0,0.2,"]);
    let unused = "select power_log is null and power_log_sha256 is null from documents";
    assert_eq!(folder.csv("x.sqlite", unused), ["1"]);
    folder.done(["check", "x.sqlite"]);
}

#[test]
fn a_log_of_amd_smi_is_in_seconds_of_utc() {
    let folder = Folder::new();
    folder.write("r.json", result().to_string());
    let mut log = String::from("timestamp,gpu,socket_power,gfx_voltage\n");
    // date -u -d '2026-11-20 10:14:00' +%s, an hour before 10:14 where local time is ahead.
    for second in 0..200 {
        log += &format!("{}.5,0,610,N/A\n", 1_795_169_640 - 3600 + second);
    }
    folder.write("p.csv", log);
    let options = ["--power-log", "p.csv", "--utc-offset", "+01:00"];
    build(&folder, "r.json", &facts("num_gpus=1"), &options).succeeded();
    assert_eq!(figures(&folder, "power_watts"), ["610.0"]);
    build(&folder, "r.json", &facts("num_gpus=1"), &options[..2]).failed(1, "finding").found(&[
        "--power-log p.csv",
        "give --utc-offset +HH:MM",
        "[power-log]",
    ]);
    let options = ["--power-log", "p.csv", "--utc-offset", "-01:00"];
    build(&folder, "r.json", &facts("num_gpus=1"), &options)
        .failed(1, "finding")
        .found(&["samples of only a part of the run"]);
    let options = ["--power-log", "p.csv", "--utc-offset", "1h"];
    build(&folder, "r.json", &facts("num_gpus=1"), &options).failed(2, "--utc-offset takes +HH:MM");
}

#[test]
fn a_log_that_does_not_tell_the_energy_for_certain_is_refused_with_the_reason() {
    let folder = Folder::new();
    folder.write("r.json", result().to_string());
    let whole = log(&[(0, 500.0), (1, 540.0)], 0..200);
    let without = |part: &str| {
        let lines = whole.lines().filter(|line| !line.contains(part));
        lines.collect::<Vec<_>>().join("\n")
    };
    for (log, gpus, index, parts) in [
        (
            whole.clone(),
            "num_gpus=1",
            None,
            ["GPU 0,1", "only the 1 GPU of the run", "--gpu-index 0"],
        ),
        (whole.clone(), "num_gpus=4", None, ["0,1", "the 4 GPUs of the run", "power-log"]),
        (whole.clone(), "num_gpus=2", Some("0,2"), ["0,1", "expected GPU 2", "power-log"]),
        (
            whole.clone(),
            "num_gpus=2",
            Some("0"),
            ["found GPU 0", "the 2 GPUs of the run", "power-log"],
        ),
        (
            log(&[(0, 5.0), (1, 5.0)], 60..200),
            "num_gpus=2",
            None,
            ["only a part of the run", "before its start", "GPU 0"],
        ),
        (
            log(&[(0, 5.0), (1, 5.0)], 0..130),
            "num_gpus=2",
            None,
            ["only a part of the run", "after its end", "GPU 0"],
        ),
        (without("10:15:3"), "num_gpus=2", None, ["samples 11.0 s apart", "at most 3 s", "-l 1"]),
        (
            whole.replace("10:15:30.250, 1, 540.00 W", "10:15:30.250, 1, [N/A]"),
            "num_gpus=2",
            None,
            ["GPU 1: a sample without power", "watts in each", "power-log"],
        ),
    ] {
        folder.write("p.csv", log);
        let mut options = vec!["--power-log", "p.csv"];
        options.extend(index.into_iter().flat_map(|index| ["--gpu-index", index]));
        build(&folder, "r.json", &facts(gpus), &options).failed(1, "finding").found(&parts);
    }
}

#[test]
fn a_window_that_is_too_uncertain_and_a_run_without_a_time_are_refused() {
    let folder = Folder::new();
    folder.write("p.csv", log(&[(0, 500.0)], 0..200));
    let options = ["--power-log", "p.csv"];
    let short = json!({"duration": 49.0, "output_throughput": 400_000.0 / 49.0});
    folder.write("r.json", with(&result(), &short).to_string());
    build(&folder, "r.json", &facts("num_gpus=1"), &options)
        .failed(1, "finding")
        .found(&["uncertain by 2.0 % of the run", "at most 2 %: measure a longer run"]);
    folder.write("r.json", with(&result(), &json!({"date": null})).to_string());
    build(&folder, "r.json", &facts("num_gpus=1"), &options)
        .failed(1, "finding")
        .found(&["the time at which the run ended"]);
    folder.write("r.json", result().to_string());
    let of_node = [&facts("num_gpus=1")[..], &["energy_boundary=node"]].concat();
    build(&folder, "r.json", &of_node, &options).failed(1, "finding").found(&[
        "energy_boundary",
        "node",
        "contains only GPUs",
    ]);
    // What is missing is asked for, and the log by name.
    build(&folder, "r.json", &facts("num_gpus=1"), &[])
        .failed(1, "finding")
        .found(&["energy_joules", "--power-log FILE"]);
}

#[test]
fn a_file_that_is_no_log_of_power_is_refused() {
    let folder = Folder::new();
    folder.write("r.json", result().to_string());
    let options = ["--power-log", "p.csv"];
    for (log, told) in [
        ("", "it is empty"),
        ("a,b\n1,2\n", "the columns timestamp, index and power.draw are missing"),
        ("timestamp, index, power.draw [mW]\n", "its power is in mW, not in W"),
        ("timestamp,index,power.draw\nnow,0,5\n", "line 2: found 'now', expected a time"),
        ("timestamp,index,power.draw\n1795169640,x,5\n", "line 2: found 'x', expected the number"),
        ("timestamp,index,power.draw\n1795169640,0,5 kW\n", "line 2: found '5 kW', expected watts"),
        (
            "timestamp,index,power.draw\n1795169640,0,5\n2026/11/20 10:14:00,0,5\n",
            "line 3: times with and without an offset",
        ),
    ] {
        folder.write("p.csv", log);
        build(&folder, "r.json", &facts("num_gpus=1"), &options).failed(1, told);
    }
    build(&folder, "r.json", &facts("num_gpus=1"), &["--power-log", "none.csv"])
        .failed(1, "could not read the power log: none.csv");
}

#[test]
fn a_window_of_zeus_is_joined_by_its_name() {
    let folder = Folder::new();
    let log = in_project("tests/program/serving/zeus-A40-resnet18.csv");
    let log = log.to_str().unwrap();
    // The window __GlobalPowerLimitOptimizer_300 took 9.216910222545266 s and 2053.679000005126 J.
    let short = json!({"date": null, "duration": 9.2, "output_throughput": 400_000.0 / 9.2});
    folder.write("r.json", with(&result(), &short).to_string());
    let name = "__GlobalPowerLimitOptimizer_300";
    let options = ["--power-log", log, "--window", name];
    build(&folder, "r.json", &facts("num_gpus=1"), &options).succeeded();
    let [figures] = &figures(&folder, "power_watts, round(window_uncertainty_percent, 6)")[..]
    else {
        panic!()
    };
    assert_eq!(
        *figures,
        format!("{:?},{:.6}", 2053.679000005126 / 9.2, (9.216910222545266_f64 / 9.2 - 1.0) * 100.0)
    );
    let refused = |options: &[&str], parts: &[&str]| {
        build(&folder, "r.json", &facts("num_gpus=1"), options).failed(1, "finding").found(parts);
    };
    refused(&["--power-log", log, "--window", "c64"], &["no window 'c64'", "one of the windows "]);
    refused(
        &["--power-log", log, "--window", "__GlobalPowerLimitOptimizer_100"],
        &["uncertain by", "at most 2 %"],
    );
    build(&folder, "r.json", &facts("num_gpus=1"), &options[..2]).failed(2, "--window NAME");
    let two = format!("{0}\n{0}", with(&result(), &short));
    folder.write("r.json", two);
    refused(&options, &["line 2 (row 2)", "a second run", "build each run separately"]);
    folder.write("p.csv", "timestamp,index,power.draw\n");
    build(&folder, "r.json", &facts("num_gpus=1"), &["--power-log", "p.csv", "--window", name])
        .failed(1, "--window is for a ZeusMonitor log");
    folder.write("z.csv", "start_time,window_name,elapsed_time,gpu0_energy,gpu1_energy\n5.5,c64,100.5,39150.0,38922.4\n6.5,c8,1,2,-3\n");
    build(&folder, "r.json", &facts("num_gpus=1"), &["--power-log", "z.csv", "--window", "c64"])
        .failed(1, "line 3: found '-3', expected a number above 0");
    folder.write("z.csv", "start_time,window_name,elapsed_time,gpu0_energy,gpu1_energy\n5.5,c64,100.5,39150.0,38922.4\n");
    folder.write("r.json", result().to_string());
    refused(&["--power-log", "z.csv", "--window", "c64"], &["0,1", "--gpu-index 0"]);
    let options = ["--power-log", "z.csv", "--window", "c64"];
    build(&folder, "r.json", &facts("num_gpus=2"), &options).succeeded();
    assert_eq!(
        super::figures(&folder, "power_watts, joules_per_output_token"),
        [format!("{:?},0.195181", (39150.0 + 38922.4) / 100.0)]
    );
}
