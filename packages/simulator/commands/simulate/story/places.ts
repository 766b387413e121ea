import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Where a run can be looked into, from its first line to its last. */
export type Places = Readonly<{
  /** The path of a file: the way to the seed, for kubectl. */
  kubeconfig: string;
  metrics: string;
  /** The address to which `/healthz` and `/readyz` are added. */
  health: string;
  journal: string;
  /** The page that shows each decision. */
  inspector: string;
}>;

/** The places, as they are printed before anything happens, and with `--keep` what begins another outage: keys, or a signal. */
export function placeLines(
  { places, keep, keys }: Readonly<{ places: Places; keep: boolean; keys: boolean }>,
  keyWords: string,
  status?: string,
): readonly string[] {
  const { kubeconfig, metrics, health, journal, inspector } = places;
  return [
    'In another terminal, while this runs:',
    `  kubectl  export KUBECONFIG=${kubeconfig}`,
    `  metrics  curl ${metrics}`,
    `  health   curl ${health}/healthz ${health}/readyz`,
    `  journal  curl ${journal}`,
    `  inspect  ${inspector} in a browser`,
    ...(status === undefined ? [] : [`  status   ${status}`]),
    ...(keep ? [keys ? `Keys: ${keyWords}` : signalLine] : []),
  ];
}

/** The seed stays up: how long, and what begins another outage. `what` goes on. */
export function goesOnLine(what: string, keys: boolean): string {
  return keys
    ? `${what} until you press q. Press o for another outage.`
    : `${what} until Ctrl-C. Another outage: kill -USR2 ${process.pid}`;
}

/** After the story's end: what to type to see each decision with its reason. Without a directory the journal has gone with the process. */
export function whyLines(journalDir: string | undefined, program: string): readonly string[] {
  if (journalDir === undefined) return ['Why was it so? --inspect keeps the page, --journal-dir=DIR the journal.'];
  const dir = /^[\w./-]+$/.test(journalDir) ? journalDir : `'${journalDir.replaceAll("'", "'\\''")}'`;
  return ['Why was it so?', `  ${program} inspect ${dir}`, `  ${program} replay --outages ${dir}`];
}

const signalLine = `  outage   kill -USR2 ${process.pid} begins another one, once this one is over`;

/** The same as a line of JSON. A script reads it first, so it has all that a script can use. */
export function placesJson({
  kubeconfig,
  metrics,
  health,
  journal,
  inspector,
}: Places): Readonly<Record<string, unknown>> {
  return {
    kubeconfig,
    metrics,
    healthz: `${health}/healthz`,
    readyz: `${health}/readyz`,
    journal,
    inspector,
    processId: process.pid,
  };
}

/** Writes a kubeconfig into a directory of its own. Nobody else may read it, and it is deleted when disposed of. */
export async function writtenKubeconfig(text: string): Promise<Readonly<{ path: string }> & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), 'dependency-watchdog-'));
  const path = join(dir, 'kubeconfig.yaml');
  await writeFile(path, text, { mode: 0o600 });
  return { path, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}
