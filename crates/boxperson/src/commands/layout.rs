//! `boxperson layout`: draws a table layout to scale.

use crate::commands::book;
use crate::failure::Failure;
use crate::library::read_text;
use crate::output;
use crate::play::house;
use clap::ValueEnum;
use craps_law::{LawError, Library};
use craps_layout::{End, Layout, NoPlace, Sign, Template};
use craps_odds::Solver;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `boxperson layout`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  boxperson layout houses/pa-craps.toml > pa.svg\n  boxperson layout co-crapless --format json\n  boxperson layout houses/md-mini.toml --template my-table.toml > mine.svg\n  boxperson layout houses/co-craps.toml --narrow right > phone.svg\n\nLengths are in millimeters: the drawing has the size of the table. An unlawful house or an unlawful table is not drawn; the exit code is 1."
)]
pub(crate) struct Args {
    /// House file, - for standard input, or the id of a book for a practice table with everything that book allows [default: the first book]
    house: Option<String>,
    /// Your own layout template instead of the one in `layouts/`
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// Draw the layout for a narrow screen: this end of the table, the center and the side bets below each other
    #[arg(long, value_enum, value_name = "END", conflicts_with = "template")]
    narrow: Option<Narrow>,
    /// Output format
    #[arg(long, value_enum, default_value = "svg")]
    format: Format,
}

/// End of the table that a narrow layout shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Narrow {
    /// Stations 1 to 8
    Right,
    /// Stations 9 to 16
    Left,
}

/// Output format of a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Drawing to scale
    Svg,
    /// One JSON document, the same as from the server
    Json,
}

/// Runs the command.
pub(crate) fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let house = house::named(library, args.house.as_deref().unwrap_or_else(|| house::first(library)))?;
    let book = book(library, &house.book)?;
    let rules = match book.admit(&house) {
        Ok(rules) => rules,
        Err(problems) => {
            problems.iter().for_each(|problem| output::remark(&problem.to_string()));
            return Ok(ExitCode::FAILURE);
        }
    };
    let template = match &args.template {
        Some(path) => {
            let source = read_text(path)?;
            let in_source = |error: LawError| Failure::in_sources(vec![error], std::slice::from_ref(&source));
            Template::read(&source).map_err(in_source)?
        }
        None if args.narrow.is_some() => Template::narrow(&rules).map_err(|error| Failure::Usage(error.to_string()))?,
        None => Template::of(&rules).map_err(|error| Failure::Usage(error.to_string()))?,
    };
    let end = if args.narrow == Some(Narrow::Left) { End::Left } else { End::Right };
    let layout = match Layout::new(&template, book, &rules, &Sign { end, ..Sign::default() }) {
        Ok(layout) => layout,
        Err(unlawful @ NoPlace::TooLong { .. }) => {
            output::remark(&unlawful.to_string());
            return Ok(ExitCode::FAILURE);
        }
        Err(error) => return Err(Failure::Usage(error.to_string())),
    };
    match args.format {
        Format::Svg => output::write(&layout.svg()),
        Format::Json => output::write_json(&layout.priced(&rules, &mut Solver::default())),
    }
}
