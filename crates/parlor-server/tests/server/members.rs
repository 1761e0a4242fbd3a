//! Members for tests: accounts with a session and a token.

use reqwest::header::{CONTENT_TYPE, COOKIE};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::house::{Answer, House};

/// Password of all members.
pub const PASSWORD: &str = "a good password";

/// A signed-in member, with a token that has all scopes.
pub struct Member {
    /// Session, as a `Cookie` header.
    pub cookie: String,
    pub token: String,
}

/// Creates a request with form fields.
pub fn form(request: RequestBuilder, fields: &[(&str, &str)]) -> RequestBuilder {
    let pairs: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", value.replace(' ', "+")))
        .collect();
    request
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(pairs.join("&"))
}

/// A newly created token.
pub struct Made {
    pub id: i64,
    pub text: String,
}

impl Member {
    pub async fn sign_up(house: &House, name: &str) -> Member {
        let answer = house
            .post(
                "/api/v1/accounts",
                json!({ "name": name, "password": PASSWORD }),
            )
            .await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let cookies = answer
            .headers
            .get_all("set-cookie")
            .iter()
            .map(|value| value.to_str().unwrap());
        let session = cookies
            .filter_map(|cookie| cookie.split(';').next())
            .find(|pair| pair.starts_with("parlor_session="));
        let mut member = Member {
            cookie: session.expect("a session").to_owned(),
            token: String::new(),
        };
        member.token = member.token(house, "everything").await.text;
        member
    }

    /// Creates a token with all scopes.
    pub async fn token(&self, house: &House, name: &str) -> Made {
        let new = json!({ "name": name, "scopes": ["play", "read", "account"] });
        let request = house
            .request(Method::POST, "/api/v1/tokens")
            .header(COOKIE, &self.cookie)
            .json(&new);
        let made = Answer::of(request).await.expect(201);
        Made {
            id: made["id"].as_i64().unwrap(),
            text: made["token"].as_str().unwrap().to_owned(),
        }
    }

    /// Returns the valid tokens, as the API shows them, without the times of their last use.
    pub async fn tokens(&self, house: &House) -> Vec<Value> {
        let request = house
            .request(Method::GET, "/api/v1/tokens")
            .header(COOKIE, &self.cookie);
        let mut tokens = Answer::of(request).await.expect(200)["tokens"]
            .as_array()
            .unwrap()
            .clone();
        tokens
            .iter_mut()
            .for_each(|token| drop(token.as_object_mut().unwrap().remove("last_used_at")));
        tokens
    }
}
