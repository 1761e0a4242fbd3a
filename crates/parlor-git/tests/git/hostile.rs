//! Raw objects as no git would write them, pushed to a house.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::house::{Clone, git, git_in};

impl Clone {
    fn plumb(&self, args: &[&str], input: &[u8]) -> Output {
        let mut child = git_in(&self.path)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("git starts");
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Stores an object of any contents and returns its id.
    pub fn raw(&self, kind: &str, bytes: &[u8]) -> String {
        let args = ["hash-object", "-t", kind, "-w", "--literally", "--stdin"];
        let done = self.plumb(&args, bytes);
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// Stores a tree with entries of a mode, a name and an id, as they are.
    pub fn raw_tree(&self, entries: &[(&str, &[u8], &str)]) -> String {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend_from_slice(format!("{mode} ").as_bytes());
            bytes.extend_from_slice(name);
            bytes.push(0);
            bytes.extend(hex(id));
        }
        self.raw("tree", &bytes)
    }

    /// Stores a tree that has `width` times the same entry.
    pub fn wide_tree(&self, mode: &str, width: usize, id: &str) -> String {
        let names: Vec<String> = (0..width).map(|n| format!("{n:06}")).collect();
        let entries: Vec<_> = names
            .iter()
            .map(|name| (mode, name.as_bytes(), id))
            .collect();
        self.raw_tree(&entries)
    }

    /// Returns the entries of the branch's top folder.
    pub fn top(&self) -> Vec<(String, Vec<u8>, String)> {
        let list = git(&self.path, &["ls-tree", "HEAD"]);
        let entry = |line: &str| {
            let (head, name) = line.split_once('\t').unwrap();
            let words: Vec<&str> = head.split(' ').collect();
            let mode = words[0].trim_start_matches('0').to_owned();
            (mode, name.as_bytes().to_vec(), words[2].to_owned())
        };
        list.lines().map(entry).collect()
    }

    /// Returns the top folder with an entry replaced or added.
    pub fn top_with(&self, mode: &str, name: &[u8], id: &str) -> String {
        let mut entries = self.top();
        entries.retain(|(_, other, _)| other != name);
        entries.push((mode.to_owned(), name.to_vec(), id.to_owned()));
        let key = |(mode, name, _): &(String, Vec<u8>, String)| {
            let mut key = name.clone();
            key.extend((mode == "40000").then_some(b'/'));
            key
        };
        entries.sort_by_key(key);
        let entries: Vec<(&str, &[u8], &str)> = entries
            .iter()
            .map(|(mode, name, id)| (mode.as_str(), name.as_slice(), id.as_str()))
            .collect();
        self.raw_tree(&entries)
    }

    /// Stores a commit with this tree on top of the branch, and with these last lines.
    pub fn raw_commit(&self, tree: &str, rest: &[u8]) -> String {
        let parent = git(&self.path, &["rev-parse", "HEAD"]);
        let head = format!("tree {tree}\nparent {parent}\nauthor M <m@x> 1 +0000\n");
        self.raw("commit", &[head.as_bytes(), rest].concat())
    }

    /// Stores a commit of its owner with this tree on top of the branch.
    pub fn commit_of_tree(&self, tree: &str) -> String {
        let who = git(&self.path, &["config", "user.email"]);
        let rest = format!("committer Mallory <{who}> 1700000100 +0000\n\nA gift\n");
        self.raw_commit(tree, rest.as_bytes())
    }

    /// Pushes a commit to the branch; false if git itself refuses it.
    pub fn offer(&self, commit: &str) -> bool {
        let spec = format!("{commit}:refs/heads/main");
        let done = git_in(&self.path)
            .args(["push", "--quiet", "origin", &spec])
            .output()
            .unwrap();
        done.status.success()
    }

    /// Fetches the branch without checking it out.
    pub fn fetch(&self) {
        git(&self.path, &["fetch", "--quiet", "origin"]);
        git(
            &self.path,
            &["update-ref", "refs/heads/main", "origin/main"],
        );
        git(&self.path, &["symbolic-ref", "HEAD", "refs/heads/main"]);
    }

    /// Imports a `git fast-import` stream, which may begin with `from HEAD`.
    pub fn fast_import(&self, stream: &str) {
        let done = self.plumb(&["fast-import", "--quiet", "--force"], stream.as_bytes());
        assert!(done.status.success(), "{done:?}");
    }
}

fn hex(id: &str) -> Vec<u8> {
    (0..id.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap())
        .collect()
}
