//! What people may be at a table, and what a program may do for them.

use serde::{Deserialize, Serialize};

/// What somebody is: at one table or at all of them, always or for a shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Plays.
    Player,
    /// Takes and pays.
    Dealer,
    /// Has the dice and says what they show.
    Stickperson,
    /// Watches over the table and confirms the dice.
    Boxperson,
    /// Watches over several tables.
    Floorperson,
    /// Watches everything and touches nothing.
    Surveillance,
    /// Runs tournaments.
    Director,
    /// Reads everything.
    Auditor,
    /// Keeps the records of people, and opens tables.
    Admin,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 9] = [
        Role::Player,
        Role::Dealer,
        Role::Stickperson,
        Role::Boxperson,
        Role::Floorperson,
        Role::Surveillance,
        Role::Director,
        Role::Auditor,
        Role::Admin,
    ];

    /// Those who work at a table, and so do not play at it.
    pub const CREW: [Role; 4] = [Role::Dealer, Role::Stickperson, Role::Boxperson, Role::Floorperson];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Dealer => "dealer",
            Role::Stickperson => "stickperson",
            Role::Boxperson => "boxperson",
            Role::Floorperson => "floorperson",
            Role::Surveillance => "surveillance",
            Role::Director => "director",
            Role::Auditor => "auditor",
            Role::Admin => "admin",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// As whom the table knows them; none for those who have no part in a game.
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
            Role::Admin => return None,
        })
    }

    /// What a program needs to act in it.
    #[must_use]
    pub const fn scope(self) -> Scope {
        match self {
            Role::Player => Scope::Play,
            Role::Dealer | Role::Stickperson | Role::Boxperson | Role::Floorperson => Scope::Deal,
            Role::Surveillance | Role::Auditor => Scope::Audit,
            Role::Director => Scope::Direct,
            Role::Admin => Scope::Admin,
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a program may do for the account whose token it has. It never may more than the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// See what its account sees.
    Watch,
    /// Play.
    Play,
    /// Work at a table.
    Deal,
    /// Read as surveillance and auditors do.
    Audit,
    /// Run tournaments.
    Direct,
    /// Keep the records of people.
    Admin,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Scope; 6] = [Scope::Watch, Scope::Play, Scope::Deal, Scope::Audit, Scope::Direct, Scope::Admin];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Watch => "watch",
            Scope::Play => "play",
            Scope::Deal => "deal",
            Scope::Audit => "audit",
            Scope::Direct => "direct",
            Scope::Admin => "admin",
        }
    }

    /// The scope of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Scopes as a token keeps them.
    #[must_use]
    pub fn joined(scopes: &[Scope]) -> String {
        scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" ")
    }

    /// Scopes as a token keeps them; a word that is none gives none.
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
