import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEVER, Subject } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSimulate } from '../../commands/simulate.ts';
import { type EtcdStory, simulateEtcdOutage } from '../../commands/simulate/etcd-outage/etcd-outage.ts';
import { readSimulateFlags } from '../../commands/simulate/story/simulate-flags.ts';
import { replay } from '@dwd/testing/journal-driver.ts';
import { heardIo, playedStory } from '@dwd/testing/heard-io.ts';
import { interruptedTerminal } from '../support/interrupted-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'dwd-etcd-outage-'));
afterAll(() => rmSync(folder, { recursive: true }));
const journal = join(folder, 'journal');

/** Long enough for a back-off that hurts, short enough for a test. */
const shortStory: EtcdStory = {
  lengths: { calm: 20_000, outage: 100_000, recovery: 300_000, pause: 1_000 },
  speed: 1,
  slowMotion: 1,
};

type Line = Readonly<Record<string, unknown> & { kind: string; at: number }>;

function play(args: readonly string[], story = shortStory, scene: Parameters<typeof playedStory>[1] = {}) {
  const read = readSimulateFlags(['--story=etcd-outage', ...args]);
  if (!read.ok) throw new Error(read.message);
  return playedStory((all) => simulateEtcdOutage(read.flags, all, story), scene);
}

let run: Awaited<ReturnType<typeof play>>;
let lines: readonly Line[];

beforeAll(async () => {
  const [another$, interrupted$] = [new Subject<void>(), new Subject<void>()];
  let outages = 0;
  const heard = (line: string): void => {
    if ((JSON.parse(line) as Line).kind !== 'kept') return;
    outages += 1;
    queueMicrotask(() => (outages === 1 ? another$ : interrupted$).next());
  };
  const args = ['--shoots=2', '--seed=7', '--json', '--keep', `--journal-dir=${journal}`];
  run = await play(args, shortStory, { another$, interrupted$, heard });
  lines = run.out.map((line) => JSON.parse(line) as Line);
});

const ofKind = (kind: string) => lines.filter((line) => line.kind === kind);

test('1.1 7.5 S8 the real weeder has both control planes well again sooner than their back-offs, and deletes nothing else', () => {
  const [summary] = ofKind('summary');
  expect({ err: run.err, missed: summary!['missed'] }).toEqual({ err: '', missed: [] });
  expect(summary).toMatchObject({ ok: true, isFaster: true, seed: 7, speed: 1, slowSpeed: 1 });
  const planes = summary!['controlPlanes'] as readonly { deleted: number }[];
  expect(planes).toMatchObject([
    { shoot: 'shoot--demo--01', hasRecovered: true, faults: [], bugs: 0 },
    { shoot: 'shoot--demo--02', hasRecovered: true, faults: [], bugs: 0 },
  ]);
  // A pod that was just trying again when its service came back needs no help.
  for (const { deleted } of planes) expect(deleted).toBeGreaterThan(3);
});

/** When the first outage was over. */
const overAt = () => ofKind('phase').find(({ phase }) => phase === 'over')!.at;

test('1.1 7.5 with --keep etcd fails another time when it is asked for, and that is summed up like the first', () => {
  const [, second, ...more] = ofKind('summary');
  expect(more).toEqual([]);
  const well = { hasRecovered: true, faults: [], bugs: 0 };
  expect(second).toMatchObject({ outage: 2, missed: [], controlPlanes: [well, well] });
  // After an outage as short as this one, some luck is needed to be much faster than without any weeder.
  expect(run.code).toBe(second!['isFaster'] === true ? 0 : 1);
  const deletions = ofKind('deletion').filter(({ at }) => at > overAt());
  expect(second).toMatchObject({ deleted: deletions.length, requests: { deletions: deletions.length } });
  expect(deletions.length).toBeGreaterThan(3);
});

test('7.5 the chain holds: etcd, API servers, their service, controllers, in each control plane', () => {
  const recovery = ofKind('phase').find(({ phase }) => phase === 'recovery')!.at;
  for (const shoot of ['shoot--demo--01', 'shoot--demo--02']) {
    const own = lines.filter((line) => line['shoot'] === shoot && line.at >= recovery && line.at <= overAt());
    const back = (stage: string) =>
      own.findIndex((line) => line.kind === 'service' && line['side'] === 'weeded' && line['stage'] === stage);
    const deleted = (stage: string) => own.findIndex((line) => line.kind === 'deletion' && line['stage'] === stage);
    const chain = [back('etcd'), deleted('apiServers'), back('apiServers'), deleted('controllers')];
    expect(chain).not.toContain(-1);
    expect(chain).toEqual(chain.toSorted((one, other) => one - other));
  }
});

test('7.2 7.3 while etcd is away nothing is deleted, and the seed without a weeder is left alone', () => {
  const [, outage, recovery] = ofKind('phase').map(({ at }) => at);
  expect(outage).toBeLessThan(recovery!);
  const deletions = ofKind('deletion').filter(({ at }) => at <= overAt());
  expect(deletions.filter(({ at, fault }) => at < recovery! || fault !== null)).toEqual([]);
  const [summary] = ofKind('summary');
  expect(summary).toMatchObject({ deleted: deletions.length, requests: { deletions: deletions.length } });
});

test('1.1 it tells what it was begun with, the phases, what becomes of the pods, and the weeder’s states', () => {
  expect(lines[0]).toMatchObject({ kind: 'places', kubeconfig: expect.any(String) });
  expect(lines[1]).toMatchObject({ kind: 'begin', story: 'etcd-outage', seed: 7, shoots: 2 });
  expect(lines[1]).toHaveProperty('config.services.0.name', 'etcd-main-client');
  const phases = ofKind('phase').map(({ phase, outage }) => [outage, phase]);
  expect(phases.slice(0, 4).map(([, phase]) => phase)).toEqual(['calm', 'outage', 'recovery', 'over']);
  expect(phases.slice(4)).toEqual([
    [2, 'outage'],
    [2, 'recovery'],
    [2, 'over'],
  ]);
  const states = ofKind('state').filter(
    ({ service, at }) => service === 'shoot--demo--01/etcd-main-client' && at <= overAt(),
  );
  expect(states.map(({ to }) => to)).toEqual(['down', 'recovering', 'relapsed', 'recovering']);
  expect(ofKind('stage').some(({ side, crashLooping }) => side === 'unaided' && crashLooping === 5)).toBe(true);
});

test('9.6 L3 replaying its journal yields the same states', async () => {
  const { code, lines: replayedLines } = await replay(['--json', journal]);
  expect(JSON.parse(replayedLines.at(-1)!)).toHaveProperty('summary.differences', []);
  expect(code).toBe(0);
});

test('1.1 7 a configuration that names none of these services is of no use, and ends with code 1', async () => {
  const file = join(folder, 'weeder.yaml');
  writeFileSync(file, 'servicesAndDependantSelectors: {other: {podSelectors: [{matchLabels: {app: other}}]}}');
  const lengths = { calm: 2_000, outage: 60_000, recovery: 200_000, pause: 1_000 };
  const { code, out } = await play([`--config-file=${file}`, '--shoots=1', '--seed=3'], {
    ...shortStory,
    lengths,
  });
  expect(code).toBe(1);
  const text = out.join('\n');
  expect(text).toContain(
    'Not seen: shoot--demo--01 was not well in the calm, or has no service that the weeder knows.',
  );
  expect(text).toMatch(/^pods deleted +0$/m);
  expect(out.at(-3)).toBe('FAILED: the weeder saved less than half of the time.');
  expect(out.at(-2)).toBe(`The same draw again: --seed=3 --story=etcd-outage --config-file=${file} --shoots=1`);
});

test('1.1 in a terminal it paints both seeds; interrupted, it gives the cursor back and ends with code 1', async () => {
  const { surroundings, written } = interruptedTerminal();
  const { code, out, err } = await play(['--shoots=1'], shortStory, surroundings);
  expect({ code, out, err }).toEqual({
    code: 1,
    out: [],
    err: 'dependency-watchdog simulate: interrupted before the outage was over',
  });
  expect(written()).toContain('with the weeder');
  expect(written().endsWith('\u001b[?25h')).toBe(true);
});

test('1.3 a configuration that is wrong is refused before anything starts, with every problem', async () => {
  const file = join(folder, 'wrong.yaml');
  writeFileSync(file, 'watchDuration: 0s\nservicesAndDependantSelectors: {}');
  const { io, out, err } = heardIo();
  const code = await runSimulate(['--story=etcd-outage', `--config-file=${file}`], io, { interrupted$: NEVER });
  expect([code, out]).toEqual([1, []]);
  expect(err.join('\n')).toContain('2 problems');
});
