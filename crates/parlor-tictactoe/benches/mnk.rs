//! Throughput of m,n,k games: random playouts move by move and perft leaves, compared with a plain
//! board of cells.
//!
//! `cargo bench -p parlor-tictactoe`

use divan::{Bencher, counter::ItemsCount};
use parlor_core::playout::Scratch;
use parlor_core::{NoChance, Outcome, Position, Seat, Turn, perft, playout, random_below};
use parlor_tictactoe::mnk::{Board, Cell, Grid, Illegal, Rules, Three, Wide};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn main() {
    divan::main();
}

/// Number of playouts per iteration, so that timer overhead does not matter.
const BATCH: u32 = 1000;

fn rules(rows: u8, columns: u8, k: u8) -> Rules {
    Rules::new(rows, columns, k, &['X', 'O']).expect("rules within the limits")
}

fn playouts<P: Position>(bencher: Bencher<'_, '_>, start: &P, games: u32) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = Scratch::default();
    bencher.counter(ItemsCount::new(games)).bench_local(|| {
        let play = |_| playout(&mut start.clone(), &mut rng, u32::MAX, &mut scratch).plies;
        (0..games).map(play).sum::<u32>()
    });
}

fn leaves<P: Position>(bencher: Bencher<'_, '_>, start: &P, depth: u32) {
    let count = perft(start, depth);
    bencher
        .counter(ItemsCount::new(count))
        .bench_local(|| perft(divan::black_box(start), depth));
}

#[divan::bench_group]
mod playouts_3x3 {
    use super::*;

    #[divan::bench]
    fn three(bencher: Bencher<'_, '_>) {
        playouts(bencher, &Three::new(), BATCH);
    }

    #[divan::bench]
    fn grid(bencher: Bencher<'_, '_>) {
        playouts(
            bencher,
            &Grid::<2>::new(Rules::classic().shape()).expect("nine cells fit"),
            BATCH,
        );
    }

    #[divan::bench]
    fn board(bencher: Bencher<'_, '_>) {
        playouts(bencher, &Board::new(Rules::classic()), BATCH);
    }

    #[divan::bench]
    fn plain_cells(bencher: Bencher<'_, '_>) {
        playouts(bencher, &Plain::new(Rules::classic()), BATCH);
    }
}

#[divan::bench_group]
mod playouts_5x5x4 {
    use super::*;

    #[divan::bench]
    fn grid(bencher: Bencher<'_, '_>) {
        playouts(
            bencher,
            &Grid::<2>::new(rules(5, 5, 4).shape()).expect("25 cells fit"),
            BATCH,
        );
    }

    #[divan::bench]
    fn board(bencher: Bencher<'_, '_>) {
        playouts(bencher, &Board::new(rules(5, 5, 4)), BATCH);
    }

    #[divan::bench]
    fn plain_cells(bencher: Bencher<'_, '_>) {
        playouts(bencher, &Plain::new(rules(5, 5, 4)), BATCH);
    }
}

#[divan::bench_group]
mod playouts_15x15x5 {
    use super::*;

    #[divan::bench]
    fn wide(bencher: Bencher<'_, '_>) {
        playouts(
            bencher,
            &Wide::<16, 2>::new(rules(15, 15, 5).shape()).expect("225 cells fit"),
            BATCH,
        );
    }

    #[divan::bench]
    fn board(bencher: Bencher<'_, '_>) {
        playouts(bencher, &Board::new(rules(15, 15, 5)), BATCH);
    }

    #[divan::bench]
    fn plain_cells(bencher: Bencher<'_, '_>) {
        playouts(bencher, &Plain::new(rules(15, 15, 5)), BATCH / 10);
    }
}

#[divan::bench_group]
mod perft_leaves {
    use super::*;

    #[divan::bench]
    fn three_to_depth_9(bencher: Bencher<'_, '_>) {
        leaves(bencher, &Three::new(), 9);
    }

    #[divan::bench]
    fn grid_5x5x4_to_depth_5(bencher: Bencher<'_, '_>) {
        leaves(
            bencher,
            &Grid::<2>::new(rules(5, 5, 4).shape()).expect("25 cells fit"),
            5,
        );
    }

    #[divan::bench]
    fn wide_15x15x5_to_depth_3(bencher: Bencher<'_, '_>) {
        leaves(
            bencher,
            &Wide::<16, 2>::new(rules(15, 15, 5).shape()).expect("225 cells fit"),
            3,
        );
    }

    #[divan::bench]
    fn plain_cells_5x5x4_to_depth_5(bencher: Bencher<'_, '_>) {
        leaves(bencher, &Plain::new(rules(5, 5, 4)), 5);
    }
}

/// Baseline: cells in a vector, a list of moves, all lines checked after every move.
#[derive(Clone)]
struct Plain {
    rules: Rules,
    cells: Vec<Option<Seat>>,
    turn: Turn,
}

impl Plain {
    fn new(rules: Rules) -> Plain {
        Plain {
            rules,
            cells: vec![None; usize::from(rules.shape().cells())],
            turn: Turn::Move(Seat::FIRST),
        }
    }

    fn has_run(&self, seat: Seat) -> bool {
        let (rows, columns) = (
            i32::from(self.rules.rows()),
            i32::from(self.rules.columns()),
        );
        let own = |row: i32, column: i32| {
            let on = (0..rows).contains(&row) && (0..columns).contains(&column);
            on && self.cells[(row * columns + column) as usize] == Some(seat)
        };
        let k = i32::from(self.rules.k());
        (0..rows * columns).any(|at| {
            let steps = [(0, 1), (1, 0), (1, 1), (1, -1)];
            let from = (at / columns, at % columns);
            steps
                .iter()
                .any(|(down, right)| (0..k).all(|i| own(from.0 + i * down, from.1 + i * right)))
        })
    }
}

impl Position for Plain {
    type Move = Cell;
    type Chance = NoChance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        2
    }

    fn turn(&self) -> Turn {
        self.turn
    }

    fn legal_moves_into(&self, out: &mut Vec<Cell>) {
        out.clear();
        if !self.turn.is_over() {
            let empty = self
                .cells
                .iter()
                .enumerate()
                .filter(|(_, stone)| stone.is_none());
            out.extend(empty.map(|(at, _)| Cell::from_index(at, self.rules.columns())));
        }
    }

    fn check(&self, cell: &Cell) -> Result<(), Illegal> {
        if self.legal_moves().contains(cell) {
            Ok(())
        } else {
            Err(Illegal::Occupied)
        }
    }

    fn play_unchecked(&mut self, cell: &Cell) {
        let Turn::Move(seat) = self.turn else { return };
        self.cells[cell.index(self.rules.columns())] = Some(seat);
        self.turn = if self.has_run(seat) {
            Turn::Over(Outcome::won(seat))
        } else if self.cells.iter().all(Option::is_some) {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Move(seat.next(2))
        };
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    fn random_move<R: rand::Rng + ?Sized>(
        &self,
        rng: &mut R,
        scratch: &mut Vec<Cell>,
    ) -> Option<Cell> {
        self.legal_moves_into(scratch);
        let pick = random_below(rng, scratch.len() as u32) as usize;
        scratch.get(pick).copied()
    }
}
