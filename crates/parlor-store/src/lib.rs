//! One store over SQLite, PostgreSQL and MySQL.
