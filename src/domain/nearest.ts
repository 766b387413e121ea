/** Shorter words are part of too many others. */
const shortestPart = 4;

/**
 * The one of `known` that becomes `word` with the fewest changed, missing, added or swapped letters; case does not count.
 * Undefined where none is near: a wrong guess is worse than none.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const candidates = [...known];
  const begun = candidates.filter((candidate) => isBeginning(word.toLowerCase(), candidate.toLowerCase()));
  if (begun.length === 1) return begun[0];

  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const [one, other] = [word.toLowerCase(), candidate.toLowerCase()];
    const edits = editDistance(one, other);
    if (edits >= fewest || !(isSlip(edits, one, other) || isPart(one, other))) continue;
    best = candidate;
    fewest = edits;
  }
  return best;
}

/** At most a third of the letters is wrong: `simulator` for `simulate`, `hlep` for `help`. */
function isSlip(edits: number, one: string, other: string): boolean {
  return edits <= Math.max(one.length, other.length) / 3;
}

/** `config` for `config-file`: whoever stops early means the only one that goes on so. */
function isBeginning(one: string, other: string): boolean {
  return one.length >= shortestPart && other.startsWith(one);
}

/** `interval` for `probeInterval`, `probeIntervalSeconds` for it too. */
function isPart(one: string, other: string): boolean {
  return Math.min(one.length, other.length) >= shortestPart && (one.includes(other) || other.includes(one));
}

/** Optimal string alignment: Levenshtein's distance in which two swapped neighbours count as one slip, not as two. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
