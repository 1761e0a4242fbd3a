//! SIMD: the same arithmetic compiled for the wide registers of a processor.
//!
//! This is the only module here with `unsafe`: it calls code compiled for more than the target's
//! basic instructions, and lists active neurons sixteen at a time (one by one takes a quarter of an
//! evaluation).

/// Maximum number of values in a list.
pub(super) const MAX_LISTED: usize = 512;

/// Number of values listed at a time.
const CHUNK: usize = 16;

/// Indices of the values above 0, with room for a last, partly filled chunk.
#[derive(Clone, Debug)]
pub(super) struct ActiveList {
    numbers: [u32; MAX_LISTED + CHUNK],
    count: usize,
}

impl ActiveList {
    #[inline(always)]
    pub(super) const fn new() -> ActiveList {
        ActiveList {
            numbers: [0; MAX_LISTED + CHUNK],
            count: 0,
        }
    }

    #[inline(always)]
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers[..self.count]
    }
}

/// Method of listing the values above 0.
pub(super) trait ActiveLister {
    /// Lists the indices of `values` above 0; their number is a multiple of sixteen, at most
    /// [`MAX_LISTED`].
    fn list(values: &[f32], list: &mut ActiveList);
}

/// Lists one value at a time.
struct ScalarLister;

impl ActiveLister for ScalarLister {
    #[inline(always)]
    fn list(values: &[f32], list: &mut ActiveList) {
        let mut count = 0;
        for (n, value) in values.iter().enumerate() {
            // Branch-free: the next index overwrites one whose value is not above 0.
            list.numbers[count & (MAX_LISTED - 1)] = n as u32;
            count += usize::from(*value > 0.0);
        }
        list.count = count;
    }
}

/// Lists sixteen values at a time with AVX-512.
#[cfg(target_arch = "x86_64")]
struct Avx512Lister;

#[cfg(target_arch = "x86_64")]
impl ActiveLister for Avx512Lister {
    #[allow(unsafe_code)]
    #[inline(always)]
    fn list(values: &[f32], list: &mut ActiveList) {
        // SAFETY: only `run_avx512` names this type, and it is called only if the instructions are
        // available.
        unsafe { list_sixteen(values, list) }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512f")]
#[inline]
fn list_sixteen(values: &[f32], list: &mut ActiveList) {
    use std::arch::x86_64::{
        _CMP_GT_OQ, _mm512_add_epi32, _mm512_cmp_ps_mask, _mm512_loadu_ps,
        _mm512_maskz_compress_epi32, _mm512_set1_epi32, _mm512_setr_epi32, _mm512_setzero_ps,
        _mm512_storeu_epi32,
    };
    let mut numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut count = 0;
    for chunk in values.as_chunks::<CHUNK>().0 {
        // SAFETY: the chunk has sixteen numbers.
        let values = unsafe { _mm512_loadu_ps(chunk.as_ptr()) };
        let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(values, _mm512_setzero_ps());
        let Some(room) = list.numbers[count..].first_chunk_mut::<CHUNK>() else {
            break;
        };
        // SAFETY: there is room for sixteen numbers.
        unsafe {
            _mm512_storeu_epi32(
                room.as_mut_ptr().cast(),
                _mm512_maskz_compress_epi32(above, numbers),
            )
        };
        count += above.count_ones() as usize;
        numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(CHUNK as i32));
    }
    list.count = count;
}

/// Instruction set used for arithmetic. All give the same numbers to the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SimdLevel {
    /// Instructions that every processor of this kind has.
    Portable,
    /// Eight numbers at a time, with fused multiply-add (x86-64 since about 2013).
    Avx2,
    /// Sixteen numbers at a time.
    Avx512,
}

impl SimdLevel {
    /// Returns the widest instruction set of this processor.
    pub(super) fn detect() -> SimdLevel {
        let all = [SimdLevel::Avx512, SimdLevel::Avx2];
        all.into_iter()
            .find(|simd| simd.is_available())
            .unwrap_or(SimdLevel::Portable)
    }

    #[cfg(target_arch = "x86_64")]
    pub(super) fn is_available(self) -> bool {
        let avx2 = || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        match self {
            SimdLevel::Portable => true,
            SimdLevel::Avx2 => avx2(),
            SimdLevel::Avx512 => {
                avx2()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn is_available(self) -> bool {
        self == SimdLevel::Portable
    }

    /// Runs a kernel compiled for this instruction set, which must be available.
    #[allow(unsafe_code)]
    #[inline]
    pub(super) fn run<W: Kernel>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `BackgammonEvaluator::for_simd` and `detect` choose only available
            // instruction sets, with every feature that the function is compiled for.
            SimdLevel::Avx512 => unsafe { run_avx512(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            SimdLevel::Avx2 => unsafe { run_avx2(work) },
            _ => work.run::<ScalarLister>(),
        }
    }
}

/// Arithmetic compiled once for each instruction set; `run` and everything it calls should be
/// `#[inline(always)]`.
pub(super) trait Kernel {
    /// Result of the kernel.
    type Output;

    fn run<L: ActiveLister>(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl")]
fn run_avx512<W: Kernel>(work: W) -> W::Output {
    work.run::<Avx512Lister>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<W: Kernel>(work: W) -> W::Output {
    work.run::<ScalarLister>()
}
