//! Statistical formulas.

/// Two-sided 99 % quantile of the normal distribution.
const Z: f64 = 2.575_829_303_548_901;

/// Returns Wilson's 99 % confidence interval for the share of `times` in `all`.
pub(super) fn wilson(times: f64, all: f64) -> (f64, f64) {
    if all <= 0.0 {
        return (0.0, 1.0);
    }
    let (share, z2) = (times / all, Z * Z);
    let middle = share + z2 / (2.0 * all);
    let reach = Z * (share * (1.0 - share) / all + z2 / (4.0 * all * all)).sqrt();
    let scale = 1.0 + z2 / all;
    (
        ((middle - reach) / scale).max(0.0),
        ((middle + reach) / scale).min(1.0),
    )
}

/// Returns the probability that a chi-squared variable with these degrees of freedom is at least
/// `x`.
///
/// This is the regularized upper incomplete gamma function Q(degrees/2, x/2), by the sums that are
/// exact for integers and half-integers: `Q(a+1, y) = Q(a, y) + y^a e^-y / Γ(a+1)`, from `Q(1, y) =
/// e^-y` or `Q(1/2, y) = erfc(√y)`.
pub(super) fn p_value(x: f64, degrees: u32) -> f64 {
    let y = (x / 2.0).max(0.0);
    let even = degrees.is_multiple_of(2);
    let (mut a, mut sum) = if even {
        (1.0, (-y).exp())
    } else {
        (0.5, erfc(y.sqrt()))
    };
    // ln of y^a e^-y / Γ(a+1) for the first a; Γ(2) = 1, Γ(3/2) = √π/2.
    let ln_gamma = if even {
        0.0
    } else {
        (std::f64::consts::PI.sqrt() / 2.0).ln()
    };
    let mut ln_term = if y > 0.0 {
        f64::ln(y) * a - y - ln_gamma
    } else {
        f64::NEG_INFINITY
    };
    while 2.0 * a < f64::from(degrees) {
        sum += ln_term.exp();
        a += 1.0;
        ln_term += (y / a).ln();
    }
    sum.clamp(0.0, 1.0)
}

/// Returns the complementary error function of a non-negative number: its series near 0, its
/// continued fraction beyond.
fn erfc(x: f64) -> f64 {
    let scale = (-x * x).exp() / std::f64::consts::PI.sqrt();
    if x < 2.0 {
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term > 1e-17 {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        return 1.0 - 2.0 * scale * sum;
    }
    scale
        / (1..=60)
            .rev()
            .fold(x, |below, k| x + f64::from(k) / 2.0 / below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_are_those_of_printed_tables() {
        let printed = [
            (3.841_458_820_694_124, 1, 0.05),
            (6.634_896_601_021_213, 1, 0.01),
            (11.070_497_693_516_351, 5, 0.05),
            (31.410_432_844_230_918, 20, 0.05),
            (37.566_234_786_625_05, 20, 0.01),
            (49.587_884_472_898_81, 29, 0.01),
            (0.0, 20, 1.0),
        ];
        for (x, degrees, p) in printed {
            let found = p_value(x, degrees);
            assert!(
                (found - p).abs() < 1e-9,
                "{x} with {degrees} degrees: {found}"
            );
        }
        assert!(p_value(1e6, 20) < 1e-100);
    }

    #[test]
    fn the_interval_holds_the_share_and_narrows() {
        let (low, high) = wilson(10.0, 60.0);
        assert!(
            (low - 0.077_664_955).abs() < 1e-6 && (high - 0.322_048_977).abs() < 1e-6,
            "{low} {high}"
        );
        let (closer, farther) = wilson(1_000.0, 6_000.0);
        assert!(low < closer && closer < 1.0 / 6.0 && 1.0 / 6.0 < farther && farther < high);
        assert_eq!(wilson(0.0, 0.0), (0.0, 1.0));
        assert!(wilson(0.0, 100.0).0.abs() < 1e-12);
    }
}
