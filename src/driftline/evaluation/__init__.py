"""Exams: how well systems order, as the paper measures it, with intervals and signatures."""
