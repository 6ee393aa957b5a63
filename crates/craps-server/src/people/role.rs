//! Roles of people at a table, and scopes of programs that act for them.

use craps_law::Who;
use serde::{Deserialize, Serialize};

/// A role of a person, at one table or at all tables, with or without a shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Bets and shoots.
    Player,
    /// Takes losing bets and pays winners.
    Dealer,
    /// Handles the dice and calls the rolls.
    Stickperson,
    /// Supervises the table and confirms the dice.
    Boxperson,
    /// Supervises several tables.
    Floorperson,
    /// Watches all play without taking part.
    Surveillance,
    /// Runs tournaments.
    Director,
    /// Reads all logs and records.
    Auditor,
    /// Sells chips to accounts and buys them back, and hands out coupons.
    Cashier,
    /// Manages accounts and roles, and opens tables.
    Admin,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 10] = [
        Role::Player,
        Role::Dealer,
        Role::Stickperson,
        Role::Boxperson,
        Role::Floorperson,
        Role::Surveillance,
        Role::Director,
        Role::Auditor,
        Role::Cashier,
        Role::Admin,
    ];

    /// The roles that work at a table. A person can't play at a table where they work.
    pub const CREW: [Role; 4] = [Role::Dealer, Role::Stickperson, Role::Boxperson, Role::Floorperson];

    /// Returns the name used in JSON, such as `stickperson`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::Player => Who::Player.word(),
            Role::Dealer => Who::Dealer.word(),
            Role::Stickperson => Who::Stick.word(),
            Role::Boxperson => Who::Box.word(),
            Role::Floorperson => Who::Floor.word(),
            Role::Surveillance => craps_table::Role::Surveillance.name(),
            Role::Director => craps_table::Role::Director.name(),
            Role::Auditor => craps_table::Role::Auditor.name(),
            Role::Cashier => "cashier",
            Role::Admin => "admin",
        }
    }

    /// Returns the role with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Returns the matching role of the table engine. None for cashiers and admins, who take no part in a game.
    #[must_use]
    pub const fn at_table(self) -> Option<craps_table::Role> {
        Some(match self {
            Role::Player => craps_table::Role::Player,
            Role::Dealer => craps_table::Role::Dealer,
            Role::Stickperson => craps_table::Role::Stick,
            Role::Boxperson => craps_table::Role::Box,
            Role::Floorperson => craps_table::Role::Floor,
            Role::Surveillance => craps_table::Role::Surveillance,
            Role::Director => craps_table::Role::Director,
            Role::Auditor => craps_table::Role::Auditor,
            Role::Cashier | Role::Admin => return None,
        })
    }

    /// Returns true for the roles of people who work here.
    #[must_use]
    pub const fn is_staff(self) -> bool {
        !matches!(self, Role::Player)
    }

    /// Returns the scope that a token needs to act in this role.
    #[must_use]
    pub const fn scope(self) -> Scope {
        match self {
            Role::Player => Scope::Play,
            Role::Dealer | Role::Stickperson | Role::Boxperson | Role::Floorperson => Scope::Deal,
            Role::Surveillance | Role::Auditor => Scope::Audit,
            Role::Director => Scope::Direct,
            Role::Cashier => Scope::Cash,
            Role::Admin => Scope::Admin,
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a program may do with a token of an account. A program can never do more than the account can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// See what the account sees.
    Watch,
    /// Play at tables.
    Play,
    /// Act as the crew of a table.
    Deal,
    /// Read what surveillance and auditors can read.
    Audit,
    /// Run tournaments.
    Direct,
    /// Move chips and coupons of accounts.
    Cash,
    /// Manage accounts and roles.
    Admin,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 7] =
        [Scope::Watch, Scope::Play, Scope::Deal, Scope::Audit, Scope::Direct, Scope::Cash, Scope::Admin];

    /// Returns the name used in JSON, such as `watch`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Watch => "watch",
            Scope::Play => "play",
            Scope::Deal => "deal",
            Scope::Audit => "audit",
            Scope::Direct => "direct",
            Scope::Cash => "cash",
            Scope::Admin => "admin",
        }
    }

    /// Returns the scope with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Joins the names of scopes with spaces, as the store keeps them.
    #[must_use]
    pub fn joined(scopes: &[Scope]) -> String {
        scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" ")
    }

    /// Parses scopes as the store keeps them. Unknown words are skipped.
    #[must_use]
    pub fn listed(text: &str) -> Vec<Scope> {
        text.split_whitespace().filter_map(Scope::find).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_and_are_those_of_json() {
        for role in Role::ALL {
            assert_eq!(Role::find(role.name()), Some(role));
            assert_eq!(serde_json::to_string(&role).unwrap(), format!("\"{role}\""));
        }
        for scope in Scope::ALL {
            assert_eq!(Scope::find(scope.name()), Some(scope));
            assert_eq!(serde_json::to_string(&scope).unwrap(), format!("\"{}\"", scope.name()));
        }
        assert_eq!(Scope::listed(&Scope::joined(&Scope::ALL)), Scope::ALL);
    }
}
