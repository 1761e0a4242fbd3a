//! Access to private tables: for their players, and for those who have a link from them.

use axum::extract::Query;
use axum::http::StatusCode;
use axum::http::header::COOKIE;
use axum::http::request::Parts;
use parlor_table::{SeatKey, TableId};
use serde::Deserialize;

use crate::AppState;
use crate::auth::{Caller, OpaqueToken};
use crate::error::Error;
use crate::web::{cookies, wants_html};

impl AppState {
    /// Checks that the sender of a request may see a table: every route of a table goes through
    /// here. The token of an invite or of a watchers' link is taken from the query of a page, from a
    /// cookie, or from where a guest's token is.
    ///
    /// # Errors
    /// If there is no such table, or it is private and the sender has no such token and no seat, or it
    /// cannot be found out whose the sender's token is.
    pub(crate) async fn ensure_visible(&self, id: TableId, parts: &Parts) -> Result<(), Error> {
        let mut unknown = None;
        let keys = async || match keys(parts, self).await {
            Ok(keys) => keys,
            Err(error) => {
                unknown = Some(error);
                Vec::new()
            }
        };
        if self.live().is_visible_to(id, keys).await? {
            return Ok(());
        }
        if let Some(error) = unknown {
            return Err(error);
        }
        let mut detail =
            "this table is private: ask one of its players for a link to join or to watch"
                .to_owned();
        if wants_html(&parts.headers) && !parts.headers.contains_key(COOKIE) {
            detail += "; if you play at it, let your browser keep the cookies of this site";
        }
        Err(Error::new(
            StatusCode::FORBIDDEN,
            "private-table",
            "Not allowed",
            detail,
        ))
    }
}

/// Query of a link to a private table.
#[derive(Debug, Deserialize)]
struct LinkQuery {
    invite: Option<String>,
    watch: Option<String>,
}

/// Returns the keys of a request that could open a table.
///
/// # Errors
/// If the database cannot tell whose the credentials are. Whatever is wrong with them is reported by
/// the handler that needs them.
async fn keys(parts: &Parts, state: &AppState) -> Result<Vec<SeatKey>, Error> {
    let caller = match Caller::from_parts(parts, state).await {
        Err(error) if error.status.is_server_error() => return Err(error),
        caller => caller.ok().flatten(),
    };
    let links = Query::<LinkQuery>::try_from_uri(&parts.uri).ok();
    let links = links.and_then(|Query(links)| links.invite.or(links.watch));
    let link = links.as_deref().and_then(OpaqueToken::parse);
    let remembered = cookies::link_tokens(&parts.headers);
    let tokens = link.into_iter().chain(remembered).map(|token| token.key());
    let own = caller.iter().flat_map(|caller| caller.who().keys());
    Ok(own.chain(tokens).collect())
}
