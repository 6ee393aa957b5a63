//! Measures another craps simulator, crapssim, on the same strategies. It is installed into its own environment.

use super::figures::Figures;
use super::{keep, root, target};
use crate::{capture, needed, run, tool};

/// Number of rolls that both simulators play, to check that the strategies are the same.
const THROWS: &str = "5000";

/// Adds crapssim's figures. Returns false if it could not be measured.
pub(super) fn measure(figures: &mut Figures) -> bool {
    let found = figures.text("program").and_then(crapssim);
    let measured = found.is_some();
    figures.extend(found.unwrap_or_default());
    measured
}

/// Returns crapssim's figures, and our net results on the same dice.
fn crapssim(program: &str) -> Option<Figures> {
    let home = target().join("peers");
    let python = home.join("bin").join("python").display().to_string();
    let why = "crapssim is a Python program";
    let ready = tool("python3", why)
        && needed("python3-venv", "python3", &["-c", "import ensurepip"], why)
        && run("peers", "python3", &["-m", "venv", &home.display().to_string()], &[])
        && {
            let wanted = root().join("xtask/peers/requirements.txt").display().to_string();
            let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", &wanted];
            run("peers", &python, &pip, &[])
        };
    if !ready {
        return None;
    }
    let mut figures = Figures::read(&capture("dice", program, &[], &[("BOXPERSON_DICE", THROWS)])?);
    let dice = home.join("dice.txt");
    if !keep(&dice, figures.text("dice")?) {
        return None;
    }
    let driver = root().join("xtask/peers/crapssim_rate.py").display().to_string();
    let played = capture("crapssim", &python, &[&driver, &dice.display().to_string()], &[])?;
    figures.extend(Figures::read(&played));
    Some(figures)
}
