//! Tests of settings.

use figment::Jail;
use serde_json::json;

use super::*;

fn loaded(config: Option<&str>, overrides: serde_json::Value) -> ServerSettings {
    let args = SettingsArgs {
        config: config.map(PathBuf::from),
        database: None,
    };
    ServerSettings::load(&args, overrides).expect("valid settings")
}

#[test]
fn a_limit_for_one_above_the_limit_for_all_is_refused() {
    Jail::expect_with(|_| {
        let args = SettingsArgs {
            config: None,
            database: None,
        };
        for (one, all) in [
            ("streams_per_address", "streams"),
            ("answers_per_address", "answers"),
            ("connections_per_address", "connections"),
            ("bot_tables_per_client", "bot_tables"),
        ] {
            let refused = ServerSettings::load(&args, json!({ one: 9, all: 8 }));
            let flag = |key: &str| format!("--{}", key.replace('_', "-"));
            let said = format!("{} is 9, but {} allows only 8", flag(one), flag(all));
            assert!(
                matches!(&refused, Err(CommandError::Other(text)) if text.contains(&said)),
                "{one} and {all}"
            );
            loaded(None, json!({ one: 8, all: 8 }));
            loaded(None, json!({ all: 1 }));
        }
        for one in [
            "streams_per_address",
            "answers_per_address",
            "bot_tables_per_client",
        ] {
            let refused = ServerSettings::load(&args, json!({ one: 1_000_000 }));
            assert!(refused.is_err(), "{one} is above the default for all");
        }
        // Without a limit there is nothing to contradict.
        loaded(
            None,
            json!({ "connections_per_address": 9, "connections": 0 }),
        );
        Ok(())
    });
}

#[test]
fn the_command_line_overrides_the_environment_the_file_and_the_defaults() {
    Jail::expect_with(|jail| {
        assert_eq!(loaded(None, json!({})), ServerSettings::default());
        jail.create_file(
            "p.toml",
            "bind = '1.1.1.1:1'\ndatabase = 'sqlite:file'\ntrust_proxy = true",
        )?;
        jail.set_env("PARLOR_BIND", "2.2.2.2:2");
        jail.set_env("PARLOR_BOT_TIME_MS", "7");
        jail.set_env("PARLOR_SOMETHING_ELSE", "ignored");
        let unknown = ServerSettings::unknown_variables();
        assert!(unknown.contains(&"PARLOR_SOMETHING_ELSE".to_owned()));
        assert!(!unknown.contains(&"PARLOR_BIND".to_owned()));
        let settings = loaded(Some("p.toml"), json!({ "bot_time_ms": 9 }));
        assert_eq!(settings.database, "sqlite:file", "set in the file only");
        assert!(settings.trust_proxy);
        assert_eq!(
            settings.bind, "2.2.2.2:2",
            "the environment overrides the file"
        );
        assert_eq!(
            settings.bot_time_ms,
            Some(9),
            "the command line overrides the environment"
        );
        Ok(())
    });
}

#[test]
fn an_invalid_value_is_reported_with_its_key_and_source() {
    Jail::expect_with(|jail| {
        let refusal = |jail: &mut Jail, text: &str| {
            jail.create_file("p.toml", text)
                .expect("a temporary folder");
            let args = SettingsArgs {
                config: Some("p.toml".into()),
                database: None,
            };
            match ServerSettings::load(&args, json!({})) {
                Err(CommandError::Other(reason)) => reason,
                other => panic!("{other:?}"),
            }
        };
        let reason = refusal(jail, "trust_proxy = 'perhaps'");
        assert!(
            reason.contains("trust_proxy") && reason.contains("p.toml"),
            "{reason}"
        );
        for (text, said) in [
            (
                "trust_proxy = 'perhaps'",
                "trust_proxy: 'perhaps' is not true or false",
            ),
            (
                "trust_proxy = \"true\"",
                "trust_proxy: 'true' in quotes is a text: write true without them",
            ),
            (
                "bot_time_ms = \"300\"",
                "bot_time_ms: '300' in quotes is a text: write 300 without them",
            ),
            (
                "bot_time_ms = \"-3\"",
                "bot_time_ms: '-3' is not a whole number from 0",
            ),
            ("bnid = '1.1.1.1:1'", "there is no setting 'bnid'"),
            ("bind = ", "p.toml, line 1, column 8: there is no value"),
            (
                "bind = 8080",
                "bind: 8080 is a port without a host: write \"127.0.0.1:8080\"",
            ),
            (
                "public_url = 8080",
                "public_url: 8080 is not a text: write it in quotes",
            ),
            (
                "talk = false",
                "talk: false is none of off, phrases, on: write one in quotes",
            ),
            (
                "database_timeout_ms = 4.0",
                "database_timeout_ms: 4.0 is not a whole number from 1 to 4294967295: write 4",
            ),
            ("talk = off", "p.toml, line 1, column 8: invalid string"),
            (
                "streams = 3\n\n[limits]\n",
                "p.toml, line 3: there is no setting 'limits'",
            ),
            (
                "# streams = 1\nbind = '[::1]:1'\n streams = 'many'",
                "p.toml, line 3: streams: 'many' is not a whole number",
            ),
            (
                "trusted_proxies = [\"127.0.0.1\", \"10.0.0.0/8\"]",
                "trusted_proxies: a list is not a text: write one, with commas between its parts",
            ),
            ("log_format = 'xml'", "'xml' is none of text, json"),
            (
                "requests_per_second = -1",
                "-1 is not a whole number from 0 to 4294967295",
            ),
            (
                "request_burst = 0",
                "0 is not a whole number from 1 to 4294967295",
            ),
        ] {
            let reason = refusal(jail, text);
            assert!(reason.contains(said), "{text}: {reason}");
        }
        jail.set_env("PARLOR_BOT_TIME_MS", "soon");
        let reason = refusal(jail, "");
        assert_eq!(
            reason,
            "PARLOR_BOT_TIME_MS: 'soon' is not a whole number from 0 to 18446744073709551615"
        );
        jail.set_env("PARLOR_BOT_TIME_MS", "4.0");
        let reason = refusal(jail, "");
        assert!(
            reason.ends_with("18446744073709551615: write 4"),
            "{reason}"
        );
        jail.set_env("PARLOR_BOT_TIME_MS", "4");
        jail.set_env("PARLOR_TALK", "false");
        let reason = refusal(jail, "");
        assert_eq!(reason, "PARLOR_TALK: false is none of off, phrases, on");
        Ok(())
    });
}

#[test]
fn proxies_are_named_or_everybody_is_trusted() {
    let settings = |trusted_proxies: Option<&str>, trust_proxy| ServerSettings {
        trusted_proxies: trusted_proxies.map(str::to_owned),
        trust_proxy,
        ..ServerSettings::default()
    };
    let one = [127, 0, 0, 1].into();
    let trusts = |settings: ServerSettings| settings.trusted_proxies().map(|all| all.trusts(one));
    assert!(!trusts(settings(None, false)).unwrap());
    assert!(trusts(settings(Some("127.0.0.1"), false)).unwrap());
    assert!(trusts(settings(None, true)).unwrap());
    for wrong in [
        settings(Some("127.0.0.1"), true),
        settings(Some("a"), false),
    ] {
        assert!(wrong.trusted_proxies().is_err());
    }
    for empty in ["", " ", ","] {
        let refused = settings(Some(empty), false).trusted_proxies();
        let said = "trusted_proxies: it is empty";
        assert!(
            matches!(&refused, Err(CommandError::Other(text)) if text.contains(said)),
            "{empty:?}: {refused:?}"
        );
    }
}

#[test]
fn a_public_url_without_encryption_does_not_fit_a_certificate() {
    for (url, certificate, is_plain) in [
        (Some("http://games.example"), Some("certificate.pem"), true),
        (
            Some("https://games.example"),
            Some("certificate.pem"),
            false,
        ),
        (None, Some("certificate.pem"), false),
        (Some("http://games.example"), None, false),
    ] {
        let settings = ServerSettings {
            public_url: url.map(str::to_owned),
            tls_certificate: certificate.map(Into::into),
            ..ServerSettings::default()
        };
        assert_eq!(
            settings.is_public_url_plain(),
            is_plain,
            "{url:?} {certificate:?}"
        );
    }
}

fn reason<T: fmt::Debug>(refused: Result<T, CommandError>) -> String {
    match refused {
        Err(CommandError::Other(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_setting_is_named_as_it_is_where_it_comes_from() {
    Jail::expect_with(|jail| {
        jail.create_file("p.toml", "# of the house\nbind = 'x'\ntls_key = ''\n")?;
        let settings = loaded(Some("p.toml"), json!({}));
        let refused = reason(settings.address());
        assert!(refused.starts_with("p.toml, line 2: bind: \"x\" has no port"));
        assert!(reason(settings.tls()).starts_with("p.toml, line 3: tls_key: it is empty"));
        jail.set_env("PARLOR_BIND", "x");
        let settings = loaded(Some("p.toml"), json!({ "tls_certificate": "" }));
        assert!(reason(settings.address()).starts_with("PARLOR_BIND: \"x\" has no port"));
        assert!(reason(settings.tls()).starts_with("--tls-certificate: it is empty"));
        let settings = loaded(Some("p.toml"), json!({ "bind": "y" }));
        assert!(reason(settings.address()).starts_with("--bind: \"y\" has no port"));
        assert_eq!(settings.name_in_source("streams"), "streams");
        Ok(())
    });
}

#[test]
fn an_address_without_a_host_or_a_port_is_told_what_it_lacks() {
    for (text, said) in [
        ("8080", "write 127.0.0.1:8080, or 0.0.0.0:8080 for all"),
        (":81", "names no host: write 127.0.0.1:81, or 0.0.0.0:81"),
        (
            "",
            "it is empty: write a host and port, such as 127.0.0.1:8080",
        ),
        ("[::1]", "has no port: write [::1]:8080"),
        ("::1", "has no port: write [::1]:8080"),
        ("0.0.0.0", "has no port: write 0.0.0.0:8080"),
        ("localhost", "has no port: write localhost:8080"),
        ("127.0.0.1:", "needs a port from 0 to 65535"),
        ("127.0.0.1:99999", "needs a port from 0 to 65535"),
        ("http://127.0.0.1:8080", "is a URL: write a host and port"),
        ("a b", "is not a host and port, such as 127.0.0.1:8080"),
        ("a..b:80", "the host \"a..b\" cannot be found"),
    ] {
        let bind = text.to_owned();
        let settings = ServerSettings {
            bind,
            metrics_bind: Some(text.to_owned()),
            ..ServerSettings::default()
        };
        let refused = reason(settings.address());
        assert!(refused.contains(said), "{text}: {refused}");
        let refused = reason(settings.metrics_bind());
        assert!(refused.ends_with("; or off"), "{text}: {refused}");
    }
    for good in ["127.0.0.1:0", "[::1]:8080", "localhost:80"] {
        assert!(resolve(good, USUAL_BIND).is_ok(), "{good}");
    }
}

#[test]
fn a_certificate_and_its_key_are_named_together() {
    let settings = |certificate: Option<&str>, key: Option<&str>| ServerSettings {
        tls_certificate: certificate.map(Into::into),
        tls_key: key.map(Into::into),
        ..ServerSettings::default()
    };
    assert!(
        settings(None, None)
            .tls()
            .is_ok_and(|files| files.is_none())
    );
    assert!(settings(Some("c"), Some("k")).tls().is_ok());
    for (certificate, key, said) in [
        (
            Some("c"),
            None,
            "tls_certificate: a certificate needs its key",
        ),
        (None, Some("k"), "tls_key: a key needs its certificate"),
        (Some(""), Some("k"), "tls_certificate: it is empty"),
        (Some("c"), Some(""), "tls_key: it is empty"),
    ] {
        let refused = reason(settings(certificate, key).tls());
        assert!(refused.starts_with(said), "{refused}");
    }
}

#[test]
fn limits_of_answers_are_settings() {
    let settings = ServerSettings {
        answers_per_address: NonZeroUsize::new(5),
        unread_seconds: NonZeroU32::new(7),
        ..ServerSettings::default()
    };
    let limits = settings.limits();
    assert_eq!((limits.answers_per_address, limits.answers), (5, 4096));
    let unread = settings.connection_limits().unread_time;
    assert_eq!(unread, Duration::from_secs(7));
}

fn public_url(url: &str) -> Result<Option<String>, CommandError> {
    let public_url = Some(url.to_owned());
    let settings = ServerSettings {
        public_url,
        ..ServerSettings::default()
    };
    settings.public_url()
}

#[test]
fn a_public_url_has_no_path() {
    let read = |url: &str| public_url(url).is_ok();
    assert!(
        ["http://127.0.0.1:8080", "https://games.example.org/"]
            .into_iter()
            .all(read)
    );
    let bad = [
        "games.example.org",
        "https://example.org/sub",
        "https://",
        "ftp://example.org",
        "https://a b",
    ];
    assert!(!bad.into_iter().any(read));
}

#[test]
fn a_public_url_that_is_none_is_told_what_is_wrong() {
    for (url, said) in [
        ("", "it is empty"),
        (
            "games.example.org",
            "does not begin with http:// or https://: write a site such as https://games.example.org",
        ),
        ("x.org:81", "write a site such as https://x.org:81"),
        ("ftp://x.org", "does not begin with http:// or https://"),
        ("mailto:a", "does not begin with http:// or https://"),
        (
            "https://x.org/sub/",
            "has a path, but the house is at the root",
        ),
        ("https://x.org/sub", "write https://x.org"),
        ("https://x.org/?a=b", "has a query or a fragment"),
        ("https://x.org#a", "has a query or a fragment"),
        ("https://a b", "has a space"),
    ] {
        let refused = reason(public_url(url));
        assert!(refused.contains(said), "{url}: {refused}");
    }
}

#[test]
fn the_scheme_of_a_public_url_may_be_in_capitals() {
    for (written, read) in [
        ("HTTPS://Games.example", "https://Games.example"),
        ("Http://127.0.0.1:80/", "http://127.0.0.1:80/"),
        ("https://xn--mnchen-3ya.de.", "https://xn--mnchen-3ya.de."),
        ("http://my_house-2:8080", "http://my_house-2:8080"),
    ] {
        let found = public_url(written).unwrap();
        assert_eq!(found.as_deref(), Some(read));
    }
}

#[test]
fn an_address_has_half_of_all_connections_at_most_unless_it_is_set() {
    let limits = |connections, connections_per_address| {
        let settings = ServerSettings {
            connections: Some(connections),
            connections_per_address,
            ..ServerSettings::default()
        };
        settings.connection_limits().per_address
    };
    assert_eq!(limits(1, None), Some(1));
    assert_eq!(limits(100, None), Some(50));
    assert_eq!(limits(100, Some(80)), Some(80));
}

#[test]
fn a_public_url_has_a_port_that_exists_and_no_password() {
    for url in [
        "https://x.org:8443",
        "https://x.org:65535/",
        "http://[::1]",
        "http://[::1]:8080",
    ] {
        assert!(public_url(url).is_ok(), "{url}");
    }
    for (url, said) in [
        ("https://x.org:99999", "from 1 to 65535"),
        ("https://x.org:0", "from 1 to 65535"),
        ("https://x.org:", "from 1 to 65535"),
        ("https://x.org:+80", "from 1 to 65535"),
        ("http://[::1]:65536", "from 1 to 65535"),
        ("https://:443", "names no host"),
        ("https://..", "a host that cannot exist"),
        ("https://-", "a host that cannot exist"),
        ("https://x..org", "a host that cannot exist"),
        ("https://[::1", "a host that cannot exist"),
        ("https://x%20y.org", "a host that cannot exist"),
        ("https://münchen.de", "in punycode"),
        ("https://user:pw@x.org", "a user name or a password"),
        ("https://user@x.org/", "a user name or a password"),
    ] {
        let Err(CommandError::Other(reason)) = public_url(url) else {
            panic!("{url} is accepted");
        };
        assert!(reason.contains(said), "{url}: {reason}");
        assert!(!reason.contains("pw@"), "{reason}");
    }
}

#[test]
fn zero_means_no_limit() {
    let settings = ServerSettings {
        requests_per_second: Some(0),
        tables_per_hour: Some(0),
        connections_per_address: Some(0),
        connections: Some(0),
        ..ServerSettings::default()
    };
    let limits = settings.limits();
    assert!(limits.requests_per_second.is_none() && limits.tables_per_hour.is_none());
    let limits = settings.connection_limits();
    assert!(limits.per_address.is_none() && limits.total.is_none());
}
