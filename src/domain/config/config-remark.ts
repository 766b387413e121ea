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
