//! Planted violations, each of which must be refused, on a small made workspace and on this one.

use serde_json::json;

use crate::exceptions::{EXCEPTIONS, Exception};
use crate::floors;
use crate::footprint::Footprint;
use crate::games::game_names;
use crate::workspace::{GameList, Member, Workspace, read_metadata};

fn member(name: &str, floor: u8, direct: &[&str]) -> (String, Member) {
    let member = Member {
        folder: format!("crates/{name}"),
        floor: Some(floor),
        direct: direct.iter().map(|name| (*name).to_owned()).collect(),
        transitive: direct.iter().map(|name| (*name).to_owned()).collect(),
        ..Member::default()
    };
    (name.to_owned(), member)
}

/// A small workspace with two games that keeps all rules.
fn made() -> Workspace {
    let members = [
        member("parlor-core", 0, &[]),
        member("parlor-tictactoe", 1, &["parlor-core"]),
        member("parlor-ratings", 1, &[]),
        member("parlor-bots", 2, &["parlor-core", "parlor-tictactoe"]),
        member(
            "parlor-games",
            3,
            &["parlor-bots", "parlor-core", "parlor-tictactoe"],
        ),
        member("parlor-table", 4, &["parlor-core", "parlor-games"]),
        member("parlor-store", 5, &["parlor-ratings", "sea-orm", "tokio"]),
        member("parlor-server", 6, &["parlor-games", "parlor-table"]),
        member("parlor", 7, &["parlor-server"]),
    ];
    let mut workspace = Workspace {
        members: members.into_iter().collect(),
        ..Workspace::default()
    };
    let games = workspace.members.get_mut("parlor-games").unwrap();
    games.games = Some(GameList {
        file: "src/list.rs".to_owned(),
        item: "GAMES".to_owned(),
    });
    let files = [
        (
            "crates/parlor-games/src/list.rs",
            "//! All games.\n/// Every game.\npub static GAMES: &[&dyn AnyGame] = &[&mnk::Mnk, &CONNECT_FOUR];\n",
        ),
        ("crates/parlor-games/src/mnk/view.rs", "struct MnkView;"),
        ("crates/parlor-games/src/connect_four/view.rs", ""),
        ("crates/parlor-games/src/svg/frame.rs", ""),
        (
            "crates/parlor-server/src/lib.rs",
            "fn svg(game: GameKind) {}",
        ),
    ];
    for (path, text) in files {
        workspace.files.insert(path.to_owned(), text.to_owned());
    }
    workspace
}

fn problems(workspace: &Workspace) -> Vec<String> {
    floors::check(workspace, &[]).unwrap()
}

/// Problems of the made workspace with one more file.
fn with_file(path: &str, text: &str) -> Vec<String> {
    let mut workspace = made();
    workspace.files.insert(path.to_owned(), text.to_owned());
    problems(&workspace)
}

/// Problems of the made workspace with one more dependency.
fn with_dependency(from: &str, to: &str) -> Vec<String> {
    let mut workspace = made();
    let member = workspace.members.get_mut(from).unwrap();
    member.direct.insert(to.to_owned());
    member.transitive.insert(to.to_owned());
    problems(&workspace)
}

#[test]
fn a_workspace_that_keeps_the_rules_passes() {
    assert_eq!(problems(&made()), [""; 0]);
}

#[test]
fn a_game_named_in_rust_above_the_list_is_refused() {
    for (code, game) in [
        (
            "fn f(k: GameKind) -> bool {\n match k { GameKind::Mnk => true, _ => false } }",
            "mnk",
        ),
        ("\nuse parlor_games::connect_four::View;", "connect_four"),
        ("\nstruct ConnectFourPage;", "connect_four"),
        ("\nconst CONNECT_FOUR: u8 = 4;", "connect_four"),
        ("\nfn connect4() {}", "connect_four"),
        ("\nfn is_mnk() {}", "mnk"),
        ("\nlet game = \"mnk\";", "mnk"),
        ("\nlet title = \"Play Connect Four here\";", "connect_four"),
        ("\nlet title = \"Tic-tac-toe\";", "tictactoe"),
        ("\nuse parlor_tictactoe::Board;", "tictactoe"),
        ("\nlet page = html! { div.board-mnk {} };", "mnk"),
        ("\nlet raw = r#\"a \"connect-four\" b\"#;", "connect_four"),
        ("\nlet bytes = b\"mnk\";", "mnk"),
        ("\nlet url = \"http://host/\"; let game = Mnk;", "mnk"),
        ("/* a /* nested */ comment */\nlet game = Mnk;", "mnk"),
        (
            "fn f<'a>(x: &'a str) {}\nfn g(quote: char) { quote == '\"'; Mnk }",
            "mnk",
        ),
        ("fn f() { '\\''; \"\\\"//\" }\nfn g() { Mnk }", "mnk"),
        ("#[cfg(not(test))]\nfn game() { Mnk }", "mnk"),
        (
            "#[cfg(test)]\nmod tests { fn f() { \"}\" } }fn game() { Mnk }",
            "mnk",
        ),
        (
            "struct Page {\n #[cfg(test)] shown: bool, game: Mnk }",
            "mnk",
        ),
        ("\nlet example = \"mnk\";", "mnk"),
        ("#[doc(alias = \"x\")]\n#[serde(rename = \"mnk\")]", "mnk"),
    ] {
        let path = "crates/parlor-server/src/web/planted.rs";
        let line = if code.contains("serde") || code.contains('\n') {
            2
        } else {
            1
        };
        let expected = format!("{path}:{line}: names the game {game} above floor 3");
        assert_eq!(with_file(path, code), [expected], "{code}");
    }
}

#[test]
fn a_game_named_in_another_language_above_the_list_is_refused() {
    for (file, code, game) in [
        (
            "assets/style.css",
            ".connect-four-disc { fill: red }",
            "connect_four",
        ),
        (
            "assets/style.css",
            "[data-game=\"mnk\"] { fill: red }",
            "mnk",
        ),
        ("assets/style.css", "a { b: url(http://x) } .mnk { }", "mnk"),
        ("assets/table.js", "if (game === \"mnk\") draw();", "mnk"),
        ("assets/table.js", "connectFourDrop();", "connect_four"),
        (
            "assets/table.js",
            "const discs = { connect_four: 2 };",
            "connect_four",
        ),
        (
            "assets/table.js",
            "const a = `//${x}`, b = `${`//`} mnk`;",
            "mnk",
        ),
        (
            "assets/table.js",
            "const url = /https?:\\/\\//; mnk();",
            "mnk",
        ),
        ("assets/table.js", "const part = a / b; // half\n", ""),
        ("page/index.html", "<div class=\"mnk\"></div>", "mnk"),
        (
            "initial/README.md",
            "Play Connect Four with us.",
            "connect_four",
        ),
        ("initial/referee.yml", "game: mnk # the game", "mnk"),
    ] {
        let path = format!("crates/parlor-server/{file}");
        let expected = format!("{path}:1: names the game {game} above floor 3");
        let expected = if game.is_empty() {
            vec![]
        } else {
            vec![expected]
        };
        assert_eq!(with_file(&path, code), expected, "{code}");
    }
}

#[test]
fn a_file_named_after_a_game_above_the_list_is_refused() {
    let path = "crates/parlor-server/assets/connect_four.js";
    let expected = format!("{path}: names the game connect_four above floor 3");
    assert_eq!(with_file(path, ""), [expected]);
}

#[test]
fn comments_tests_and_examples_may_name_a_game() {
    for (file, code) in [
        (
            "src/a.rs",
            "//! A page, of Mnk for example.\n/// `GameKind::Mnk`\nfn f() {} // mnk",
        ),
        ("src/a.rs", "/* mnk /* nested */ mnk */ fn f() {}"),
        (
            "src/a.rs",
            "#[cfg(test)]\nmod tests {\n fn f() { \"mnk }\" }\n}",
        ),
        (
            "src/a.rs",
            "#[cfg(test)]\n#[expect(lint)]\npub(crate) fn f(x: [u8; 2]) { Mnk }",
        ),
        (
            "src/a.rs",
            "#[command(after_help = \"\\\nExample:\n  parlor play mnk\")]\nstruct Play;",
        ),
        ("src/a.rs", "#[schema(example = \"mnk\")]\ngame: String,"),
        (
            "src/a.rs",
            "let text = \"Ultimately, connect the four cables of the computer mnkey.\";",
        ),
        ("assets/style.css", "/* .mnk */ .cell { }"),
        ("assets/table.js", "play(); // as in mnk\n/* mnk */"),
        ("page/index.html", "<!-- mnk --><p></p>"),
    ] {
        let path = format!("crates/parlor-server/{file}");
        assert_eq!(with_file(&path, code), [""; 0], "{code}");
    }
}

#[test]
fn a_module_compiled_only_for_tests_may_name_a_game() {
    let mut workspace = made();
    let mut add = |path: &str, text: &str| {
        let path = format!("crates/parlor-server/src/{path}");
        workspace.files.insert(path, text.to_owned());
    };
    add(
        "web.rs",
        "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod made { struct Mnk; }",
    );
    add("web/tests.rs", "fn f() { Mnk }\nmod more;");
    add("web/tests/more.rs", "fn f() { Mnk }");
    assert_eq!(problems(&workspace), [""; 0]);
    workspace.files.insert(
        "crates/parlor-server/src/tests.rs".to_owned(),
        "struct Mnk;".to_owned(),
    );
    assert_eq!(problems(&workspace).len(), 1, "another module of that name");
}

#[test]
fn games_may_be_named_up_to_the_list() {
    let below = with_file("crates/parlor-games/src/svg/marks.rs", "fn f() { Mnk }");
    assert_eq!(below, [""; 0]);
}

#[test]
fn a_new_folder_in_the_list_is_a_name_without_another_change() {
    let mut workspace = made();
    workspace.files.insert(
        "crates/parlor-games/src/list.rs".to_owned(),
        "pub const GAMES: [&dyn AnyGame; 2] = [&MNK, &NINE_MEN];".to_owned(),
    );
    workspace.files.insert(
        "crates/parlor-games/src/nine_men/view.rs".to_owned(),
        String::new(),
    );
    let names: Vec<String> = game_names(&workspace).unwrap().into_values().collect();
    assert_eq!(names, ["mnk", "nine_men", "tictactoe"]);
    workspace.files.insert(
        "crates/parlor-server/src/planted.rs".to_owned(),
        "fn f() { \"Nine Men\" }".to_owned(),
    );
    assert_eq!(problems(&workspace).len(), 1);
}

#[test]
fn the_list_of_games_can_be_a_macro_call() {
    let mut workspace = made();
    let games = workspace.members.get_mut("parlor-games").unwrap();
    games.games = Some(GameList {
        file: "src/list.rs".to_owned(),
        item: "games!".to_owned(),
    });
    workspace.files.insert(
        "crates/parlor-games/src/list.rs".to_owned(),
        "macro_rules! games { () => {}; }\ngames! {\n    mnk::Mnk,\n    #[cfg(feature = \"testing\")]\n    pig::Pig,\n}\n".to_owned(),
    );
    let names: Vec<String> = game_names(&workspace).unwrap().into_values().collect();
    assert_eq!(names, ["mnk", "tictactoe"]);
}

#[test]
fn a_list_of_games_that_cannot_be_read_is_an_error() {
    let list = "crates/parlor-games/src/list.rs".to_owned();
    for text in ["", "static OTHER: u8 = 1;", "static GAMES: &[u8] = &[];"] {
        let mut workspace = made();
        workspace.files.insert(list.clone(), text.to_owned());
        assert!(floors::check(&workspace, &[]).is_err(), "{text}");
    }
    let mut workspace = made();
    workspace.files.remove(&list);
    assert!(floors::check(&workspace, &[]).is_err());
    workspace.members.remove("parlor-games");
    assert!(floors::check(&workspace, &[]).is_err());
}

#[test]
fn an_edge_upwards_or_sideways_is_refused() {
    for (from, to, floor) in [
        ("parlor-core", "parlor-games", 0),
        ("parlor-server", "parlor", 6),
        ("parlor-tictactoe", "parlor-ratings", 1),
    ] {
        assert_eq!(
            with_dependency(from, to),
            [format!(
                "crates/{from}/Cargo.toml: {from} (floor {floor}) imports {to}, which is not below it"
            )]
        );
    }
}

#[test]
fn an_edge_past_the_list_of_games_is_refused() {
    for (from, to) in [
        ("parlor-server", "parlor-tictactoe"),
        ("parlor-table", "parlor-bots"),
        ("parlor", "parlor-tictactoe"),
    ] {
        assert_eq!(
            with_dependency(from, to),
            [format!(
                "crates/{from}/Cargo.toml: {from} imports {to} directly, past the list of games"
            )]
        );
    }
    assert_eq!(with_dependency("parlor-server", "parlor-ratings"), [""; 0]);
    assert_eq!(with_dependency("parlor-server", "parlor-core"), [""; 0]);
}

#[test]
fn a_crate_that_a_floor_must_not_have_is_refused_at_any_depth() {
    for (from, to) in [
        ("parlor-core", "serde_json"),
        ("parlor-bots", "getrandom"),
        ("parlor-games", "maud"),
        ("parlor-table", "tokio"),
        ("parlor-store", "axum"),
    ] {
        let mut workspace = made();
        let member = workspace.members.get_mut(from).unwrap();
        member.direct.insert("harmless".to_owned());
        member.transitive.insert(to.to_owned());
        let expected = format!("crates/{from}/Cargo.toml: {from} depends on {to}");
        assert_eq!(problems(&workspace), [expected]);
    }
}

#[test]
fn a_crate_can_forbid_itself_more() {
    let mut workspace = made();
    let store = workspace.members.get_mut("parlor-store").unwrap();
    store.never.push("parlor-core".to_owned());
    store.never_words.push("SystemTime".to_owned());
    store.transitive.insert("parlor-core".to_owned());
    workspace.files.insert(
        "crates/parlor-store/src/lib.rs".to_owned(),
        "use std::time::SystemTime;".to_owned(),
    );
    assert_eq!(
        problems(&workspace),
        [
            "crates/parlor-store/Cargo.toml: parlor-store depends on parlor-core",
            "crates/parlor-store/src/lib.rs:1: floor 5 must not use SystemTime",
        ]
    );
}

#[test]
fn a_crate_without_a_floor_is_refused() {
    let mut workspace = made();
    let (name, mut attic) = member("parlor-attic", 0, &[]);
    attic.floor = None;
    workspace.members.insert(name, attic);
    assert_eq!(
        problems(&workspace),
        [
            "crates/parlor-attic/Cargo.toml: parlor-attic has no floor: declare it with `[package.metadata.parlor] floor = N`"
        ]
    );
}

#[test]
fn a_word_that_a_floor_must_not_use_is_refused() {
    for (name, floor, word) in [
        ("parlor-core", 0, "HashMap"),
        ("parlor-tictactoe", 1, "HashSet"),
        ("parlor-bots", 2, "Instant"),
        ("parlor-games", 3, "SystemTime"),
        ("parlor-table", 4, "Instant"),
    ] {
        let path = format!("crates/{name}/src/planted.rs");
        let expected = format!("{path}:2: floor {floor} must not use {word}");
        let code = format!("// {word}\nlet x = {word}::new(); // {word}");
        assert_eq!(with_file(&path, &code), [expected]);
    }
    let server = with_file("crates/parlor-server/src/planted.rs", "Instant::now()");
    assert_eq!(server, [""; 0]);
}

const PLANTED: &str = "crates/parlor-server/src/classic/routes.rs";

fn with_exception(exception: Exception) -> Vec<String> {
    let mut workspace = made();
    workspace
        .files
        .insert(PLANTED.to_owned(), "let game = \"mnk\";".to_owned());
    floors::check(&workspace, &[exception]).unwrap()
}

#[test]
fn an_exception_covers_its_names_in_its_file_or_folder_only() {
    let exception = Exception {
        path: PLANTED,
        names: &["mnk"],
        reason: "a route of old",
    };
    assert_eq!(with_exception(exception), [""; 0]);
    let folder = "crates/parlor-server/src/classic";
    assert_eq!(
        with_exception(Exception {
            path: folder,
            ..exception
        }),
        [""; 0]
    );
    let other = with_exception(Exception {
        names: &["connect_four"],
        ..exception
    });
    assert_eq!(other.len(), 2, "neither covered nor needed: {other:?}");
    let beginning = with_exception(Exception {
        path: "crates/parlor-server/src/cla",
        ..exception
    });
    assert_eq!(beginning.len(), 2, "no folder: {beginning:?}");
}

#[test]
fn a_stale_exception_is_refused() {
    let stale = with_exception(Exception {
        path: PLANTED,
        names: &["mnk", "tictactoe"],
        reason: "a route of old",
    });
    assert_eq!(
        stale,
        [format!(
            "exception for tictactoe in {PLANTED} is not needed any more: remove it"
        )]
    );
}

#[test]
fn an_exception_for_a_whole_crate_or_without_a_reason_is_refused() {
    for path in ["crates", "crates/parlor-server", "crates/parlor-server/src"] {
        let wide = with_exception(Exception {
            path,
            names: &["mnk"],
            reason: "convenient",
        });
        let expected = format!("exception for {path}: name a file or folder inside a crate");
        assert_eq!(wide, [expected]);
    }
    let silent = with_exception(Exception {
        path: PLANTED,
        names: &["mnk"],
        reason: " ",
    });
    let expected = format!("exception for {PLANTED}: give its names and its reason");
    assert_eq!(silent, [expected]);
}

#[test]
fn floors_are_read_from_manifests() {
    let metadata = json!({
        "workspace_root": "/w",
        "packages": [{
            "name": "parlor-games",
            "manifest_path": "/w/crates/parlor-games/Cargo.toml",
            "metadata": { "parlor": {
                "floor": 3, "never": ["rand"], "never-words": ["unsafe"], "games": { "file": "src/list.rs", "item": "GAMES" },
            } },
            "dependencies": [
                { "name": "parlor-core", "kind": null },
                { "name": "cc", "kind": "build" },
                { "name": "proptest", "kind": "dev" },
            ],
        }, {
            "name": "attic", "manifest_path": "/w/attic/Cargo.toml", "metadata": null, "dependencies": [],
        }],
    });
    let (_, members) = read_metadata(&metadata).unwrap();
    let games = &members["parlor-games"];
    assert_eq!(
        (games.folder.as_str(), games.floor),
        ("crates/parlor-games", Some(3))
    );
    assert_eq!(
        (&games.never[..], &games.never_words[..]),
        (&["rand".to_owned()][..], &["unsafe".to_owned()][..])
    );
    assert!(games.games.is_some());
    assert!(games.direct.iter().eq(["cc", "parlor-core"]));
    assert_eq!(
        (members["attic"].folder.as_str(), members["attic"].floor),
        ("attic", None)
    );
}

#[test]
fn this_workspace_keeps_the_rules_and_planted_violations_in_it_are_refused() {
    let mut workspace = Workspace::load().unwrap();
    assert_eq!(floors::check(&workspace, EXCEPTIONS).unwrap(), [""; 0]);

    let names: Vec<String> = game_names(&workspace).unwrap().into_values().collect();
    for game in ["backgammon", "mnk", "pandemic", "tictactoe", "ultimate"] {
        assert!(names.iter().any(|name| name == game), "{game} in {names:?}");
    }
    for (path, code) in [
        ("crates/parlor-git/page/planted.js", "pandemic.map();"),
        (
            "crates/parlor-server/assets/planted.css",
            ".backgammon-point { fill: red }",
        ),
        (
            "crates/parlor-server/assets/planted.js",
            "const games = [\"ultimate\"];",
        ),
        (
            "crates/parlor-server/src/planted.rs",
            "match kind { GameKind::Pandemic => 1, _ => 0 }",
        ),
        (
            "crates/parlor-store/src/planted.rs",
            "const TITLE: &str = \"Tic-tac-toe\";",
        ),
        (
            "crates/parlor-table/src/planted.rs",
            "use std::time::Instant;",
        ),
        (
            "crates/parlor/src/planted.rs",
            "use parlor_games::mnk::Mnk;",
        ),
    ] {
        workspace.files.insert(path.to_owned(), code.to_owned());
    }
    let server = workspace.members.get_mut("parlor-server").unwrap();
    server.direct.insert("parlor-pandemic".to_owned());
    let mut found = floors::check(&workspace, EXCEPTIONS).unwrap();
    found.sort();
    assert_eq!(
        found,
        [
            "crates/parlor-git/page/planted.js:1: names the game pandemic above floor 3",
            "crates/parlor-server/Cargo.toml: parlor-server imports parlor-pandemic directly, past the list of games",
            "crates/parlor-server/assets/planted.css:1: names the game backgammon above floor 3",
            "crates/parlor-server/assets/planted.js:1: names the game ultimate above floor 3",
            "crates/parlor-server/src/planted.rs:1: names the game pandemic above floor 3",
            "crates/parlor-store/src/planted.rs:1: names the game tictactoe above floor 3",
            "crates/parlor-table/src/planted.rs:1: floor 4 must not use Instant",
            "crates/parlor/src/planted.rs:1: names the game mnk above floor 3",
        ]
    );
}

#[test]
fn connect_four_costs_the_workspace_one_line_manifests_and_papers() {
    let workspace = Workspace::load_without_transitive().unwrap();
    let footprint = Footprint::find(&workspace, "connect_four").unwrap();
    assert_eq!(
        footprint.list.values().sum::<usize>(),
        1,
        "{}",
        footprint.report()
    );
    let manifests: Vec<&str> = footprint.manifests.keys().map(String::as_str).collect();
    assert_eq!(
        manifests,
        ["Cargo.lock", "Cargo.toml", "crates/parlor-games/Cargo.toml"]
    );
    // The checks of this crate try themselves out with its name.
    let elsewhere: Vec<&str> = footprint.elsewhere.keys().map(String::as_str).collect();
    let own: Vec<&str> = elsewhere
        .into_iter()
        .filter(|path| !path.starts_with("xtask/"))
        .collect();
    assert!(own.is_empty(), "{}", footprint.report());
}
