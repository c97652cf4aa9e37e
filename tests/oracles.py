"""Slow and obvious versions of everything that is fast in driftline: plain Python, straight from the paper.

They know nothing of the package; documents are lists of sentences, sentences lists of words.
"""

import itertools
import math

START, UNK = "<START of a sentence>", "<UNK of the oracle>"


def types_of(documents):
    """V: the word types of the training text and one UNK."""
    return {word for document in documents for sentence in document for word in sentence} | {UNK}


def bigrams_of(sentence):
    return list(zip([START, *sentence], sentence, strict=False))


class OracleModel:
    """Design section 4, read word by word; probabilities as plain floats."""

    def __init__(self, documents, labels, n_states, d1, d2):
        self.m, self.d1, self.d2 = n_states, d1, d2
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
        if self.m == 1:
            return 1 / len(self.vocabulary)

        def rest(u):
            return 1 - max(self.p_topic(state, u, history) for state in range(self.m - 1))

        return rest(word) / math.fsum(rest(u) for u in self.vocabulary)

    def log_emission(self, sentence):
        known = [word if word in self.vocabulary else UNK for word in sentence]
        row = []
        for state in range(self.m):
            p = self.p_insertion if state == self.m - 1 else lambda w, h, s=state: self.p_topic(s, w, h)
            row.append(math.fsum(math.log(p(word, history)) for history, word in bigrams_of(known)))
        return row

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

    def path_log_probability(self, document, path):
        rows = [self.log_emission(sentence) for sentence in document]
        total = math.log(self.p_initial(path[0])) + math.log(self.p_final(path[-1]))
        total += math.fsum(row[state] for row, state in zip(rows, path, strict=True))
        return total + math.fsum(math.log(self.p_transition(i, j)) for i, j in itertools.pairwise(path))

    def all_paths(self, document):
        return {
            path: self.path_log_probability(document, path)
            for path in itertools.product(range(self.m), repeat=len(document))
        }


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
