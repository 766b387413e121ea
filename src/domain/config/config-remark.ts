/** Where in the configuration: `['dependentResourceInfos', 1, 'scaleUp']`; empty for the whole of it. */
export type KeyPath = readonly (string | number)[];

/** One thing that keeps a configuration from being used (SPEC 1.3). */
export type ConfigProblem = Readonly<{
  path: KeyPath;
  /** What is there. */
  found: string;
  /** What is expected. */
  wanted: string;
  /** Counted from 1, where a file was read. */
  line?: number;
}>;

/** One thing that the operator ought to know, though the configuration can be used. */
export type ConfigWarning = Readonly<{
  path: KeyPath;
  /** Completes the path to a sentence: `is missing, and counts as 0`. */
  text: string;
  /** Only where a strict reader refuses it (SPEC 2.1): the problem that it is then. */
  strictly?: Readonly<{ found: string; wanted: string }>;
  line?: number;
}>;

/** What came of reading a configuration; `defaults` are the keys that the operator left out. */
export type ConfigReading<Config> =
  | Readonly<{ ok: true; config: Config; warnings: readonly ConfigWarning[]; defaults: readonly KeyPath[] }>
  | Readonly<{ ok: false; problems: readonly ConfigProblem[]; warnings: readonly ConfigWarning[] }>;

/** `dependentResourceInfos[1].scaleUp.timeout`. */
export function writePath(path: KeyPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += (text === '' ? '' : '.') + (/^[\w-]+$/.test(step) ? step : JSON.stringify(step));
  }
  return text;
}

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
