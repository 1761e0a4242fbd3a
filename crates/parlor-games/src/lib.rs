//! The one list of games: erased positions, views, pictures, bots.
