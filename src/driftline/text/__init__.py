"""From files to flat integer arrays: corpus, sentences, tokens, masking, encoding."""
