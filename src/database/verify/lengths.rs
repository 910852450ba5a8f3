//! Checks of the lengths of outputs.

use anyhow::{Result, ensure};

use super::Subject;

/// Whether every histogram is one, and of the model and task of its configuration.
pub fn histograms(subject: &Subject<'_>) -> Result<String> {
    let wrong =
        |sql: &str| -> Result<i64> { Ok(subject.connection.query_row(sql, [], |row| row.get(0))?) };
    let bins = wrong(
        "with bins as (
            select
                output_lengths.output_lengths_id as id,
                output_lengths.requests as requests,
                output_length_bins.requests as in_bin,
                output_length_bins.from_tokens as from_tokens,
                output_length_bins.to_tokens as to_tokens,
                output_length_bins.bin as bin,
                row_number() over of_histogram as expected,
                lag(output_length_bins.to_tokens) over of_histogram as reached
            from output_lengths
            left join output_length_bins using (output_lengths_id)
            window of_histogram as (
                partition by output_lengths.output_lengths_id order by output_length_bins.bin
            )
        )
        select count(*) from (
            select id from bins group by id, requests
            having ifnull(sum(in_bin), 0) <> requests
                or sum(ifnull(bin, 0) <> expected) > 0
                or sum(from_tokens >= to_tokens) > 0
                or sum(reached <> from_tokens) > 0
        )",
    )?;
    ensure!(bins == 0, "{bins} histograms have bins that do not fit their requests");
    let strays = wrong(
        "select count(*) from output_lengths \
         join configurations using (configuration_id) \
         where configurations.model_id <> output_lengths.model_id \
             or configurations.task_id <> output_lengths.task_id",
    )?;
    ensure!(strays == 0, "{strays} histograms have another model or task than their configuration");
    Ok(format!("{} histograms", wrong("select count(*) from output_lengths")?))
}
