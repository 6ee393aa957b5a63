//! The words that books may use. Each type is a closed list.

/// Defines an enum of words. A wrong word in a book gives an error that lists the allowed words.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $(#[doc = $doc:literal] $(#[$more:ident])? $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
        pub enum $name {
            $(#[doc = $doc] $(#[$more])? #[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// All values.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Returns the word in the files of the books.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// Returns the word as it is shown to readers, such as `at least`.
            #[must_use]
            pub fn in_words(self) -> String {
                self.word().replace('_', " ")
            }

            /// Returns the meaning as a phrase. It is the doc comment of the value, without the capital letter and the period.
            #[must_use]
            pub fn meaning(self) -> String {
                let text = match self { $($name::$variant => $doc),+ };
                let text = text.trim().trim_end_matches('.');
                text.chars().take(1).flat_map(char::to_lowercase).chain(text.chars().skip(1)).collect()
            }

            /// Finds a value by its word.
            #[must_use]
            pub fn find(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|known| known.word() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

words! {
    /// The kind of game a table plays.
    Game {
        /// A full table where players roll the dice.
        Craps = "craps",
        /// A small table with seats.
        MiniCraps = "mini-craps",
        /// Dice in a sealed shaker that is started by a button.
        Automated = "automated",
        /// No dealer and no felt: everything is on screens.
        Electronic = "electronic",
        /// A dealer and real dice, with bets on screens.
        Hybrid = "hybrid",
    }
}

words! {
    /// Whether every table has a wager, or only houses that choose it.
    Standing {
        /// Every table has it.
        Listed = "listed",
        /// Only houses that choose it have it.
        Elected = "elected",
    }
}

words! {
    /// When a bet may be made.
    Window {
        /// Before any roll.
        AnyTime = "any_time",
        /// Before a come-out roll.
        BeforeComeOut = "before_come_out",
        /// While a point is on.
        PointOn = "point_on",
        /// Once its flat bet is on a number.
        BehindPoint = "behind_point",
        /// Before a shooter's first come-out roll.
        NewShooter = "new_shooter",
        /// Before a come-out roll that follows a seven.
        AfterSeven = "after_seven",
        /// Before a shooter's first come-out roll, or one that follows a seven.
        NewShooterOrAfterSeven = "new_shooter_or_after_seven",
        /// While its tracker is empty.
        TrackerEmpty = "tracker_empty",
        /// Before a come-out roll while its tracker is empty.
        ComeOutTrackerEmpty = "come_out_tracker_empty",
        /// From a shooter's first come-out roll until a natural or the first point.
        UntilPointEstablished = "until_point_established",
        /// Before a shooter's very first roll.
        BeforeFirstComeOut = "before_first_comeout",
        /// Until the first result that counts.
        UntilFirstCounted = "until_first_counted",
    }
}

words! {
    /// When a bet may be increased.
    Raise {
        /// Whenever it may be made.
        AsMake = "as_make",
        /// At any time while it is up.
        Standing = "standing",
        /// Never.
        Never = "never",
    }
}

words! {
    /// Until when a bet may be reduced or taken down.
    Lower {
        /// Before any roll that could decide it.
        UntilDecided = "until_decided",
        /// Until its point is set.
        UntilPointSet = "until_point_set",
        /// Until the first point after it was made.
        UntilFirstPoint = "until_first_point",
        /// Until the first roll after it was made.
        UntilFirstThrow = "until_first_throw",
        /// Never.
        Never = "never",
    }
}

words! {
    /// Whether a bet is on or off.
    OnOff {
        /// The roll can decide it.
        On = "on",
        /// The roll doesn't affect it.
        Off = "off",
    }
}

words! {
    /// The call by which a player changes whether a bet works on the come-out roll.
    Call {
        /// No call changes it.
        None = "none",
        /// The player can turn it on.
        On = "on",
        /// The player can turn it off.
        Off = "off",
        /// The player can turn it off until a point is set after it was made.
        OffUntilFirstPoint = "off_until_first_point",
        /// The player can turn it on and off, on any roll.
        Both = "both",
    }
}

words! {
    /// Another bet that the player must have to make this one.
    With {
        /// A pass or don't pass bet of the same player.
        LineBet = "line_bet",
    }
}

words! {
    /// Whether the house may pay more than the listed price.
    PriceLatitude {
        /// No: the house pays exactly the listed price.
        Fixed = "fixed",
        /// Yes: the listed price is a minimum.
        AtLeast = "at_least",
        /// No, but it may pay less: the listed price is a maximum.
        AtMost = "at_most",
        /// The house sets the price; the listed one is its default.
        House = "house",
    }
}

words! {
    /// The amount that an odds multiple limits.
    Cap {
        /// The amount of the odds bet.
        Stake = "stake",
        /// The amount the odds bet would win.
        Win = "win",
    }
}

words! {
    /// Whether an odds bet may exceed its limit so that it can be paid exactly.
    Excess {
        /// Yes, as far as needed.
        ToPayExactly = "to_pay_exactly",
        /// No, the limit is strict.
        None = "none",
    }
}

words! {
    /// Whether the table maximum applies to an odds bet.
    TableMax {
        /// No, it is exempt.
        Exempt = "exempt",
        /// Yes, it applies.
        Applies = "applies",
        /// Yes, but the bet may exceed it as far as exact payment needs.
        ExceptExcess = "except_the_excess",
    }
}

words! {
    /// How a composite bet is settled.
    Settled {
        /// As the separate bets it consists of.
        ByParts = "by_parts",
    }
}

words! {
    /// Where a composite bet is placed on the layout.
    Area {
        /// In its own area if the layout has one, or else broken down.
        OwnOrBrokenDown = "own_or_broken_down",
        /// Always broken down.
        BrokenDown = "broken_down",
    }
}

words! {
    /// The amount that a raised price applies to.
    AppliesTo {
        /// The stake of the wager.
        Stake = "stake",
        /// The part of a composite that won.
        Part = "part",
        /// The whole stake of a composite, as its net win.
        Whole = "whole",
    }
}

words! {
    /// Whether a bet may be taken down.
    Removal {
        /// Yes, by the general rule for bets.
        General = "general",
        /// No, it stays up until it is decided.
        Locked = "locked",
    }
}

words! {
    /// The commission on numbers that a house doesn't name.
    Others {
        /// No commission.
        None = "none",
        /// Commission when the bet is made.
        UpFront = "upfront",
    }
}

words! {
    /// What the program does with a fact of a book.
    #[derive(Default)]
    Mark {
        /// The program behaves as it says.
        Acts = "acts",
        /// The check of a house judges by it.
        Judged = "judged",
        /// A generated document states it.
        Paper = "paper",
        /// It is only recorded.
        #[default]
        Recorded = "recorded",
    }
}

words! {
    /// The roles that a book can name for an action at a table.
    Who {
        /// A player, acting for their own seat.
        Player = "player",
        /// The player with the dice.
        Shooter = "shooter",
        /// A dealer.
        Dealer = "dealer",
        /// The stickperson.
        Stick = "stickperson",
        /// The boxperson.
        Box = "boxperson",
        /// The floorperson.
        Floor = "floorperson",
        /// A pit supervisor, who is in charge of several tables.
        PitSupervisor = "pit_supervisor",
        /// Any licensed employee.
        Employee = "any_licensed_employee",
        /// The machine of an automated or electronic game.
        Machine = "machine",
    }
}

impl Who {
    /// Staff roles that a house file can name.
    pub const NAMED: [Who; 5] = [Who::Box, Who::Stick, Who::Dealer, Who::Floor, Who::Employee];

    /// Returns the short name in house files and game files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Who::Stick => "stick",
            Who::Box => "box",
            Who::Floor => "floor",
            Who::Employee => "employee",
            Who::Machine => "rng",
            other => other.word(),
        }
    }
}
