import process from 'node:process';
import { expect, test } from 'vitest';
import { networkWords } from '../../commands/simulate/network-outage/network-words.ts';
import { lineText } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { networkSummaryLines } from '../../commands/simulate/network-outage/network-summary-lines.ts';
import { networkSummary } from '../../commands/simulate/network-outage/network-summary.ts';
import {
  down,
  goodStory,
  healthy,
  kcm,
  mcm,
  options,
  scale,
  SeenNetwork,
  start,
  up,
  verdict,
} from './simulate-stage.ts';

const [one, two] = ['shoot--demo--01', 'shoot--demo--02'];
const cost = (seedRequests: number) => ({ connections: 1, shootRequests: 2, seedRequests });
const threat = (firstMarkAt: number) => ({ crossedAt: start + 75_000, firstMarkAt: start + firstMarkAt });

test('1.1 a story in which all went well is summed up', () => {
  const summary = networkSummary(goodStory().model);
  expect(summary).toMatchObject({
    ok: true,
    nodesMarked: 0,
    missed: [],
    length: 162_000,
    spread: {
      decisionDelay: { median: 100, worst: 100 },
      downDelay: { median: 1_000, worst: 1_000 },
      controllerManagerDelay: { median: 1_000, worst: 1_000 },
      margin: { median: 8_000, worst: 8_000 },
    },
    healthyProbes: {
      count: 2,
      spread: { connections: { median: 1, worst: 1 }, seedRequests: { median: 0, worst: 0 } },
    },
  });
  expect(summary.shoots).toMatchObject([
    {
      shoot: one,
      cutOff: true,
      isProtected: true,
      hasReturned: true,
      replicas: { [kcm]: { before: 2, least: 0, after: 2 } },
    },
    {
      shoot: two,
      cutOff: false,
      isProtected: true,
      hasReturned: true,
      replicas: { [mcm]: { before: 1, least: 1, after: 1 } },
    },
  ]);
});

const faults: readonly (readonly [what: string, spoil: (stage: SeenNetwork) => SeenNetwork, shoot: object])[] = [
  [
    'a node that was marked',
    (stage) => stage.mark(one, 'node-001'),
    { shoot: one, isProtected: false, hasReturned: true, nodesMarked: 1 },
  ],
  [
    'a spared shoot that was scaled down for a while',
    (stage) => stage.dependant(90, two, kcm, down(2)).dependant(91, two, kcm, up(2)),
    { shoot: two, isProtected: false, hasReturned: true },
  ],
  [
    'a resource that came back with other replicas',
    (stage) => stage.dependant(160, one, kcm, up(1)),
    { shoot: one, isProtected: true, hasReturned: false },
  ],
  [
    'a mark that was left behind',
    (stage) => stage.dependant(160, one, kcm, up(2, { marked: true })),
    { shoot: one, isProtected: true, hasReturned: false },
  ],
  [
    'a record that was left behind',
    (stage) => stage.dependant(160, one, kcm, up(2, { record: '2' })),
    { shoot: one, isProtected: true, hasReturned: false },
  ],
  [
    'pods that are not ready again',
    (stage) => stage.dependant(160, one, kcm, up(2, { readyReplicas: 1 })),
    { shoot: one, isProtected: true, hasReturned: false },
  ],
  [
    'a bug of ours',
    (stage) => stage.turn(100, two, 'probing', { event: { type: 'ended', at: start, because: 'bug', error: 'oh' } }),
    { shoot: two, isProtected: true, bugs: 1 },
  ],
];

test.for(faults)('1.1 %s makes it fail, whatever else went well', ([, spoil, shoot]) => {
  const summary = networkSummary(spoil(goodStory()).model);
  expect(summary.ok).toBe(false);
  expect(summary.shoots).toContainEqual(expect.objectContaining(shoot));
});

test('1.1 a shoot that was never scaled down is not protected, and has no figures', () => {
  const stage = new SeenNetwork()
    .phase(50, 'outage', { [one]: { crossedAt: start, firstMarkAt: start } })
    .phase(99, 'over');
  const { ok, shoots, spread } = networkSummary(stage.model);
  expect(ok).toBe(false);
  expect(shoots[0]).toMatchObject({ isProtected: false, hasReturned: true });
  expect(spread).toEqual({});
});

test.for([false, true])(
  '1.1 nothing that is printed around a story is wider than 80 columns; with keys: %s',
  (keys) => {
    const { model } = goodStory();
    const seen = { model: () => model, oldestRenewal: () => undefined };
    const wide = { ...options, seedNumber: 4_294_967_295, speed: 99.9, keys };
    const words = networkWords(wide, seen);
    const summary = { ...networkSummary(model), latest: 99_000, length: 9_999_000 };
    const lines = [
      ...words.beginning,
      ...words.places,
      ...words.kept.uses,
      words.kept.goesOn,
      ...networkWords({ ...wide, speed: 1 }, seen).kept.uses,
      ...networkSummaryLines(summary, wide).map((line) => lineText(line, Infinity, false)),
    ];
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.join('\n')).toContain('A prober of your own needs a run with --speed=1.');
    expect(lines.some((line) => line.startsWith('Keys: o begins another outage'))).toBe(keys);
    expect(lines.some((line) => line.includes(`kill -USR2 ${process.pid}`))).toBe(!keys);
  },
);

test('1.1 at 50 and at 30 columns the summary leaves out whole columns, what counts first, and puts figures below their words', () => {
  const summary = networkSummary(goodStory().model);
  const told = (columns: number) =>
    networkSummaryLines(summary, options, { columns }).map((line) => lineText(line, Infinity, false).trimEnd());
  expect(told(50).slice(1, 3)).toEqual([
    'shoot  margin  marked  all at 0  decision  kcm',
    '01     8.0 s   0       1.00 s    0.10 s    2→0→2',
  ]);
  expect(told(30).slice(1, 3)).toEqual(['shoot  margin  marked', '01     8.0 s   0']);
  for (const columns of [50, 30])
    expect(
      told(columns)
        .slice(0, -1)
        .filter((line) => line.length > columns),
    ).toEqual([]);
});

test('1.1 an outage that healed before a node could be marked needs no protection', () => {
  const stage = new SeenNetwork()
    .phase(50, 'outage', { [one]: { crossedAt: start + 75_000, firstMarkAt: start + 84_000 } })
    .phase(83.9, 'healing')
    .phase(99, 'over');
  const { ok, shoots } = networkSummary(stage.model);
  expect(ok).toBe(true);
  expect(shoots[0]).toMatchObject({ cutOff: true, isProtected: true, wasBrief: true, nodesMarked: 0 });
  const late = new SeenNetwork()
    .phase(50, 'outage', { [one]: threat(84_000) })
    .phase(84, 'healing')
    .phase(99, 'over');
  expect(networkSummary(late.model)).toMatchObject({
    ok: false,
    shoots: [{ isProtected: false, wasBrief: false }, {}],
  });
  const marked = stage.mark(one, 'node-001');
  expect(networkSummary(marked.model)).toMatchObject({ ok: false, shoots: [{ isProtected: false }, {}] });
});

/** Whether the story went well in which a shoot was done 0.11 s too late, and its last words, on a machine that was so late itself. */
function toldTooLate(latest: number) {
  const { model } = goodStory();
  // It was done a second after the threshold.
  Object.assign(model.rows.get(one)!, { threat: threat(75_890) });
  const summary = networkSummary(Object.assign(model, { latest }));
  const lines = networkSummaryLines(summary, options).map((line) => lineText(line, Infinity, false));
  return [summary.ok, lines.at(-2)];
}

test('1.1 a shoot that was too late is said, and fails the story where this machine was not as late itself', () => {
  expect(toldTooLate(20)).toEqual([false, 'FAILED: 1 shoot too late by 0.11 s.']);
  expect(toldTooLate(200)).toEqual([
    true,
    '1 too late by 0.11 s, no more than this machine was late itself. 1 other left alone.',
  ]);
});

test('1.1 another outage is summed up by itself', () => {
  const stage = goodStory().missed('x');
  stage.model.latest = 900;
  stage.another(200);
  expect(stage.model).toMatchObject({ outage: 2, beganAt: start + 200_000, startedAt: start, missed: [], latest: 0 });
  stage
    .phase(200, 'outage', { [two]: threat(240_000) })
    .phase(210, 'healing')
    .phase(230, 'over');
  const { ok, outage, length, quiet, healthyProbes, shoots, spread } = networkSummary(stage.model);
  expect({ ok, outage, length, quiet, spread }).toEqual({
    ok: true,
    outage: 2,
    length: 30_000,
    quiet: null,
    spread: {},
  });
  expect(healthyProbes.count).toBe(0);
  expect(shoots).toMatchObject([{ cutOff: false }, { cutOff: true, wasBrief: true }]);
  expect(stage.model.rows.get(one)?.state).toBe('probing');
});

test('1.1 what the story waited for in vain makes it fail', () => {
  const { ok, missed } = networkSummary(goodStory().missed('x was never probed').model);
  expect([ok, missed]).toEqual([false, ['x was never probed']]);
});

test('1.1 only probes of a healthy, undisturbed shoot are priced', () => {
  const stage = new SeenNetwork()
    .turn(1, one, 'probing', { ...healthy, cost: cost(1) })
    // It looked at nodes and Machines.
    .turn(2, one, 'probing', { notes: [verdict('connected', 0, true)], cost: cost(2) })
    .turn(3, one, 'scalingUp', { commands: [scale(kcm, 0, 1)] })
    .turn(4, one, 'probing')
    // The writes before it came since the last probe.
    .turn(5, one, 'probing', { ...healthy, cost: cost(3) })
    .turn(6, one, 'probing', { ...healthy, cost: cost(4) })
    .phase(7, 'over')
    .turn(8, one, 'probing', { ...healthy, cost: cost(5) });
  expect(stage.model.rows.get(one)?.healthyProbes.map(({ seedRequests }) => seedRequests)).toEqual([1, 4]);
});

test('1.1 the worst margin is the least one', () => {
  const stage = new SeenNetwork(3)
    .phase(50, 'outage', { [one]: threat(80_000), [two]: threat(90_000), 'shoot--demo--03': threat(70_000) })
    .all(76, one, down)
    .all(77, two, down)
    .all(78, 'shoot--demo--03', down);
  const { margin, downDelay } = networkSummary(stage.model).spread;
  expect(margin).toEqual({ median: 4_000, worst: -8_000 });
  expect(downDelay).toEqual({ median: 2_000, worst: 3_000 });
});
