"""Slow and obvious versions of everything that is fast in driftline: plain Python, straight from the paper.

They know nothing of the package; documents are lists of sentences, sentences lists of words.
"""

import itertools
import math
from fractions import Fraction

import numpy as np

START, UNK = "<START of a sentence>", "<UNK of the oracle>"


def types_of(documents):
    """V: the word types of the training text and one UNK."""
    return {word for document in documents for sentence in document for word in sentence} | {UNK}


def bigrams_of(sentence):
    return list(zip([START, *sentence], sentence, strict=False))


def precise_log(p):
    """The logarithm of a fraction: exact to the last digits beside 1 too, and for what is no float any more."""
    if Fraction(1, 2) < p < 2:
        return math.log1p(float(p - 1))
    return math.log(p.numerator) - math.log(p.denominator)


class OracleModel:
    """Design section 4, read word by word. Probabilities are fractions, so that the judge never rounds."""

    def __init__(self, documents, labels, n_states, d1, d2):
        self.m, self.d1, self.d2 = n_states, Fraction(d1), Fraction(d2)
        self.vocabulary = types_of(documents)
        self.documents, self.labels = documents, labels
        self.f_bigram = [{} for _ in range(n_states)]
        self.f_history = [{} for _ in range(n_states)]
        for document, states in zip(documents, labels, strict=True):
            for sentence, state in zip(document, states, strict=True):
                for history, word in bigrams_of(sentence):
                    self.f_bigram[state][history, word] = self.f_bigram[state].get((history, word), 0) + 1
                    self.f_history[state][history] = self.f_history[state].get(history, 0) + 1

    def p_topic(self, state, word, history):
        f = self.f_bigram[state].get((history, word), 0)
        return (f + self.d1) / (self.f_history[state].get(history, 0) + self.d1 * len(self.vocabulary))

    def p_insertion(self, word, history):
        if self.m == 1 or len(self.vocabulary) == 1:
            return Fraction(1, len(self.vocabulary))

        def rest(u):
            return 1 - max(self.p_topic(state, u, history) for state in range(self.m - 1))

        return rest(word) / sum(rest(u) for u in self.vocabulary)

    def p_word(self, state, word, history):
        return self.p_insertion(word, history) if state == self.m - 1 else self.p_topic(state, word, history)

    def log_emission(self, sentence):
        known = [word if word in self.vocabulary else UNK for word in sentence]
        return [
            math.fsum(precise_log(self.p_word(state, word, history)) for history, word in bigrams_of(known))
            for state in range(self.m)
        ]

    def documents_where(self, holds):
        return sum(1 for states in self.labels if holds(states))

    def p_transition(self, i, j):
        pair = self.documents_where(lambda states: (i, j) in itertools.pairwise(states))
        single = self.documents_where(lambda states: i in states)
        return (pair + self.d2) / (single + self.d2 * self.m)

    def p_initial(self, j):
        begins = self.documents_where(lambda states: states[0] == j)
        return (begins + self.d2) / (len(self.documents) + self.d2 * self.m)

    def p_final(self, i):
        ends = self.documents_where(lambda states: states[-1] == i)
        return (ends + self.d2) / (self.documents_where(lambda states: i in states) + self.d2 * self.m)

    def log_initial(self):
        return [precise_log(self.p_initial(j)) for j in range(self.m)]

    def log_transition(self):
        return [[precise_log(self.p_transition(i, j)) for j in range(self.m)] for i in range(self.m)]

    def log_final(self):
        return [precise_log(self.p_final(i)) for i in range(self.m)]

    def all_paths(self, document):
        """The log-probability of every path of states through a document."""
        rows = [self.log_emission(sentence) for sentence in document]
        return all_paths(self.log_initial(), self.log_transition(), self.log_final(), rows)


def all_paths(log_initial, log_transition, log_final, log_emission):
    """Full enumeration: the log-probability of every path of states."""
    m, n = len(log_initial), len(log_emission)
    return {
        path: math.fsum(
            [log_initial[path[0]], log_final[path[-1]]]
            + [row[state] for row, state in zip(log_emission, path, strict=True)]
            + [log_transition[i][j] for i, j in itertools.pairwise(path)]
        )
        for path in itertools.product(range(m), repeat=n)
    }


def plain_posterior(log_initial, log_transition, log_final, log_emission):
    """The share of every state at every sentence of all paths together, by enumeration."""
    paths = all_paths(log_initial, log_transition, log_final, log_emission)
    total = log_sum(list(paths.values()))
    shares = [[0.0] * len(log_initial) for _ in log_emission]
    for path, log_probability in paths.items():
        for row, state in zip(shares, path, strict=True):
            row[state] += math.exp(log_probability - total)
    return shares


def log_sum(values):
    top = max(values)
    return top + math.log(math.fsum(math.exp(value - top) for value in values))


def plain_forward(log_initial, log_transition, log_final, log_emission):
    """The forward algorithm in log space, a loop a state."""
    m = len(log_initial)
    alpha = [log_initial[s] + log_emission[0][s] for s in range(m)]
    for row in log_emission[1:]:
        alpha = [log_sum([alpha[i] + log_transition[i][j] for i in range(m)]) + row[j] for j in range(m)]
    return log_sum([alpha[s] + log_final[s] for s in range(m)])


def plain_viterbi(log_initial, log_transition, log_final, log_emission):
    """The Viterbi algorithm, a loop a state; of equal predecessors the lower one."""
    m = len(log_initial)
    delta = [log_initial[s] + log_emission[0][s] for s in range(m)]
    back = []
    for row in log_emission[1:]:
        best = [max(range(m), key=lambda i, j=j: (delta[i] + log_transition[i][j], -i)) for j in range(m)]
        delta = [delta[best[j]] + log_transition[best[j]][j] + row[j] for j in range(m)]
        back.append(best)
    state = max(range(m), key=lambda s: (delta[s] + log_final[s], -s))
    path = [state]
    for best in reversed(back):
        path.append(best[path[-1]])
    return path[::-1], max(delta[s] + log_final[s] for s in range(m))


def plain_order_scores(log_initial, log_transition, log_final, log_emission):
    """The log of the forward probability of every order of the sentences: N! runs of the forward algorithm."""
    chain = (log_initial, log_transition, log_final)
    return {
        order: plain_forward(*chain, [log_emission[i] for i in order])
        for order in itertools.permutations(range(len(log_emission)))
    }


def quick_order_scores(log_initial, log_transition, log_final, log_emission):
    """The same in array operations, an order's beginning only once: for eight sentences and many states."""
    transition, scores = np.exp(log_transition), {}

    def extend(order, alpha):
        if len(order) == len(log_emission):
            top = alpha.max()
            scores[order] = float(np.log(np.exp(alpha - top) @ np.exp(log_final)) + top)
            return
        into = log_initial
        if order:
            top = alpha.max()
            into = np.log(np.exp(alpha - top) @ transition) + top
        for i in range(len(log_emission)):
            if i not in order:
                extend((*order, i), into + log_emission[i])

    extend((), None)
    return scores


def better_and_equal(scores, order):
    """How many orders score higher than this one, and how many others equal it to 1e-9 of the log."""
    own = scores[order]
    tolerance = 1e-9 * abs(own)
    better = sum(score > own + tolerance for score in scores.values())
    no_worse = sum(score >= own - tolerance for score in scores.values())
    return better, no_worse - better - 1


def swaps_of_neighbours(order):
    """How many swaps of neighbours bring an order back to 0, 1, 2, ..., counted while doing them."""
    order, swaps = list(order), 0
    for _ in order:
        for i in range(len(order) - 1):
            if order[i] > order[i + 1]:
                order[i], order[i + 1] = order[i + 1], order[i]
                swaps += 1
    return swaps


class StreamBigrams:
    """The bigram language model over the whole word stream of documents, by dictionary."""

    def __init__(self, documents, d):
        self.types, self.d = types_of(documents), d
        self.pairs, self.befores = {}, {}
        for document in documents:
            for history, word in bigrams_of([word for sentence in document for word in sentence]):
                self.pairs[history, word] = self.pairs.get((history, word), 0) + 1
                self.befores[history] = self.befores.get(history, 0) + 1

    def log_probability(self, document):
        stream = [word if word in self.types else UNK for sentence in document for word in sentence]
        return math.fsum(
            math.log((self.pairs.get(pair, 0) + self.d) / (self.befores.get(pair[0], 0) + self.d * len(self.types)))
            for pair in bigrams_of(stream)
        )


def plain_complete_link(similarity):
    """Complete link by definition: merge the two most similar clusters until no pair is above 0."""
    clusters = [[i] for i in range(len(similarity))]
    heights = []

    def linkage(a, b):
        return min(similarity[i][j] for i in a for j in b)

    while len(clusters) > 1:
        value, a, b = max((linkage(clusters[a], clusters[b]), a, b) for a in range(len(clusters)) for b in range(a))
        if value <= 0:
            break
        heights.append(value)
        clusters[b] = sorted(clusters[b] + clusters[a])
        del clusters[a]
    return clusters, heights


def plain_cosine(a, b):
    """Cosine of two dictionaries of counts."""
    dot = sum(count * b.get(key, 0) for key, count in a.items())
    lengths = math.sqrt(sum(c * c for c in a.values())) * math.sqrt(sum(c * c for c in b.values()))
    return dot / lengths if lengths else 0.0


def replay(similarity, merges):
    """Repeat merges by the definition: for each, its linkage and the best linkage that there was to choose."""
    clusters = {i: [i] for i in range(len(similarity))}

    def linkage(a, b):
        return min(similarity[i][j] for i in clusters[a] for j in clusters[b])

    for kept, gone in merges:
        best = max(linkage(a, b) for a, b in itertools.combinations(clusters, 2))
        yield linkage(kept, gone), best
        clusters[kept] += clusters.pop(gone)


def plain_counts(documents, labels, n_states):
    """Everything that is counted, straight from the definitions, as dictionaries and lists."""
    counts = {
        "bigrams": {},
        "document": [0] * n_states,
        "pair": [[0] * n_states for _ in range(n_states)],
        "initial": [0] * n_states,
        "final": [0] * n_states,
        "sentence": [0] * n_states,
    }
    for document, states in zip(documents, labels, strict=True):
        for sentence, state in zip(document, states, strict=True):
            counts["sentence"][state] += 1
            for history, word in bigrams_of(sentence):
                key = (history, word, state)
                counts["bigrams"][key] = counts["bigrams"].get(key, 0) + 1
        for state in set(states):
            counts["document"][state] += 1
        for i, j in set(itertools.pairwise(states)):
            counts["pair"][i][j] += 1
        if states:
            counts["initial"][states[0]] += 1
            counts["final"][states[-1]] += 1
    return counts


def plain_summary_probability(article_states, summary_states, n_states):
    """Section 4.2: for states in at least three articles, the share whose summary holds them too; else None."""
    pairs = list(zip(article_states, summary_states, strict=True))
    shares = []
    for state in range(n_states):
        articles = sum(state in article for article, _ in pairs)
        both = sum(state in article and state in summary for article, summary in pairs)
        shares.append(Fraction(both, articles) if articles >= 3 else None)
    return shares


def plain_choice(states, probability, length):
    """Section 4.2 to the letter: `length` states, then their sentences, the footnote where they are too many."""
    share = {state: probability[state] or 0 for state in states}
    chosen_states = []
    for _ in range(min(length, len(share))):
        left = [state for state in states if state not in chosen_states]  # in order of appearance
        chosen_states.append(max(left, key=share.__getitem__))  # of equal ones the first
    chosen = [i for i, state in enumerate(states) if state in chosen_states]
    while len(chosen) > length:
        least = min(share[states[i]] for i in chosen)
        chosen.remove(max(i for i in chosen if share[states[i]] == least))
    return chosen
