//! Text search.

use sea_orm::sea_query::{Expr, ExprTrait, Func, LikeExpr};
use sea_orm::{ColumnTrait, IntoSimpleExpr};

/// Returns the condition that a column contains a text, ignoring the case of ASCII letters.
pub(crate) fn contains<C: ColumnTrait>(column: C, text: &str) -> Expr {
    let mut pattern = String::from("%");
    for c in storable(text).to_lowercase().chars() {
        if matches!(c, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern.push('%');
    let lower = Func::lower(column.into_simple_expr());
    Expr::expr(lower).like(LikeExpr::new(pattern).escape('!'))
}

/// Returns the text without NUL, the one character that PostgreSQL cannot store.
pub(crate) fn storable(text: &str) -> String {
    text.replace('\0', "")
}
