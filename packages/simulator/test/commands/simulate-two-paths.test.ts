import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { leaseBar } from '../../commands/simulate/network-outage/lease-bar.ts';
import { networkSummary } from '../../commands/simulate/network-outage/network-summary.ts';
import { runSimulate } from '../../commands/simulate.ts';
import { playedStory } from '@dwd/testing/heard-io.ts';
import { down, pathVerdict, scale, SeenNetwork, start, up, kcm, mcm } from './simulate-stage.ts';

const [one, two] = ['shoot--demo--01', 'shoot--demo--02'];
const cost = { connections: 2, shootRequests: 2, seedRequests: 0 };
const threat = { crossedAt: start + 50_000, firstMarkAt: start + 84_000 };
const healthy = { notes: [pathVerdict('connected', 1)] } as const;
const failed = (count: number) => ({ notes: [pathVerdict('cutOff', count)] });

/** A whole story of two shoots; the load balancer of the first one fails, and is back. */
function story(): SeenNetwork {
  return new SeenNetwork(2, true)
    .phase(0, 'calm')
    .turn(1, one, 'probing')
    .turn(1, two, 'probing')
    .turn(30, one, 'probing', { ...healthy, cost })
    .turn(31, two, 'probing', { ...healthy, cost })
    .phase(50, 'outage', { [one]: threat })
    .turn(58, one, 'leaseFailed', failed(1))
    .turn(63, one, 'leaseFailed', failed(2))
    .turn(68, one, 'scalingDown', { ...failed(3), commands: [scale(mcm, 1, 0)] })
    .all(69, one, down)
    .turn(69, one, 'scaledDown', {
      notes: [{ kind: 'shielded', crossedAt: start + 53_000, firstMarkAt: start + 73_000 }],
    })
    .turn(74, one, 'scaledDown', failed(4))
    .phase(105, 'healing')
    .turn(107, one, 'scalingUp', { ...healthy, commands: [scale(kcm, 0, 2)] })
    .all(110, one, up)
    .turn(110, one, 'probing')
    .phase(114, 'over');
}

test('4.9 1.1 the story of two paths tells each failure that is counted, and the true margin', () => {
  expect(story().words()).toEqual([
    '-: All is calm. The nodes of 2 shoots renew their leases.',
    '01: will be probed',
    '02: will be probed',
    '-: A load balancer fails, and cuts 1 of 2 shoots off from their nodes.',
    '01: external path failed 1/3, timeout',
    '01: external path failed 2/3, timeout',
    '01: cut off (external path failed 3/3, timeout), 18.0 s after it broke',
    '01: scales to 0: machine-controller-manager',
    '01: all at 0, 15.0 s before a node could be marked',
    '-: The load balancer is back. Nodes of 1 of 2 shoots renew their leases.',
    '01: connected (external path answers)',
    '01: scales to 2: kube-controller-manager',
    '01: everything is brought back, 5.0 s after the healing',
    '-: The story is over.',
  ]);
});

const at = start + 60_000;
const internalFailed = (count: number) => ({
  event: {
    type: 'path.answered',
    at,
    number: 1,
    path: 'internal',
    askedAt: at,
    failure: { stage: 'internal', reason: 'unreachable', detail: 'no connection' },
  } as const,
  notes: count < 3 ? [] : [{ kind: 'internalFailed', failures: 3, leftAloneUntil: at + 30_000 } as const],
});

/** The internal path of the first shoot fails, and is back. */
function internalStory(): SeenNetwork {
  return new SeenNetwork(2, true)
    .turn(30, one, 'probing', { ...healthy, cost })
    .phase(50, 'internalOutage', {}, [one])
    .turn(58, one, 'probing', internalFailed(1))
    .turn(59, one, 'probing', internalFailed(3))
    .phase(65, 'internalHealing');
}

test('4.9 1.1 an internal path that fails is told, and that nothing was scaled; then the story goes on', () => {
  const stage = internalStory();
  expect(stage.model.rows.get(one)).toMatchObject({ unasked: true, leftAlone: true });
  stage.turn(90, one, 'probing', healthy);
  expect(stage.model.rows.get(one)).toMatchObject({ unasked: true, leftAlone: false, scaledUnasked: false });
  expect(stage.words()).toEqual([
    '01: connected (external path answers)',
    '-: The internal path to 1 of 2 shoots fails. Their nodes are well, so nothing may be scaled.',
    '01: internal path failed, unreachable: no connection',
    '01: internal path failed, unreachable: no connection',
    expect.stringMatching(/^01: the internal path has failed 3 times in a row/),
    '-: The internal path is back.',
    '01: internal path answers again; nothing was scaled',
  ]);
});

test('4.9 1.1 what was scaled while only the internal path failed is held against the prober, even if it came back', () => {
  const stage = internalStory().all(66, one, down).all(67, one, up).turn(90, one, 'probing', healthy);
  expect(networkSummary(stage.model).shoots).toMatchObject([
    { shoot: one, unasked: true, scaledUnasked: true },
    { shoot: two, unasked: false, scaledUnasked: false },
  ]);
  expect(stage.words().at(-1)).toBe('01: internal path answers again');
});

test('4.9 1.1 lengths count from the break, and a probe of a connected shoot is two connections', () => {
  expect(networkSummary(story().model)).toMatchObject({
    ok: true,
    spread: { decisionDelay: { worst: 18_000 }, downDelay: { worst: 19_000 }, margin: { worst: 15_000 } },
    healthyProbes: { count: 2, spread: { connections: { median: 2, worst: 2 } } },
  });
});

test('4.9 1.1 the screen shows the external path in place of expired leases, and a bar without a mark', () => {
  const stage = new SeenNetwork(2, true)
    .phase(50, 'outage', { [one]: threat })
    .turn(58, one, 'leaseFailed', failed(2))
    .turn(59, two, 'probing', healthy);
  const lines = stage.shown(60, 80, 24, (shoot) => (shoot === one ? 20 : 4));
  expect(lines.slice(1, 8)).toEqual([
    'A load balancer fails, and cuts 1 of 2 shoots off from their nodes.',
    '',
    'shoot            state         oldest lease  external  kcm      mcm      ca',
    'shoot--demo--01  cut off       ███░░░  20 s  2/3       2        1        1',
    'shoot--demo--02  watched       ░░░░░░   4 s  answers   2        1        1',
    'kcm=kube-controller-manager mcm=machine-controller-manager ca=cluster-autoscaler',
    'oldest lease, unread here: full at 40 s, when its node may be marked',
  ]);
});

test.for([
  [0, '░░░░░░░░░', 'good'],
  [15, '███░░░░░░', 'warning'],
  [39.9, '████████░', 'bad'],
  [40, '█████████', 'bad'],
  [900, '█████████', 'bad'],
] as const)('4.9 a lease of %s s that nobody reads looks like %s', ([age, text, tone]) => {
  expect(leaseBar(1_000 * age, 40_000, 9, true)).toEqual({ text, tone });
});

const older = `
internalKubeConfigSecretName: internal
externalKubeConfigSecretName: external
probeInterval: 10s
initialDelay: 1s
failureThreshold: 3
kcmNodeMonitorGraceDuration: 1m
dependentResourceInfos:
- {ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}, scaleUp: {level: 0}, scaleDown: {level: 1}}
- {ref: {apiVersion: apps/v1, kind: Deployment, name: machine-controller-manager}, scaleUp: {level: 1}, scaleDown: {level: 0}}
`;

const folder = mkdtempSync(join(tmpdir(), 'dwd-simulate-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('4.9 1.1 the real prober protects the shoot whose load balancer fails, leaves the other alone, and brings all back', async () => {
  const file = join(folder, 'older.yaml');
  writeFileSync(file, older);
  const args = [`--config-file=${file}`, '--shoots=2', '--nodes=3', '--seed=7', '--json'];
  const { code, out } = await playedStory(({ io, ...scene }) => runSimulate(args, io, scene));
  const lines = out.map((line) => JSON.parse(line) as Record<string, unknown>);
  const summary = lines.find(({ kind }) => kind === 'summary');
  expect({ code, missed: summary!['missed'] }).toEqual({ code: 0, missed: [] });
  expect(summary).toMatchObject({
    nodesMarked: 0,
    healthyProbes: { spread: { connections: { median: 2, worst: 2 }, shootRequests: { median: 2, worst: 2 } } },
    shoots: [
      { shoot: one, unasked: true, scaledUnasked: false, cutOff: true, isProtected: true, hasReturned: true },
      { shoot: two, unasked: false, cutOff: false, isProtected: true, hasReturned: true },
    ],
  });
  const { worst } = summary!['decisionDelaySeconds'] as { worst: number };
  // An interval with its jitter, and three questions that run into their eighth of the grace.
  expect(worst).toBeLessThan(12 + 3 * 7.5 + 1);
  expect(worst).toBeGreaterThan(10);
  expect(lines.filter(({ kind }) => kind === 'phase').map(({ phase, shoots }) => [phase, shoots])).toEqual([
    ['calm', undefined],
    ['internalOutage', [one]],
    ['internalHealing', undefined],
    ['outage', [one]],
    ['healing', undefined],
    ['over', undefined],
  ]);
  const stateOf = (to: string) => lines.find((line) => line['kind'] === 'state' && line['to'] === to);
  expect(stateOf('leaseFailed')).toMatchObject({ shoot: one, external: { count: 1, of: 3 }, reason: 'timeout' });
  expect(stateOf('scalingDown')).toMatchObject({ shoot: one, external: { count: 3, of: 3 }, reason: 'timeout' });
});
