import { expect, test } from 'vitest';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import { SeedStreams } from '../../src/commands/role/seed-streams.ts';
import { streamOutageLog } from '../../src/commands/role/stream-outage-log.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { heardLog } from '@dwd/testing/heard-io.ts';

const dependants = ['deployments/kcm', 'deployments/mcm', 'deployments/ca'];
const all = ['clusters', 'secrets/probe', ...dependants];

/** A role's streams, with what the log says of them. */
function watching() {
  const clock = new VirtualClock(1_790_000_000_000);
  const { log, lines, said } = heardLog('info', clock);
  const streams = new SeedStreams(clock, [...all, 'pods']);
  const tell = streamOutageLog(log, { clock, streams, server: () => 'https://seed' });
  const hear = (notice: StreamNotice) => {
    streams.take(notice);
    tell(notice);
  };
  const each = (kind: 'opening' | 'live' | 'closed', ...names: readonly string[]) => {
    for (const stream of names) hear({ kind, stream });
  };
  const fail = (reason: string, ...names: readonly string[]) => {
    for (const stream of names)
      hear({ kind: 'out', stream, refused: false, problem: `list failed: ${reason}`, reason });
  };
  const pods = (kind: 'opening' | 'live' | 'closed', of: string) => hear({ kind, stream: 'pods', of });
  const failPods = (of: string, refused = false) =>
    hear({ kind: 'out', stream: 'pods', of, refused, problem: 'no', reason: 'no' });
  return { clock, hear, each, fail, pods, failPods, said, lines, streams };
}

test('9.4 streams that cannot be opened share a line, which says where and why, at once and then each minute', async () => {
  const { clock, each, fail, said, lines } = watching();
  each('opening', 'clusters', 'secrets/probe');
  await clock.advanceBy(2);
  each('opening', ...dependants);
  fail('connection refused', 'secrets/probe', 'clusters');
  await clock.advanceBy(3);
  fail('connection refused', ...dependants);
  expect(said()).toEqual([]);
  await clock.advanceBy(495);
  expect(lines).toMatchObject([{ level: 'error', streams: all }]);
  expect(said()).toEqual(['cannot watch clusters, secrets and 3 dependants on https://seed: connection refused']);
  await clock.advanceBy(59_000);
  expect(said()).toEqual([]);
  await clock.advanceBy(1_000);
  expect(said()).toEqual([
    'still cannot watch clusters, secrets and 3 dependants on https://seed, for 60.5 s: connection refused',
  ]);
  await clock.advanceBy(120_000);
  expect(said()).toHaveLength(2);
});

test('9.4 the end is one line, when the last of them is back', async () => {
  const { clock, each, fail, said, lines } = watching();
  each('opening', ...all);
  fail('connection refused', ...all);
  await clock.advanceBy(90_000);
  said();
  each('live', 'secrets/probe', 'clusters');
  expect(said()).toEqual([]);
  each('live', ...dependants);
  expect(lines).toMatchObject([{ level: 'info', streams: all }]);
  expect(said()).toEqual(['watches clusters, secrets and 3 dependants on https://seed at last, after 90.0 s']);
  await clock.advanceBy(600_000);
  expect(said()).toEqual([]);

  fail('timed out', ...all);
  await clock.advanceBy(182_000);
  expect(said()).toHaveLength(4);
  each('live', ...all);
  expect(said()).toEqual(['watches clusters, secrets and 3 dependants on https://seed again, after 3m02s']);
  expect(clock.sleeping).toBe(0);
});

test('9.4 the minute’s line says what is back and what is not, and the reason of now', async () => {
  const { clock, each, fail, hear, said } = watching();
  each('opening', ...all);
  each('live', ...all);
  fail('connection refused', ...all);
  await clock.advanceBy(30_000);
  said();
  each('live', 'clusters', ...dependants);
  hear({ kind: 'restarted', stream: 'secrets/probe', why: 'failed', problem: 'x', reason: '401 Unauthorized' });
  await clock.advanceBy(30_500);
  expect(said()).toEqual([
    'still cannot watch secrets on https://seed, for 60.5 s: 401 Unauthorized',
    'watches clusters and 3 dependants on https://seed again, after 60.5 s',
  ]);
  each('live', 'secrets/probe');
  expect(said()).toEqual(['watches secrets on https://seed again, after 60.5 s']);
});

test('9.4 a stream that fails again before the others are back is not told as back', async () => {
  const { clock, each, fail, said } = watching();
  each('opening', ...all);
  each('live', ...all);
  fail('connection refused', ...all);
  await clock.advanceBy(30_000);
  said();
  each('live', 'clusters');
  fail('connection refused', 'clusters');
  each('live', 'secrets/probe', ...dependants);
  expect(said()).toEqual([]);
  await clock.advanceBy(30_500);
  expect(said()).toEqual([
    'still cannot watch clusters on https://seed, for 30.5 s: connection refused',
    'watches secrets and 3 dependants on https://seed again, after 60.5 s',
  ]);
});

test('9.4 each reason has its line, and a dependant that is alone its name', async () => {
  const { clock, each, fail, said } = watching();
  each('opening', ...all);
  fail('timed out', 'clusters', 'secrets/probe');
  fail('404 NotFound', 'deployments/ca');
  await clock.advanceBy(500);
  expect(said()).toEqual([
    'cannot watch clusters and secrets on https://seed: timed out',
    'cannot watch deployments/ca on https://seed: 404 NotFound',
  ]);
});

test('9.4 a seed that says nothing is told after 5 s, and a stream that stumbles is not told', async () => {
  const { clock, each, fail, said } = watching();
  each('opening', 'clusters', 'secrets/probe');
  await clock.advanceBy(4_999);
  expect(said()).toEqual([]);
  each('live', 'secrets/probe');
  await clock.advanceBy(1);
  expect(said()).toEqual(['cannot watch clusters on https://seed: not open yet, the server does not answer']);
  each('live', 'clusters');
  said();
  fail('connection reset', 'clusters');
  await clock.advanceBy(499);
  each('live', 'clusters');
  await clock.advanceBy(600_000);
  expect(said()).toEqual([]);
});

test('9.4 7.4 of hundreds of watches on pods one may stumble; many that stay out are one line, with their number', async () => {
  const { clock, pods, failPods, said } = watching();
  for (const of of ['a', 'b', 'c']) pods('opening', of);
  for (const of of ['a', 'b', 'c']) failPods(of);
  await clock.advanceBy(9_999);
  pods('live', 'a');
  expect(said()).toEqual([]);
  await clock.advanceBy(1);
  expect(said()).toEqual(['cannot watch pods (2 watches) on https://seed: no']);
  pods('live', 'b');
  // Its window is over.
  pods('closed', 'c');
  expect(said()).toEqual([
    'watches pods of b on https://seed at last, after 10.0 s',
    'need not watch pods of c on https://seed any more, after 10.0 s',
  ]);
  pods('opening', 'd');
  failPods('d', true);
  await clock.advanceBy(500);
  expect(said()).toEqual(['cannot watch pods of d on https://seed: no']);
});

test('9.4 1.4 a role that ends with a dead seed says nothing more of it, and leaves no timer', async () => {
  const { clock, each, fail, said } = watching();
  each('opening', ...all);
  fail('connection refused', ...all);
  await clock.advanceBy(61_000);
  said();
  each('closed', ...all);
  await clock.advanceBy(600_000);
  expect(said()).toEqual([]);
  expect(clock.sleeping).toBe(0);
});

test('9.2 how long each stream has been out is known from the start; of many with one name it is the longest', async () => {
  const { clock, each, fail, pods, streams } = watching();
  const outFor = () => Object.fromEntries(streams.outFor());
  const none = { clusters: 0, 'secrets/probe': 0, ...Object.fromEntries(dependants.map((name) => [name, 0])), pods: 0 };
  expect(outFor()).toEqual(none);
  each('opening', 'clusters', 'secrets/probe');
  await clock.advanceBy(7_000);
  each('live', 'clusters');
  fail('no', 'secrets/probe');
  expect(outFor()).toEqual({ ...none, 'secrets/probe': 7_000 });
  pods('opening', 'a');
  await clock.advanceBy(1_000);
  pods('opening', 'b');
  await clock.advanceBy(1_000);
  expect(outFor()).toEqual({ ...none, 'secrets/probe': 9_000, pods: 2_000 });
  pods('live', 'a');
  expect(outFor()).toMatchObject({ pods: 1_000 });
  pods('closed', 'b');
  expect(outFor()).toMatchObject({ pods: 0 });
});

test('9.3 the lists that are missing are named, with the reasons', async () => {
  const { each, fail, streams } = watching();
  each('opening', ...all);
  each('live', 'clusters');
  fail('timed out', 'clusters', 'secrets/probe');
  expect(streams.missing()).toBe(
    'secrets/probe (timed out); deployments/kcm, deployments/mcm, deployments/ca (no answer yet)',
  );
});

test('9.2 whether anything of the seed can be read', () => {
  const { each, fail, streams } = watching();
  const told: boolean[] = [];
  streams.someLive$.subscribe((some) => told.push(some));
  each('opening', ...all);
  each('live', 'clusters', 'secrets/probe');
  fail('no', 'clusters');
  fail('no', 'secrets/probe');
  each('live', 'clusters');
  each('closed', 'clusters');
  expect(told).toEqual([false, true, false, true, false]);
});
