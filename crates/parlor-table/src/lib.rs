//! A game at a table: commands in, events out; seats, record, verified luck.
