//! Writes to standard output, and draws tables that fit in 100 columns.

use crate::failure::Failure;
use clap::ValueEnum;
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};
use craps_explain::WhyCard;
use craps_money::{Base, Commission, Timing};
use serde::Serialize;
use std::io::Write as _;
use std::process::ExitCode;

pub(crate) use craps_explain::record::csv_field;

/// Width of tables and wrapped text, in columns.
pub(crate) const WIDTH: u16 = 100;
/// Spaces to the right of a cell; the table style adds as many between columns.
const PADDING: u16 = 1;

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// Readable table
    #[default]
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values
    Csv,
}

/// Writes a text to standard output.
pub(crate) fn write(text: &str) -> Result<ExitCode, Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a remark to standard error, so that it doesn't mix with piped results.
pub(crate) fn remark(text: &str) {
    // A remark that can't be written must not fail the command.
    let _ = writeln!(std::io::stderr(), "boxperson: {text}");
}

/// Writes a value as one JSON document.
pub(crate) fn write_json(value: &impl Serialize) -> Result<ExitCode, Failure> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| Failure::Usage(error.to_string()))?;
    text.push('\n');
    write(&text)
}

/// Style for short cells: one line per row.
const LINES: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
/// Style for cells that wrap: a line between rows.
const RULED: TableStyle = LINES.row_separator(LineStyle::none().fill('┈').junction('┈'));

/// Draws a table of short cells. The columns in `right` hold numbers and are aligned to the right.
pub(crate) fn table(header: &[&str], right: &[usize], rows: Vec<Vec<String>>) -> String {
    draw(LINES, header.len(), header, right, rows)
}

/// Draws a table whose cells can wrap over several lines.
pub(crate) fn text_table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    draw(RULED, 1, header, &[], rows)
}

/// Draws a table. The first `whole` columns don't break words or numbers as long as there is room, so that they can be searched
/// and read.
fn draw(style: TableStyle, whole: usize, header: &[&str], right: &[usize], rows: Vec<Vec<String>>) -> String {
    // Empty columns are dropped.
    let speaks = |column: usize| rows.iter().any(|row| row.get(column).is_some_and(|cell| !cell.is_empty()));
    let kept: Vec<usize> = (0..header.len()).filter(|column| speaks(*column)).collect();
    let right: Vec<usize> = (0..kept.len()).filter(|place| right.contains(&kept[*place])).collect();
    let header: Vec<&str> = kept.iter().map(|column| header[*column]).collect();
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| kept.iter().map(|column| row[*column].clone()).collect()).collect();
    let least = |column: usize| {
        let cells = rows.iter().map(|row| row[column].as_str()).chain([header[column]]);
        let width = |text: &str| text.chars().count();
        if right.contains(&column) {
            cells.map(width).max().unwrap_or(0)
        } else {
            cells.flat_map(str::split_whitespace).map(width).max().unwrap_or(0)
        }
    };
    let least: Vec<usize> = (0..kept.len()).take(whole).map(|column| least(column) + usize::from(PADDING)).collect();
    let fits = least.iter().sum::<usize>() + kept.len() <= usize::from(WIDTH);
    let mut table = Table::new();
    table.load_style(style).set_width(WIDTH).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header.iter().map(Cell::new));
    for row in &rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, PADDING));
    }
    for (at, (column, least)) in table.column_iter_mut().zip(least).enumerate().filter(|_| fits) {
        column.set_constraint(if right.contains(&at) {
            ColumnConstraint::ContentWidth
        } else {
            ColumnConstraint::LowerBoundary(Width::Fixed(u16::try_from(least).unwrap_or(WIDTH)))
        });
    }
    for column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let text = table.to_string();
    text.lines().filter(|line| !line.is_empty()).map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n"
}

/// Describes a commission, for example `5% of stake up front`.
pub(crate) fn commission(commission: &Commission) -> String {
    let base = match commission.base {
        Base::Stake => "stake",
        Base::Win => "win",
    };
    let timing = match commission.timing {
        Timing::UpFront => "up front",
        Timing::OnWin => "on win",
    };
    format!("{} of {base} {timing}", commission.rate)
}

/// Returns the name of a pay table, or nothing for the standard one.
pub(crate) fn pay_table(name: &str) -> String {
    if name == "standard" { String::new() } else { name.to_owned() }
}

/// Puts a label and its text side by side. Text longer than a line is indented under its start.
pub(crate) fn labeled(label: &str, width: usize, text: &str) -> String {
    let hanging = wrap(text, &" ".repeat(width + 2), usize::from(WIDTH));
    format!("  {label:<width$}{}", hanging.trim_start())
}

/// Prints a Why? card: the result, then one labeled row per part of its explanation.
pub(crate) fn why(card: &WhyCard) -> String {
    let rows: String = card.rows().map(|(label, text)| labeled(label, 9, &text)).collect();
    format!("Why?  {}\n{rows}", card.what)
}

/// Breaks a text into lines of at most `width` characters, indent included.
pub(crate) fn wrap(text: &str, indent: &str, width: usize) -> String {
    let (mut out, mut line) = (String::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width - indent.len() {
            out.push_str(&format!("{indent}{line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    out.push_str(&format!("{indent}{line}\n"));
    out
}
