/** Longer texts are cut: a problem is one line of a terminal. */
const longest = 60;

/** What stands at a key, short enough to be read in a sentence. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object') {
    const keys = Object.keys(value);
    return keys.length === 0 ? 'an empty mapping' : cut(`a mapping of ${keys.join(', ')}`);
  }
  if (typeof value === 'string') return cut(JSON.stringify(value));
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : typeof value;
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
