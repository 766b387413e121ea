import { readFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Whose branches only faults reach, by what they are in the program. */
const rooms: Readonly<Record<string, RegExp>> = {
  streams: /^src\/adapters\/(reflector|seed-watch|weeder-seed)\//,
  scaler: /^src\/adapters\/(seed|seed-client)\//,
  election: /^src\/adapters\/election\//,
  probes: /^src\/adapters\/(shoot|reading)\//,
  effects: /^src\/effects\//,
  machines: /^src\/(machines|domain\/(prober|weeder))\//,
};

/** For each file, one byte for each character: whether it was ever run. Workers send it. */
export type Reached = Record<string, Uint8Array>;

/** Begins to count in this thread. Has to be called before the files are loaded: what V8 has compiled already it counts by functions alone. */
export function countReached(): () => Reached {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  return () => {
    let reached: Reached = {};
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error;
      reached = Object.fromEntries(taken.result.flatMap((script) => reachedIn(script)));
    });
    return reached;
  };
}

function reachedIn({ url, functions }: Profiler.ScriptCoverage): readonly (readonly [string, Uint8Array])[] {
  if (!url.startsWith('file:')) return [];
  const file = relative(root, fileURLToPath(url));
  if (roomOf(file) === undefined) return [];
  const ranges = functions.flatMap((one) => one.ranges);
  const length = Math.max(0, ...ranges.map(({ endOffset }) => endOffset));
  const reached = new Uint8Array(length);
  // The outer ones first, so that what lies within has the last word.
  const outerFirst = ranges.toSorted(
    (one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset,
  );
  for (const { startOffset, endOffset, count } of outerFirst) reached.fill(Math.min(count, 1), startOffset, endOffset);
  return [[file, reached]];
}

/** Adds what another thread has reached. */
export function addReached(all: Reached, one: Readonly<Reached>): void {
  for (const [file, bytes] of Object.entries(one)) {
    const known = all[file];
    if (known === undefined) all[file] = bytes;
    else for (const [at, byte] of bytes.entries()) if (byte === 1) known[at] = 1;
  }
}

/** How many lines of each room were reached, and which were not, in whole or in part. */
export function reachedLines(all: Readonly<Reached>): readonly string[] {
  const files = Object.entries(all)
    .map(([file, reached]) => ({ file, room: roomOf(file) ?? '', ...linesOf(file, reached) }))
    .toSorted((one, other) => one.file.localeCompare(other.file));
  return Object.keys(rooms).flatMap((room) => {
    const own = files.filter((file) => file.room === room);
    const [lines, missed] = [sum(own.map(({ count }) => count)), sum(own.map(({ missing }) => missing.length))];
    return [
      `lines of ${room} reached: ${lines - missed} of ${lines}`,
      ...own.flatMap(({ file, missing }) =>
        missing.length === 0 ? [] : [`     never  ${file}: ${spans(missing).join(', ')}`],
      ),
    ];
  });
}

function roomOf(file: string): string | undefined {
  return Object.entries(rooms).find(([, pattern]) => pattern.test(file))?.[0];
}

/** Lines are counted from 1. One of which anything was never run is missing. */
function linesOf(file: string, reached: Uint8Array): Readonly<{ count: number; missing: readonly number[] }> {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const missing: number[] = [];
  let [at, count] = [0, 0];
  for (const [index, line] of text.split('\n').entries()) {
    const isCode = /[\w]/.test(line) && !/^\s*(\/\/|\/?\*)/.test(line);
    if (isCode) count += 1;
    if (isCode && hasUnreached(line, reached.subarray(at))) missing.push(index + 1);
    at += line.length + 1;
  }
  return { count, missing };
}

/** Apart from blanks and brackets, which belong to nothing that runs. */
function hasUnreached(line: string, reached: Uint8Array): boolean {
  return [...line.matchAll(/\w/g)].some(({ index }) => reached[index] === 0);
}

/** `3, 7-9` of 3, 7, 8, 9. */
function spans(numbers: readonly number[]): readonly string[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
