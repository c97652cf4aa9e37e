"""The content model: clustering, counts, emissions, transitions, training, decoding."""
