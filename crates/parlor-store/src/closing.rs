//! Closing of accounts: their games stay, their names go.

/// Beginning of the names of closed accounts.
const CLOSED: &str = "gone-";

impl User {
    /// Returns the name that an account has once it is closed.
    #[must_use]
    pub fn closed_name(id: i64) -> String {
        format!("{CLOSED}{id:x}")
    }

    /// Returns `true` for a name that only closed accounts have. Callers refuse it to new ones.
    #[must_use]
    pub fn is_closed_name(name: &str) -> bool {
        let beginning = name.get(..CLOSED.len());
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(CLOSED))
    }

    /// Returns `true` if the account is closed, for good.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.ban.is_some() && self.name == User::closed_name(self.id)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_longest_name_of_a_closed_account_is_valid() {
        let name = User::closed_name((1 << 53) - 1);
        assert!(User::is_valid_name(&name) && User::is_closed_name(&name));
        assert!(User::is_closed_name("GONE-7") && !User::is_closed_name("gone"));
        assert!(!User::is_closed_name("gon\u{e9}-7"));
    }
}
