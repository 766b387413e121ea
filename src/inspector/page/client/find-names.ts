import type { Kind } from '../../wire/wire.ts';

export type FoundName = Readonly<{ kind: Kind; subject: string }>;

/**
 * Machines whose name holds each word of `text`, at most so many: first those that begin with it, or have it behind a `-` or `/`, then by name.
 * Upper and lower case are the same.
 */
export function findNames(names: readonly FoundName[], text: string, most: number): readonly FoundName[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const [first = ''] = words;
  return names
    .map((name) => ({ name, lower: name.subject.toLowerCase() }))
    .filter(({ lower }) => words.every((word) => lower.includes(word)))
    .map(({ name, lower }) => ({ name, rank: rankOf(lower, first) }))
    .toSorted((a, b) => a.rank - b.rank || (a.name.subject < b.name.subject ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

function rankOf(lower: string, word: string): number {
  if (lower === word) return 0;
  if (lower.startsWith(word)) return 1;
  return lower.includes(`-${word}`) || lower.includes(`/${word}`) ? 2 : 3;
}
