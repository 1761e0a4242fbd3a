//! The same arithmetic in a processor's wide registers.
//!
//! The one place with `unsafe` here: calling code that was compiled for more than the target's basic instructions, and listing the
//! neurons that are on sixteen at a time (a quarter of the time of a judgment goes when it is done one by one).

/// The most numbers that are listed at once.
pub(super) const MOST_LISTED: usize = 512;

/// Numbers that are listed at once.
const CHUNK: usize = 16;

/// Which of some numbers are above 0: a list with room for a last, partly filled chunk.
#[derive(Clone, Debug)]
pub(super) struct List {
    numbers: [u32; MOST_LISTED + CHUNK],
    count: usize,
}

impl List {
    #[inline(always)]
    pub(super) const fn new() -> List {
        List {
            numbers: [0; MOST_LISTED + CHUNK],
            count: 0,
        }
    }

    #[inline(always)]
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers[..self.count]
    }
}

/// How numbers above 0 are listed.
pub(super) trait Lister {
    /// Lists those of `values`, of which there are at most [`MOST_LISTED`], a multiple of sixteen.
    fn list(values: &[f32], list: &mut List);
}

/// One by one.
struct Single;

impl Lister for Single {
    #[inline(always)]
    fn list(values: &[f32], list: &mut List) {
        let mut count = 0;
        for (n, value) in values.iter().enumerate() {
            // Without a branch: the next one overwrites a number that is not above 0.
            list.numbers[count & (MOST_LISTED - 1)] = n as u32;
            count += usize::from(*value > 0.0);
        }
        list.count = count;
    }
}

/// Sixteen at a time.
#[cfg(target_arch = "x86_64")]
struct Sixteen;

#[cfg(target_arch = "x86_64")]
impl Lister for Sixteen {
    #[allow(unsafe_code)]
    #[inline(always)]
    fn list(values: &[f32], list: &mut List) {
        // SAFETY: only `run_avx512` names this type, and it is called only where the instructions are there.
        unsafe { list_sixteen(values, list) }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512f")]
#[inline]
fn list_sixteen(values: &[f32], list: &mut List) {
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
        // SAFETY: the room is for sixteen numbers.
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

/// Which registers are used. All give the same numbers to the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Registers {
    /// Those that every processor of this kind has.
    Plain,
    /// Eight numbers at once, and multiplication with addition in one step (x86-64 since about 2013).
    Avx2,
    /// Sixteen numbers at once.
    Avx512,
}

impl Registers {
    /// The widest that the processor has.
    pub(super) fn widest() -> Registers {
        let all = [Registers::Avx512, Registers::Avx2];
        all.into_iter()
            .find(|registers| registers.are_there())
            .unwrap_or(Registers::Plain)
    }

    #[cfg(target_arch = "x86_64")]
    pub(super) fn are_there(self) -> bool {
        let avx2 = || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        match self {
            Registers::Plain => true,
            Registers::Avx2 => avx2(),
            Registers::Avx512 => {
                avx2()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn are_there(self) -> bool {
        self == Registers::Plain
    }

    /// Does some work compiled for these registers. Only registers that are there are ever asked.
    #[allow(unsafe_code)]
    #[inline]
    pub(super) fn run<W: Work>(self, work: W) -> W::Done {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: an `Eval` is made only for registers that are there, with every feature that the function is compiled for.
            Registers::Avx512 => unsafe { run_avx512(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Registers::Avx2 => unsafe { run_avx2(work) },
            _ => work.run::<Single>(),
        }
    }
}

/// Arithmetic worth compiling for each kind of registers; `run` should be `#[inline(always)]`, and all that it calls.
pub(super) trait Work {
    /// What comes of it.
    type Done;

    fn run<L: Lister>(self) -> Self::Done;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl")]
fn run_avx512<W: Work>(work: W) -> W::Done {
    work.run::<Sixteen>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<W: Work>(work: W) -> W::Done {
    work.run::<Single>()
}
