//! Standard output, and tables that fit a hundred columns.

use crate::failure::Failure;
use clap::ValueEnum;
use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use craps_money::{Base, Commission, Timing};
use serde::Serialize;
use std::io::Write as _;
use std::process::ExitCode;

/// The width that tables and texts fit into.
pub(crate) const WIDTH: u16 = 100;

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
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

/// Writes a remark to standard error, where it disturbs no pipe.
pub(crate) fn remark(text: &str) {
    // A remark that cannot be written is lost; the result is not.
    let _ = writeln!(std::io::stderr(), "boxperson: {text}");
}

/// Writes a value as one JSON document.
pub(crate) fn write_json(value: &impl Serialize) -> Result<ExitCode, Failure> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| Failure::Usage(error.to_string()))?;
    text.push('\n');
    write(&text)
}

/// One field of a CSV line, quoted where it must be.
pub(crate) fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Numbers and short words, a line each.
const LINES: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
/// Texts that wrap, with a rule between rows.
const RULED: TableStyle = LINES.row_separator(LineStyle::none().fill('┈').junction('┈'));

/// An aligned table of short cells; columns named in `right` are numbers.
pub(crate) fn table(header: &[&str], right: &[usize], rows: Vec<Vec<String>>) -> String {
    draw(LINES, header, right, rows)
}

/// A table whose cells may run over several lines.
pub(crate) fn text_table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    draw(RULED, header, &[], rows)
}

fn draw(style: TableStyle, header: &[&str], right: &[usize], rows: Vec<Vec<String>>) -> String {
    // A column that says nothing takes no room.
    let speaks = |column: usize| rows.iter().any(|row| row.get(column).is_some_and(|cell| !cell.is_empty()));
    let kept: Vec<usize> = (0..header.len()).filter(|column| speaks(*column)).collect();
    let right: Vec<usize> = (0..kept.len()).filter(|place| right.contains(&kept[*place])).collect();
    let header: Vec<&str> = kept.iter().map(|column| header[*column]).collect();
    let rows = rows.iter().map(|row| kept.iter().map(|column| row[*column].clone()).collect::<Vec<_>>());
    let mut table = Table::new();
    table.load_style(style).set_width(WIDTH).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header.iter().map(Cell::new));
    for row in rows {
        table.add_row(row);
    }
    for column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let text = table.to_string();
    text.lines().filter(|line| !line.is_empty()).map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n"
}

/// A commission in few words.
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

/// A pay table where people read it: the one without a name needs none.
pub(crate) fn pay_table(name: &str) -> String {
    if name == "standard" { String::new() } else { name.to_owned() }
}

/// A label with its text beside it, the text hanging where it is longer than a line.
pub(crate) fn labelled(label: &str, width: usize, text: &str) -> String {
    let hanging = wrap(text, &" ".repeat(width + 2), usize::from(WIDTH));
    format!("  {label:<width$}{}", hanging.trim_start())
}

/// Breaks a text into lines of at most `width` characters.
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
