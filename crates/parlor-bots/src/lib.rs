//! Strategies: random, perfect, Monte Carlo tree search, alpha-beta.
