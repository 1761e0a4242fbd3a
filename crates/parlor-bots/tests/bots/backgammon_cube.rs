//! Cube decisions: actions on which the literature agrees, and symmetry under color changes.

use parlor_backgammon::{
    BLACK, Board, Crawford, Cube, Dice, Game, Move, Phase, Roll, Rules, Setup, WHITE,
};
use parlor_bots::backgammon::{NetPlayer, NetPlayerSettings};
use parlor_bots::{Nodes, Prng, Strategy};
use parlor_core::{Seat, random_below};
use rand_xoshiro::rand_core::SeedableRng;

use crate::backgammon::board;

/// Parts of a game that the cube depends on.
#[derive(Clone, Copy, Debug)]
struct At {
    rules: Rules,
    score: [u8; 2],
    crawford: Crawford,
    cube: Cube,
}

impl At {
    /// Money play with a centered cube.
    fn money() -> At {
        At {
            rules: Rules::MONEY,
            score: [0, 0],
            crawford: Crawford::Before,
            cube: Cube::default(),
        }
    }

    /// Money play with a cube of 2 owned by the mover.
    fn redouble() -> At {
        At {
            cube: Cube::new(1, Some(WHITE)).expect("a cube of 2"),
            ..At::money()
        }
    }

    /// Returns a match in which the mover and the opponent need these points.
    fn away(mine: u8, theirs: u8, crawford: Crawford) -> At {
        let length = mine.max(theirs).max(3);
        let rules = Rules::match_to(length).expect("a match");
        At {
            rules,
            score: [length - mine, length - theirs],
            crawford,
            cube: Cube::default(),
        }
    }

    fn game(&self, board: &Board, phase: Phase) -> Game {
        let mut setup = Setup::new(self.rules);
        (setup.counts, setup.phase, setup.cube) = (
            [board.mover().counts(), board.other().counts()],
            phase,
            self.cube,
        );
        (setup.score, setup.crawford, setup.on_roll) = (self.score, self.crawford, WHITE);
        setup.validate().expect("a game")
    }
}

fn choose(game: &Game, plies: u32) -> (Move, f64) {
    let choice = NetPlayer::new(NetPlayerSettings::with_plies(plies))
        .choose(game, &mut Nodes(u64::MAX))
        .expect("a seat is to move");
    (choice.mv, choice.info.value.expect("a value"))
}

/// Returns the action of the player on roll, and the opponent's answer to a double.
fn actions(board: &Board, at: At) -> [Move; 2] {
    [Phase::Cube, Phase::Doubled].map(|phase| choose(&at.game(board, phase), 2).0)
}

const NO_DOUBLE_TAKE: [Move; 2] = [Move::Roll, Move::Take];
const DOUBLE_TAKE: [Move; 2] = [Move::Double, Move::Take];
const DOUBLE_DROP: [Move; 2] = [Move::Double, Move::Drop];

#[test]
fn jacobys_paradox_a_redouble_is_right_only_against_the_better_position() {
    // Oswald Jacoby's paradox (O. Jacoby and J. R. Crawford, "The Backgammon Book", 1970): two
    // checkers on 5 and 2 go off with 19 of 36 rolls. Against two checkers on the 1 point, which
    // are off with the next roll, it is a redouble. Against any position that may miss it is not:
    // the player who misses first would be redoubled out. With a centered cube it is a double
    // against all of them.
    let mine = [(5, 1), (2, 1)];
    let better = board(&mine, &[(1, 2)]);
    assert_eq!(actions(&better, At::redouble()), DOUBLE_TAKE);
    assert_eq!(actions(&better, At::money()), DOUBLE_TAKE);
    let worse: [&[(usize, u8)]; 4] = [&[(6, 1)], &[(4, 1), (1, 1)], &[(2, 2)], &[(3, 1), (2, 1)]];
    for theirs in worse {
        let worse = board(&mine, theirs);
        assert_eq!(
            actions(&worse, At::redouble()),
            NO_DOUBLE_TAKE,
            "{theirs:?}"
        );
        assert_eq!(actions(&worse, At::money()), DOUBLE_TAKE, "{theirs:?}");
    }
    // Against 4 and 1 the redouble of a cube of 2 brings 0.22 points instead of 0.48 (C. Bray, The
    // Independent, 12 September 1997).
    let game = At::redouble().game(&board(&mine, worse[1]), Phase::Cube);
    assert!((6.0 * choose(&game, 2).1 - 0.48).abs() < 0.01);
    let game = At::redouble().game(&board(&mine, worse[1]), Phase::Doubled);
    assert!((6.0 * choose(&game, 2).1 + 0.22).abs() < 0.01);
}

#[test]
fn with_one_roll_left_three_quarters_are_a_double_and_a_take_at_once() {
    // The opponent goes off with any roll. Counted by hand: 6-1 goes off with 15, 4-3 with 17, 4-2
    // with 23, 4-1 with 29 of 36 rolls.
    let last = |mine: &[(usize, u8)]| board(mine, &[(1, 2)]);
    assert_eq!(
        actions(&last(&[(6, 1), (1, 1)]), At::money()),
        NO_DOUBLE_TAKE
    );
    assert_eq!(
        actions(&last(&[(4, 1), (3, 1)]), At::money()),
        NO_DOUBLE_TAKE
    );
    assert_eq!(actions(&last(&[(4, 1), (2, 1)]), At::money()), DOUBLE_TAKE);
    assert_eq!(actions(&last(&[(4, 1), (1, 1)]), At::money()), DOUBLE_DROP);
    // 27 of 36, three quarters: both taking and dropping lose a point on average.
    let (mv, worth) = choose(&At::money().game(&last(&[(6, 1)]), Phase::Cube), 2);
    assert!(
        mv == Move::Double && (worth - 1.0 / 3.0).abs() < 1e-6,
        "{mv:?} {worth}"
    );
}

/// Returns the points per game with this many rolls left for both, doubles counting for two, with a
/// cube of 1 that is centered, the mover's, or the opponent's; before the roll and without a double
/// now. Rolls are counted in checkers on the 1 point.
fn aces(mine: u8, theirs: u8) -> [f64; 3] {
    let after = |off: u8| {
        if off >= mine {
            return [1.0; 3];
        }
        let [nobodys, own, others] = aces(theirs, mine - off);
        let double = (2.0 * others).min(1.0);
        [-nobodys.max(double), -others, -own.max(double)]
    };
    let (usual, double) = (after(2), after(4));
    std::array::from_fn(|n| (30.0 * usual[n] + 6.0 * double[n]) / 36.0)
}

#[test]
fn rolls_left_alone_decide_when_only_aces_are_left() {
    // With two or three rolls left for both it is a drop, with four a redouble and a take, with six
    // a double but no redouble; with five, redoubling and rolling are equal within a hundredth.
    // These are known as the n-roll positions, and a short recursion proves them.
    let board = |rolls: u8| board(&[(1, 2 * rolls)], &[(1, 2 * rolls)]);
    let known = [
        (2, DOUBLE_DROP, DOUBLE_DROP),
        (3, DOUBLE_DROP, DOUBLE_DROP),
        (4, DOUBLE_TAKE, DOUBLE_TAKE),
        (6, DOUBLE_TAKE, NO_DOUBLE_TAKE),
    ];
    for (rolls, first, again) in known {
        let [nobodys, own, others] = aces(2 * rolls, 2 * rolls);
        let answer = if 2.0 * others > 1.0 {
            Move::Drop
        } else {
            Move::Take
        };
        let by = |held: f64| {
            [
                if (2.0 * others).min(1.0) > held {
                    Move::Double
                } else {
                    Move::Roll
                },
                answer,
            ]
        };
        assert_eq!(
            (by(nobodys), by(own)),
            (first, again),
            "{rolls} rolls, by recursion"
        );
        if rolls < 6 {
            assert_eq!(actions(&board(rolls), At::money()), first, "{rolls} rolls");
            assert_eq!(
                actions(&board(rolls), At::redouble()),
                again,
                "{rolls} rolls"
            );
        }
    }
    // Positions beyond the exact tables.
    assert_eq!(actions(&board(7), At::redouble()), NO_DOUBLE_TAKE);
    assert_eq!(actions(&board(6), At::money())[1], Move::Take);
}

/// Returns a race of 104 pips for the mover, and this many more for the opponent.
fn race(behind: u8) -> Board {
    let mine = [4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10];
    let mut theirs = mine;
    // The sides have passed each other.
    theirs
        .iter_mut()
        .rev()
        .take(behind.into())
        .for_each(|point| *point += 1);
    let points = |all: [usize; 15]| all.map(|point| (point, 1));
    let board = board(&points(mine), &points(theirs));
    assert!(
        board.is_race()
            && board.mover().pips() == 104
            && board.other().pips() == 104 + u16::from(behind)
    );
    board
}

#[test]
fn long_races_are_doubled_and_dropped_by_eight_nine_and_twelve_of_a_hundred() {
    // The well-known rule of 8, 9 and 12: with about a hundred pips left, a lead of 8 percent is a
    // double, 9 a redouble, and up to 12 a take; the last in B. Robertie, "Advanced Backgammon".
    assert_eq!(actions(&race(4), At::money()), NO_DOUBLE_TAKE);
    assert_eq!(actions(&race(9), At::money()), DOUBLE_TAKE);
    assert_eq!(actions(&race(6), At::redouble()), NO_DOUBLE_TAKE);
    assert_eq!(actions(&race(10), At::redouble()), DOUBLE_TAKE);
    assert_eq!(actions(&race(15), At::money()), DOUBLE_DROP);
    assert_eq!(actions(&race(15), At::redouble()), DOUBLE_DROP);
}

#[test]
fn against_a_closed_board_five_checkers_off_are_a_take() {
    // One checker on the bar against a closed board with its spare checkers on 4, 5 and 6: by the
    // rule of five checkers off, that is just a take and about the last redouble. Well away from
    // five it is undisputed.
    let closed = |off: u8| {
        let left = 14 - off;
        let theirs = [(1, left / 2), (2, left - left / 2), (25, 1)];
        board(&[(1, 2), (2, 2), (3, 2), (4, 3), (5, 3), (6, 3)], &theirs)
    };
    assert_eq!(actions(&closed(2), At::redouble()), DOUBLE_DROP);
    assert_eq!(actions(&closed(3), At::redouble())[1], Move::Drop);
    assert_eq!(actions(&closed(6), At::redouble())[1], Move::Take);
    assert_eq!(actions(&closed(8), At::redouble()), NO_DOUBLE_TAKE);
    assert_eq!(actions(&closed(11), At::money()), NO_DOUBLE_TAKE);
}

#[test]
fn after_the_crawford_game_the_trailer_doubles_at_once_and_the_leader_has_a_free_drop() {
    // Books on matches agree: the trailer has nothing to lose. A leader against a player who needs
    // an even number of points may drop once for next to nothing, and does when the opponent is
    // ahead at all; against an odd number each drop costs a game.
    for theirs in [3, 5] {
        assert_eq!(
            actions(&Board::START, At::away(theirs, 1, Crawford::After)),
            DOUBLE_TAKE,
            "{theirs} away"
        );
    }
    assert_eq!(
        actions(&Board::START, At::away(2, 1, Crawford::After)),
        DOUBLE_DROP
    );
    let behind = board(
        &[(24, 2), (13, 4), (8, 3), (6, 6)],
        &[(24, 2), (13, 4), (7, 2), (5, 2), (6, 3), (4, 2)],
    );
    assert_eq!(
        actions(&behind, At::away(2, 1, Crawford::After))[1],
        Move::Take
    );
}

#[test]
fn a_player_who_loses_the_match_with_the_game_redoubles_at_once() {
    // The mover owns a cube that the opponent needs to win the match: losing more costs nothing,
    // and winning more needs the cube.
    let at = At {
        cube: Cube::new(1, Some(WHITE)).expect("a cube of 2"),
        ..At::away(5, 2, Crawford::Before)
    };
    let level = board(
        &[(6, 5), (5, 4), (4, 3), (8, 3)],
        &[(6, 5), (5, 4), (4, 3), (8, 3)],
    );
    assert_eq!(choose(&at.game(&level, Phase::Cube), 0).0, Move::Double);
    assert_eq!(choose(&at.game(&level, Phase::Cube), 2).0, Move::Double);
}

/// Returns the same game with the colors swapped.
fn mirrored(game: &Game) -> Game {
    let mut setup = Setup::from_game(game);
    setup.counts.swap(0, 1);
    setup.score.swap(0, 1);
    setup.on_roll = BLACK;
    setup.cube = Cube::new(
        setup.cube.turned(),
        setup.cube.owner().map(|owner| owner.next(2)),
    )
    .expect("a cube");
    setup
        .validate()
        .expect("the same game with the colors changed")
}

/// Returns boards of random games, seen from the player on roll.
fn boards(count: usize) -> Vec<Board> {
    let (mut rng, mut boards, mut moves) = (Prng::seed_from_u64(17), Vec::new(), Vec::new());
    let rolls: Vec<Roll> = Roll::all().collect();
    while boards.len() < count {
        let mut board = Board::START;
        for _ in 0..random_below(&mut rng, 70) {
            let roll = rolls[random_below(&mut rng, 21) as usize];
            board.afterstates_into(Dice::from(roll), &mut moves);
            board = moves[random_below(&mut rng, moves.len() as u32) as usize].swapped();
            if board.other().off() == 15 {
                break;
            }
        }
        if board.other().off() < 15 {
            boards.push(board);
        }
    }
    boards
}

#[test]
fn values_do_not_depend_on_colors_or_seats() {
    let owned = |turned: u8, owner: Seat| Cube::new(turned, Some(owner)).expect("a cube");
    let in_match = At::away(4, 2, Crawford::Before);
    let cases = [
        At::money(),
        At {
            cube: owned(1, WHITE),
            ..At::money()
        },
        At {
            cube: owned(2, BLACK),
            ..At::money()
        },
        At {
            rules: Rules {
                jacoby: false,
                ..Rules::MONEY
            },
            ..At::money()
        },
        in_match,
        At {
            cube: owned(1, WHITE),
            ..in_match
        },
        At {
            cube: owned(1, BLACK),
            ..in_match
        },
        At::away(7, 7, Crawford::Before),
        At::away(3, 1, Crawford::After),
        At::away(3, 1, Crawford::Now),
    ];
    let dice = Phase::Moving(Dice::from(Roll::all().nth(4).expect("a roll")));
    for board in boards(40) {
        for at in cases {
            for phase in [Phase::Cube, Phase::Doubled, dice] {
                let may_double = at.cube.owner() != Some(BLACK) && at.crawford != Crawford::Now;
                if phase != dice && !may_double {
                    continue;
                }
                let game = at.game(&board, phase);
                let (white, black) = (choose(&game, 1), choose(&mirrored(&game), 1));
                assert_eq!(white, black, "{board:?} {at:?} {phase:?}");
            }
        }
    }
}

#[test]
fn values_of_a_double_are_symmetric_to_the_last_bit() {
    for board in boards(60) {
        for at in [
            At::money(),
            At::redouble(),
            At::away(5, 3, Crawford::Before),
        ] {
            let (offered, answered) = (
                at.game(&board, Phase::Cube),
                at.game(&board, Phase::Doubled),
            );
            let (mv, gain) = choose(&offered, 1);
            if mv == Move::Double {
                assert_eq!(choose(&answered, 1).1, -gain, "{board:?} {at:?}");
            }
        }
    }
}
