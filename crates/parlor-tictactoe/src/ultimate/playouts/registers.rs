//! Dispatch to code compiled for wider vector registers, the only `unsafe` code of this crate.
//!
//! Measured speedup over baseline x86-64 (10,000 games from the empty board, in one run on a
//! machine that has all three): 2.0 with AVX2, 3.1 with AVX-512.

use super::lanes::Lanes;

/// Width of the vector registers to use. The code is the same for all, only the instructions
/// differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorWidth {
    /// Baseline of the target.
    Plain,
    /// 256 bits, if available.
    Avx2,
    /// 512 bits, if available.
    Avx512,
}

impl VectorWidth {
    /// Returns the widest that this processor supports.
    pub fn widest() -> VectorWidth {
        let known = [VectorWidth::Avx512, VectorWidth::Avx2];
        known
            .into_iter()
            .find(|registers| registers.is_supported())
            .unwrap_or(VectorWidth::Plain)
    }

    #[cfg(target_arch = "x86_64")]
    fn is_supported(self) -> bool {
        match self {
            VectorWidth::Plain => true,
            VectorWidth::Avx2 => is_x86_feature_detected!("avx2"),
            VectorWidth::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bitalg")
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn is_supported(self) -> bool {
        self == VectorWidth::Plain
    }

    /// Plays the dealt games, with the baseline instructions if the width is not supported.
    #[allow(unsafe_code)]
    pub fn play(self, lanes: &mut Lanes) {
        match self {
            #[cfg(target_arch = "x86_64")]
            VectorWidth::Avx512 if self.is_supported() => {
                // SAFETY: the processor supports every feature that the function is compiled for.
                unsafe { avx512(lanes) }
            }
            #[cfg(target_arch = "x86_64")]
            VectorWidth::Avx2 if self.is_supported() => {
                // SAFETY: as above.
                unsafe { avx2(lanes) }
            }
            _ => lanes.play(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg")]
fn avx512(lanes: &mut Lanes) {
    lanes.play();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(lanes: &mut Lanes) {
    lanes.play();
}
