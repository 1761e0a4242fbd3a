//! HTTP API, live events and web pages.
