"""The paper's tables and figures, one TOML each, run again and laid beside what was published."""
