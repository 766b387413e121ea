import { writeFileSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { journal } from '../../../src/adapters/record/journal/journal.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { files, prober, quiet } from './files.ts';
import type { NightScene } from './scene.ts';
import type { SceneStage } from './scene-stage.ts';

const ignored = (): void => undefined;

/** The journal of an outage, in a file. */
async function recorded(stage: SceneStage) {
  const kept = journal({
    clock: { now: () => 0 },
    program: { role: 'prober', version: '0', processId: 1, configuration: {} },
    say: ignored,
    onDropped: ignored,
    onWriteFailed: ignored,
  });
  for (const turn of await meltdown()) kept.observe(turn);
  return { journal: stage.file('dwd-prober-0001.jsonl', [...kept.chapters()].join('')) };
}

/** The end of a replay; the events themselves are told elsewhere. */
const summary =
  /^(1 outage| +(\S+ {2}shoot--.* outage|cut off: |leases: |replicas: ).*|\d+ events?|at the end|Every event)/;

export const journalScenes: readonly NightScene[] = [
  {
    title: 'names a journal file that is not there',
    args: 'replay {dir}/nothing.jsonl',
    says: /no such file/,
    code: 1,
  },
  { title: 'names no journal', args: 'replay', says: /FILE… is missing/, code: 2 },
  {
    title: 'replays an empty file',
    args: 'replay {dir}/empty.jsonl',
    files: { 'empty.jsonl': '' },
    says: /empty\.jsonl is empty/i,
    code: 1,
  },
  { title: 'replays an empty directory', args: 'replay {dir}', says: /holds no journal file/, code: 1 },
  {
    title: 'replays a configuration',
    args: 'replay {dir}/config.yaml',
    files,
    says: /config\.yaml is not a journal/,
    code: 1,
  },
  {
    title: "replays the prober's log",
    args: 'replay {dir}/prober.log',
    files: { 'prober.log': '{"level":"info","ts":"2026-11-21T20:07:57.123Z","msg":"the prober starts"}\n' },
    says: /is a log, not a journal/,
    code: 1,
  },
  {
    title: 'replays a packed journal',
    args: 'replay {dir}/journal.jsonl.zst',
    around: async (stage) => {
      writeFileSync(stage.file('journal.jsonl.zst', ''), zstdCompressSync('{"journal":1}\n'));
      return {};
    },
    says: /packed with zstd; unpack it first: zstdcat/,
    code: 1,
  },
  { title: 'replays nothing from the standard input', args: 'replay -', says: /the standard input is empty/, code: 1 },
  {
    title: 'replays an outage',
    args: 'replay {journal}',
    around: recorded,
    lines: summary,
    says: /1 outage:\n.*outage, grave\n +cut off: [\s\S]*connected again at [\s\S]*replicas: /,
    code: 0,
  },
  {
    title: 'replays a shoot that is not there',
    args: 'replay --shoot=shoot--sim--on {journal}',
    around: recorded,
    says: /did you mean shoot--sim--one\?/,
    code: 1,
  },
  {
    title: 'replays the last hours, in which nothing was recorded',
    args: 'replay --since=2h {journal}',
    around: recorded,
    says: /no event is recorded since .*; the journal tells of/,
    code: 1,
  },
  {
    title: 'replays since an instant without a time zone',
    args: 'replay --since=2026-11-21T20:07:57 {journal}',
    around: recorded,
    says: /the time zone is missing/,
    code: 2,
  },
  {
    title: 'wants the journal in a file',
    args: `${prober} ${quiet} --journal-dir={dir}/config.yaml`,
    files,
    says: /it is a file, not a directory/,
    code: 1,
  },
  {
    title: 'wants the journal in a directory whose parent is missing',
    args: `${prober} ${quiet} --journal-dir={dir}/a/b`,
    files,
    says: /does not exist; make it first/,
    code: 1,
  },
  {
    title: 'wants the journal where no directory can be made',
    args: 'simulate --journal-dir=/proc/x',
    says: /no directory can be made in \/proc/,
    code: 1,
  },
];
