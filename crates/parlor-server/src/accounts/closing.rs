//! Closing accounts, by their owners or by admins.

use parlor_store::{AuditLine, Closing, User};

use crate::AppState;
use crate::auth::{Member, Password, Revocation};
use crate::edge::Client;
use crate::error::Error;

impl AppState {
    /// Closes an account for good: its name goes, its games stay, and its connections are closed. Admins keep
    /// theirs, so that the house does not lose its last one.
    pub(crate) async fn close_account(&self, user: &User, audit: AuditLine) -> Result<(), Error> {
        if user.admin {
            let detail = "an admin's account can't be closed; the rights must be taken back first";
            return Err(Error::unprocessable(detail));
        }
        let bots = self.bots_of(user.id).await?;
        let now = self.now().millis();
        match self.store().close_account(user.id, now, audit).await? {
            Closing::Closed => {}
            Closing::Playing => {
                let detail =
                    "there are games that are not over; finish, resign or leave them first";
                return Err(Error::unprocessable(detail));
            }
            Closing::NoPerson => return Err(Error::not_found("there is no such person")),
        }
        self.revoke(Revocation::User(user.id));
        self.live().read_names(user.id);
        for bot in bots {
            self.revoke(Revocation::User(bot.id));
        }
        Ok(())
    }

    /// Closes a member's own account, if the password is right.
    pub(crate) async fn close_own_account(
        &self,
        member: &Member,
        password: Password,
        client: Client,
    ) -> Result<(), Error> {
        let wrong = || {
            let detail = "the password is wrong";
            Error::forbidden("wrong-password", detail).with("field", "password")
        };
        let user = self
            .account_with_password(member, password, client, wrong)
            .await?;
        // The log is not to keep the name that goes.
        let (id, name) = (user.id, User::closed_name(user.id));
        let audit = AuditLine {
            at: self.now().millis(),
            admin_id: Some(id),
            admin_name: name.clone(),
            action: "close account".to_owned(),
            target: format!("player {name} ({id})"),
            detail: "by its owner".to_owned(),
        };
        self.close_account(&user, audit).await
    }
}
