//! Faces of the dice: three lines of five columns, readable without color too.

use craps_dice::Die;

/// Returns the three lines of a face.
pub(crate) const fn face(die: Die) -> [&'static str; 3] {
    match die {
        Die::One => ["     ", "  ●  ", "     "],
        Die::Two => [" ●   ", "     ", "   ● "],
        Die::Three => [" ●   ", "  ●  ", "   ● "],
        Die::Four => [" ● ● ", "     ", " ● ● "],
        Die::Five => [" ● ● ", "  ●  ", " ● ● "],
        Die::Six => [" ● ● ", " ● ● ", " ● ● "],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_has_as_many_pips_as_its_die() {
        for die in Die::ALL {
            let pips = face(die).concat().matches('●').count();
            assert_eq!(pips, usize::from(die.pips()));
            assert!(face(die).iter().all(|line| line.chars().count() == 5), "{die}");
        }
    }
}
