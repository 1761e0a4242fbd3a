//! Chances as text: percentages, bars and curves.

/// Characters that fill a cell by eighths, from one to eight.
const PARTS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
/// Characters of a curve, from the lowest to the highest.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Formats a chance from 0 to 1 with this many decimals: "58.3%".
pub fn percent(chance: f64, decimals: usize) -> String {
    format!("{:.decimals$}%", 100.0 * chance)
}

/// Formats the change of a chance: "+5.8%".
pub fn change(change: f64) -> String {
    let text = format!("{:+.1}%", 100.0 * change);
    if text == "-0.0%" || text == "+0.0%" {
        "0.0%".to_owned()
    } else {
        text
    }
}

/// Number of decimals of chances with these standard errors, one of which may be less than a percent.
pub fn decimals(errors: impl IntoIterator<Item = f64>) -> usize {
    usize::from(errors.into_iter().any(|error| error < 0.01))
}

/// Draws a chance from 0 to 1 as a bar of at most `width` cells.
pub fn bar(chance: f64, width: u8) -> String {
    let eighths = (chance.clamp(0.0, 1.0) * f64::from(width) * 8.0).round() as usize;
    let full = std::iter::repeat_n('█', eighths / 8);
    let rest = (eighths % 8).checked_sub(1).map(|part| PARTS[part]);
    full.chain(rest).collect()
}

/// Draws chances from 0 to 1 as a curve of one cell each.
pub fn curve(chances: &[f64]) -> String {
    let cell = |chance: &f64| {
        let height = (chance.clamp(0.0, 1.0) * 8.0) as usize;
        HEIGHTS[height.min(HEIGHTS.len() - 1)]
    };
    chances.iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_told_in_percent_with_a_decimal_if_they_are_that_certain() {
        assert_eq!(percent(0.1732, decimals([0.0034, 0.02])), "17.3%");
        assert_eq!(percent(0.1732, decimals([0.02])), "17%");
        assert_eq!(
            [0.058, -0.1, -0.0001].map(change),
            ["+5.8%", "-10.0%", "0.0%"]
        );
    }

    #[test]
    fn bars_and_curves_show_chances_from_none_to_certain() {
        assert_eq!(
            [0.0, 0.5, 0.55, 1.0].map(|chance| bar(chance, 10)),
            ["", "█████", "█████▌", "██████████"]
        );
        assert_eq!(curve(&[0.0, 0.12, 0.13, 0.5, 0.99, 1.0]), "▁▁▂▅██");
    }
}
