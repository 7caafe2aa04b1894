//! Laws that hold for every command.
