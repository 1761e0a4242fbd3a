//! The tic-tac-toe family: m,n,k games for any number of seats.
