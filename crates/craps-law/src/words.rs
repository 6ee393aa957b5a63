//! The words that books may use, each a closed list.

/// Makes an enum of words that reads from a book with an error naming the words that would do.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $(#[doc = $doc:literal] $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
        pub enum $name {
            $(#[doc = $doc] #[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// Every word.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// As the books write it.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// What it means, as a phrase.
            #[must_use]
            pub fn meaning(self) -> String {
                let text = match self { $($name::$variant => $doc),+ };
                let text = text.trim().trim_end_matches('.');
                text.chars().take(1).flat_map(char::to_lowercase).chain(text.chars().skip(1)).collect()
            }

            /// The value of that word.
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
        /// Dice thrown by players at a full table.
        Craps = "craps",
        /// The small table with seats.
        MiniCraps = "mini-craps",
        /// Dice sealed in a shaker that a button starts.
        Automated = "automated",
        /// No dealer and no felt: everything on screens.
        Electronic = "electronic",
        /// A dealer with real dice, bets on screens.
        Hybrid = "hybrid",
    }
}

words! {
    /// Is a wager part of the game, or only where the house takes it up?
    Standing {
        /// Part of the game.
        Listed = "listed",
        /// Only where the house elects it.
        Elected = "elected",
    }
}

words! {
    /// When a bet may be made.
    Window {
        /// Before any throw.
        AnyTime = "any_time",
        /// Before a come-out throw.
        BeforeComeOut = "before_come_out",
        /// While a point is on.
        PointOn = "point_on",
        /// Once the bet in front of it stands on a number.
        BehindPoint = "behind_point",
        /// Before a shooter's first come-out throw.
        NewShooter = "new_shooter",
        /// Before a come-out throw that follows a seven.
        AfterSeven = "after_seven",
        /// Before a shooter's first come-out throw, or one that follows a seven.
        NewShooterOrAfterSeven = "new_shooter_or_after_seven",
        /// While the product has recorded nothing.
        TrackerEmpty = "tracker_empty",
        /// Before a come-out throw while the product has recorded nothing.
        ComeOutTrackerEmpty = "come_out_tracker_empty",
        /// From a shooter's first come-out until a natural or the first point.
        UntilPointEstablished = "until_point_established",
        /// Before a shooter's very first throw.
        BeforeFirstComeOut = "before_first_comeout",
        /// Until the first thing that counts.
        UntilFirstCounted = "until_first_counted",
    }
}

words! {
    /// When a bet may be added to.
    Raise {
        /// Whenever it could be made.
        AsMake = "as_make",
        /// At any time while it stands.
        Standing = "standing",
        /// Never.
        Never = "never",
    }
}

words! {
    /// Until when a bet may be reduced or taken down.
    Lower {
        /// Before any throw that could decide it.
        UntilDecided = "until_decided",
        /// Until its point is set, not after.
        UntilPointSet = "until_point_set",
        /// Until a point has been set since it was made.
        UntilFirstPoint = "until_first_point",
        /// Until the first throw after it was made.
        UntilFirstThrow = "until_first_throw",
        /// Never.
        Never = "never",
    }
}

words! {
    /// On or off.
    OnOff {
        /// A throw can decide it.
        On = "on",
        /// A throw does not touch it.
        Off = "off",
    }
}

words! {
    /// Which call of the player changes whether a bet works on a come-out.
    Call {
        /// None.
        None = "none",
        /// Calling it on.
        On = "on",
        /// Calling it off.
        Off = "off",
    }
}

words! {
    /// What else must stand for a bet to be made.
    With {
        /// A pass or don't pass bet of the same player.
        LineBet = "line_bet",
    }
}

words! {
    /// May the house pay more than the listed price?
    PriceLatitude {
        /// No: the listed price, no more and no less.
        Fixed = "fixed",
        /// Yes: the listed price is a floor.
        AtLeast = "at_least",
    }
}

words! {
    /// What the multiple of an odds bet limits.
    Cap {
        /// What is staked.
        Stake = "stake",
        /// What would be won.
        Win = "win",
    }
}

words! {
    /// May an odds bet pass its limit so that it pays exactly?
    Excess {
        /// As far as that takes.
        ToPayExactly = "to_pay_exactly",
        /// No.
        None = "none",
    }
}

words! {
    /// Does the posted maximum of the table hold for an odds bet?
    TableMax {
        /// No.
        Exempt = "exempt",
        /// Yes.
        Applies = "applies",
    }
}

words! {
    /// How a composite is settled.
    Settled {
        /// As the bets it is made of.
        ByParts = "by_parts",
    }
}

words! {
    /// Where a composite lies.
    Area {
        /// In its own area if the layout has one, else broken down.
        OwnOrBrokenDown = "own_or_broken_down",
        /// Always broken down.
        BrokenDown = "broken_down",
    }
}

words! {
    /// What a modified price is applied to.
    AppliesTo {
        /// The stake of the wager.
        Stake = "stake",
        /// The part of a composite that won.
        Part = "part",
        /// The whole stake of a composite, as its net.
        Whole = "whole",
    }
}

words! {
    /// May a bet come down by the rule for all bets, or not at all?
    Removal {
        /// As other bets may.
        General = "general",
        /// Not before it is decided.
        Locked = "locked",
    }
}

words! {
    /// What is charged on numbers that a house does not name.
    Others {
        /// Nothing.
        None = "none",
        /// The commission, when the bet is made.
        UpFront = "upfront",
    }
}

words! {
    /// Those whom a book can name for something that is done at a table.
    Who {
        /// A player, for their own seat.
        Player = "player",
        /// The player who has the dice.
        Shooter = "shooter",
        /// A dealer.
        Dealer = "dealer",
        /// The stickperson.
        Stick = "stickperson",
        /// The boxperson.
        Box = "boxperson",
        /// The floorperson.
        Floor = "floorperson",
        /// A pit supervisor, who watches over several tables.
        PitSupervisor = "pit_supervisor",
        /// Anybody of the staff.
        Employee = "any_licensed_employee",
        /// The machine.
        Machine = "machine",
    }
}

impl Who {
    /// Those of the staff whom a house can name.
    pub const NAMED: [Who; 5] = [Who::Box, Who::Stick, Who::Dealer, Who::Floor, Who::Employee];

    /// The short name that house rules and games have for them.
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
