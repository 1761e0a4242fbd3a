//! 16-bit floating-point numbers (IEEE 754 binary16), in which weights are stored.

/// Converts to the nearest 16-bit float; values out of range become the largest one.
pub(super) fn from_f32(x: f32) -> u16 {
    const LARGEST: f32 = 65_504.0;
    let bits = x.clamp(-LARGEST, LARGEST).to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let size = bits & 0x7fff_ffff;
    // Subnormal numbers are evenly spaced.
    if size < 0x3880_0000 {
        return sign | (f32::from_bits(size) * (1 << 24) as f32).round_ties_even() as u16;
    }
    let rounded = size + 0xfff + (size >> 13 & 1);
    sign | ((rounded - 0x3800_0000) >> 13) as u16
}

/// Converts from a 16-bit float.
pub(super) fn to_f32(half: u16) -> f32 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let size = u32::from(half & 0x7fff);
    if size < 0x400 {
        return sign * size as f32 / (1 << 24) as f32;
    }
    sign * f32::from_bits((size << 13) + 0x3800_0000)
}

#[cfg(test)]
mod tests {
    use super::{from_f32, to_f32};

    #[test]
    fn every_finite_half_is_read_and_written_again() {
        for half in (0..0x7c00).chain(0x8000..0xfc00) {
            assert_eq!(from_f32(to_f32(half)), half, "{half:#x}");
        }
    }

    #[test]
    fn known_numbers_have_their_bits() {
        for (x, bits) in [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65_504.0, 0x7bff),
            (0.1, 0x2e66),
            (6e-8, 1),
            (1e9, 0x7bff),
        ] {
            assert_eq!(from_f32(x), bits, "{x}");
        }
    }
}
