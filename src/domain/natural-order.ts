const collator = new Intl.Collator('en', { numeric: true });

/** Compares names as people count: `node-2` comes before `node-10`. Only the same text is equal, so that no two names change places. */
export function naturalOrder(one: string, other: string): number {
  return collator.compare(one, other) || (one < other ? -1 : Number(one > other));
}
