/** Of a number, a boolean or null, within JSON. */
const scalarLength = 8;

/**
 * About how long the JSON of a plain value will be, in characters; whatever is found once it exceeds `most`. Costs a
 * fraction of writing it, and never more than for `most` characters: what is too long to be kept must not be written first (SPEC 4.7).
 */
export function roughSize(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return scalarLength;
  let size = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && size <= most; index++) size += 1 + roughSize(value[index], most - size);
    return size;
  }
  // Not by entries: their arrays would cost more than the writing. A plain value inherits nothing that could be listed.
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    if (size > most) break;
    size += name.length + 4 + roughSize(fields[name], most - size);
  }
  return size;
}
