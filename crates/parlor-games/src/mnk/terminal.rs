//! The board in plain text: `X | O | .` with `--+---+--` between the rows.

use parlor_tictactoe::mnk::Board;

pub(crate) fn draw(board: &Board) -> String {
    let columns = usize::from(board.rules().columns());
    let symbols: Vec<String> = board
        .cells()
        .map(|cell| board.symbol_at(cell).unwrap_or('.').to_string())
        .collect();
    let rows: Vec<String> = symbols.chunks(columns).map(|row| row.join(" | ")).collect();
    let mut text = rows.join(&format!("\n{}\n", rule(columns)));
    text.push('\n');
    text
}

/// Returns the line between two rows of a board with this many columns.
fn rule(columns: usize) -> String {
    match columns {
        1 => "-".to_owned(),
        _ => format!("--+{}--", "---+".repeat(columns - 2)),
    }
}
