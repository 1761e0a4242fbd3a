//! The same arithmetic in a processor's wide registers.
//!
//! The one place with `unsafe` here: calling code that was compiled for more than the target's basic instructions.

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
        all.into_iter().find(|registers| registers.are_there()).unwrap_or(Registers::Plain)
    }

    #[cfg(target_arch = "x86_64")]
    pub(super) fn are_there(self) -> bool {
        let avx2 = || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        match self {
            Registers::Plain => true,
            Registers::Avx2 => avx2(),
            Registers::Avx512 => avx2() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl"),
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
            _ => work.run(),
        }
    }
}

/// Arithmetic worth compiling for each kind of registers; `run` should be `#[inline(always)]`, and all that it calls.
pub(super) trait Work {
    /// What comes of it.
    type Done;

    fn run(self) -> Self::Done;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl")]
fn run_avx512<W: Work>(work: W) -> W::Done {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<W: Work>(work: W) -> W::Done {
    work.run()
}
