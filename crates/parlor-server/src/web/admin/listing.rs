//! Parts of lists: addresses with filters, choices with counts, sorted columns and page numbers.

use maud::{Markup, html};
use parlor_store::ListSlice;

use super::{ROWS, escaped};
use crate::error::Error;

/// Address of a list with its filters, from which those of its links are made.
#[derive(Clone, Debug)]
pub(super) struct ListAddress {
    path: &'static str,
    given: Vec<(&'static str, String)>,
}

impl ListAddress {
    /// Creates the address of a list. Filters without a value are left out.
    pub(super) fn new(path: &'static str, query: &[(&'static str, Option<&str>)]) -> ListAddress {
        let given = |(name, value): &(&'static str, Option<&str>)| {
            let value = value.filter(|value| !value.is_empty())?;
            Some((*name, value.to_owned()))
        };
        ListAddress {
            path,
            given: query.iter().filter_map(given).collect(),
        }
    }

    /// Returns the address with other values of some filters, on the first page unless one is given. An
    /// empty value removes a filter.
    pub(super) fn with(&self, changed: &[(&str, &str)]) -> String {
        let is_kept =
            |name: &str| name != "page" && changed.iter().all(|(other, _)| *other != name);
        let kept = self.given.iter().filter(|(name, _)| is_kept(name));
        let kept = kept.map(|(name, value)| (*name, value.as_str()));
        let new = changed
            .iter()
            .copied()
            .filter(|(_, value)| !value.is_empty());
        let pairs: Vec<String> = kept
            .chain(new)
            .map(|(name, value)| format!("{name}={}", escaped(value)))
            .collect();
        match pairs.is_empty() {
            true => self.path.to_owned(),
            false => format!("{}?{}", self.path, pairs.join("&")),
        }
    }

    /// Renders the filters as hidden fields of a form that has those of `visible` itself.
    pub(super) fn hidden_fields(&self, visible: &[&str]) -> Markup {
        let is_hidden = |name: &str| name != "page" && !visible.contains(&name);
        html! {
            @for (name, value) in self.given.iter().filter(|(name, _)| is_hidden(name)) {
                input type="hidden" name=(name) value=(value);
            }
        }
    }
}

/// Value of a filter that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) value: String,
    pub(super) title: String,
    /// Number of rows that there would be.
    pub(super) count: u64,
}

/// Renders the choices of a filter as links, of which `chosen` is the present one.
pub(super) fn choices(
    address: &ListAddress,
    (name, title): (&str, &str),
    chosen: Option<&str>,
    choices: &[Choice],
) -> Markup {
    let chosen = chosen.unwrap_or_default();
    html! {
        nav.chips aria-label=(title) {
            span { (title) }
            a href=(address.with(&[(name, "")])) aria-current=[chosen.is_empty().then_some("true")] { "All" }
            @for choice in choices {
                a href=(address.with(&[(name, choice.value.as_str())])) aria-current=[(chosen == choice.value).then_some("true")] {
                    (choice.title) " (" (choice.count) ")"
                }
            }
        }
    }
}

/// Order of a list, as in the address: a word for the column, after `-` for the largest value first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SortOrder<'a> {
    pub(super) column: &'a str,
    pub(super) ascending: bool,
}

impl<'a> SortOrder<'a> {
    /// Reads an order; without one, the largest id comes first.
    pub(super) fn parse(text: Option<&'a str>) -> SortOrder<'a> {
        let text = text.filter(|text| !text.is_empty()).unwrap_or("-id");
        let column = text.strip_prefix('-').unwrap_or(text);
        SortOrder {
            column,
            ascending: column.len() == text.len(),
        }
    }

    /// Returns the direction in which the list is sorted by a column; `None` if it is sorted by another.
    fn direction(self, column: &str) -> Option<&'static str> {
        let direction = match self.ascending {
            true => "ascending",
            false => "descending",
        };
        (self.column == column).then_some(direction)
    }

    /// Returns the sign of the direction.
    fn sign(self) -> Markup {
        html! { span aria-hidden="true" { @if self.ascending { " ↑" } @else { " ↓" } } }
    }

    /// Returns the address of the list sorted by a column; again, in the other direction.
    fn link(self, address: &ListAddress, column: &str) -> String {
        let next = match self.column == column && self.ascending {
            true => format!("-{column}"),
            false => column.to_owned(),
        };
        address.with(&[("sort", next.as_str())])
    }

    /// Returns a page of a list in this order, sorted by the column `sort`.
    pub(super) fn slice<S>(self, sort: S, page: PageNumber) -> ListSlice<S> {
        ListSlice {
            sort,
            ascending: self.ascending,
            offset: page.offset(),
            limit: ROWS,
        }
    }
}

/// Renders the head of a column by which a list can be sorted.
fn sorted_head(address: &ListAddress, order: SortOrder<'_>, column: &str, title: &str) -> Markup {
    let direction = order.direction(column);
    html! {
        th aria-sort=[direction] {
            a href=(order.link(address, column)) { (title) }
            @if direction.is_some() { (order.sign()) }
        }
    }
}

/// Renders the heads of the columns of a list: each with the word that sorts by it, if one does, and its
/// title.
pub(super) fn heads(
    address: &ListAddress,
    order: SortOrder<'_>,
    columns: &[(Option<&str>, &str)],
) -> Markup {
    html! {
        @for (column, title) in columns {
            @match column {
                Some(column) => (sorted_head(address, order, column, title)),
                None => th { (title) },
            }
        }
    }
}

/// Renders the words by which a list without columns can be sorted, as links; again, in the other
/// direction.
pub(super) fn sorted_links(
    address: &ListAddress,
    order: SortOrder<'_>,
    columns: &[(&str, &str)],
) -> Markup {
    html! {
        nav.chips aria-label="Order" {
            span { "Sorted by" }
            @for (column, title) in columns {
                a href=(order.link(address, column)) aria-current=[(order.column == *column).then_some("true")] {
                    (title) @if let Some(direction) = order.direction(column) { span.hidden { ", " (direction) } (order.sign()) }
                }
            }
        }
    }
}

/// Returns the refusal of a column by which a list cannot be sorted.
pub(super) fn no_column(column: &str) -> Error {
    Error::unprocessable(format!("{column:?} is not a column"))
}

/// Page of a list of so many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageNumber {
    /// Number of the page, from 1.
    page: u64,
    /// Number of the last page.
    last: u64,
}

impl PageNumber {
    /// Only page of a list that is not longer.
    pub(super) const FIRST: PageNumber = PageNumber { page: 1, last: 1 };

    /// Reads the number of a page; the nearest one if there is none of this number.
    pub(super) fn parse(text: Option<&str>, rows: u64) -> PageNumber {
        let last = rows.div_ceil(ROWS).max(1);
        let asked = text.and_then(|text| text.parse().ok()).unwrap_or(1);
        PageNumber {
            page: asked.clamp(1, last),
            last,
        }
    }

    /// Returns the number as text.
    pub(super) fn text(self) -> String {
        self.page.to_string()
    }

    /// Returns the number of rows on the pages before.
    fn offset(self) -> u64 {
        (self.page - 1) * ROWS
    }

    /// Returns the pages to link to: the first, the last and those around this one.
    fn shown(self) -> Vec<u64> {
        let is_near = |page: &u64| page.abs_diff(self.page) <= 2;
        let near = (1..=self.last).skip_while(|page| page + 2 < self.page);
        let mut shown: Vec<u64> = near.take_while(is_near).collect();
        if shown.first().is_some_and(|first| *first > 1) {
            shown.insert(0, 1);
        }
        if shown.last().is_some_and(|last| *last < self.last) {
            shown.push(self.last);
        }
        shown
    }

    /// Renders the links to the other pages, if there are any.
    pub(super) fn links(self, address: &ListAddress) -> Markup {
        let shown = self.shown();
        let before = std::iter::once(0).chain(shown.iter().copied());
        html! {
            @if self.last > 1 {
                nav.chips aria-label="Pages" {
                    @for (page, before) in shown.iter().copied().zip(before) {
                        @if page > before + 1 { span { "…" } }
                        @let number = page.to_string();
                        a href=(address.with(&[("page", number.as_str())])) aria-current=[(page == self.page).then_some("page")] { (page) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_keep_the_other_filters_and_begin_on_the_first_page() {
        let query = [("q", Some("a b")), ("status", None), ("page", Some("3"))];
        let address = ListAddress::new("/admin/tables", &query);
        for (changed, link) in [
            (("status", "over"), "/admin/tables?q=a%20b&status=over"),
            (("q", ""), "/admin/tables"),
            (("page", "4"), "/admin/tables?q=a%20b&page=4"),
        ] {
            assert_eq!(address.with(&[changed]), link);
        }
        let fields = address.hidden_fields(&["q"]).into_string();
        assert_eq!(fields, "", "neither the visible one nor the page");
    }

    #[test]
    fn an_order_is_a_column_and_a_direction() {
        for (text, column, ascending) in [
            (None, "id", false),
            (Some(""), "id", false),
            (Some("created"), "created", true),
            (Some("-created"), "created", false),
        ] {
            assert_eq!(SortOrder::parse(text), SortOrder { column, ascending });
        }
    }

    #[test]
    fn pages_are_those_that_exist() {
        for (text, rows, page, last) in [
            (None, 0, 1, 1),
            (Some("2"), 50, 1, 1),
            (Some("2"), 51, 2, 2),
            (Some("0"), 51, 1, 2),
            (Some("x"), 101, 1, 3),
        ] {
            assert_eq!(PageNumber::parse(text, rows), PageNumber { page, last });
        }
        for (page, last, shown) in [
            (1, 1, vec![1]),
            (1, 9, vec![1, 2, 3, 9]),
            (5, 9, vec![1, 3, 4, 5, 6, 7, 9]),
            (9, 9, vec![1, 7, 8, 9]),
        ] {
            assert_eq!(PageNumber { page, last }.shown(), shown);
        }
    }
}
