//! Draws the layouts of all sample houses, to help with editing a template. Reads the templates from one folder, and writes each layout as SVG and
//! as JSON to another.
//!
//!     cargo run -p craps-layout --example draw layouts drawings

use craps_law::{HouseRules, Library, Source};
use craps_layout::{Layout, Sign, Template};
use craps_odds::Solver;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut folders = env::args().skip(1).map(PathBuf::from);
    let (Some(from), Some(to)) = (folders.next(), folders.next()) else {
        return Err("expected two folders: one with the templates, and one for the drawings".into());
    };
    let templates = templates(&from)?;
    let (library, mut solver) = (Library::shipped(), Solver::default());
    for source in HouseRules::samples() {
        let house = library.house(&source, None)?;
        let book = library.book(&house.book).ok_or("a sample without its book")?;
        let rules = book.admit(&house).map_err(|_| "an unlawful sample")?;
        for template in templates.iter().filter(|template| template.suits(&rules)) {
            let layout = Layout::new(template, book, &rules, &Sign::default())?.priced(&rules, &mut solver);
            let stem = format!("{}-{}", source.path.trim_end_matches(".toml"), template.name);
            fs::write(to.join(format!("layout-{stem}.svg")), layout.svg())?;
            fs::write(to.join(format!("layout-{stem}.json")), serde_json::to_string_pretty(&layout)?)?;
        }
    }
    Ok(())
}

fn templates(folder: &Path) -> Result<Vec<Template>, Box<dyn Error>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".toml") {
            all.push(Template::read(&Source { path: name, text: fs::read_to_string(&path)? })?);
        }
    }
    Ok(all)
}
