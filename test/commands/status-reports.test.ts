import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/adapters/record/metrics/metrics.ts';
import { readMetrics } from '../../src/commands/status/ask-prober.ts';
import { headlineIn, reportsOf } from '../../src/commands/status/prober-reports.ts';
import { headlineText, stepLines } from '../../src/adapters/record/episodes/headline.ts';
import { liveHistory } from '@dwd/inspector/serve/live-history.ts';
import { journalVersion } from '../../src/adapters/record/journal/journal-line.ts';
import { withProberReport, type ProberReport } from '../../src/domain/prober/prober-report.ts';
import type { ShootPath } from '../../src/domain/prober/shoot-path.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import { PathWorld } from '../observers/path-world.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { zonedShoot } from '../support/guarded-shoots.ts';

/** What a prober tells that took these turns. */
function historyOf(turns: readonly ShootTurn[], now: number) {
  const journal = { parts: () => [], header: () => headerOf('one') };
  const history = liveHistory({ version: '', now: () => now, journal });
  for (const turn of turns) history.observe(turn);
  return history;
}

/** The same of its one shoot. */
function told(turns: readonly ShootTurn[], ahead = 0): ProberReport | undefined {
  const now = turns.at(-1)?.at ?? 0;
  const history = historyOf(turns, now);
  const served: unknown = JSON.parse(JSON.stringify({ now, shoots: history.rows().shoots }));
  return reportsOf(served, now - ahead).get('shoot--sim--one');
}

const headerOf = (run: string) => ({
  journal: journalVersion,
  program: '',
  version: '',
  run,
  openedAt: 0,
  configuration: {},
});

async function connected(): Promise<PathWorld> {
  const world = await PathWorld.connected();
  onTestFinished(() => world.guarded.stop());
  return world;
}

type Told = Partial<Omit<ProberReport, 'verdict'>> & Readonly<{ verdict?: object }>;
type During = Parameters<PathWorld['during']>;

const cases: readonly (readonly [string, readonly During[], Told])[] = [
  ['all answers', [[20_000, {}]], { state: 'probing', verdict: { kind: 'connected', external: { of: 1 } } }],
  [
    'the external path fails, not often enough yet',
    [[6_000, { external: 'refused' }]],
    { state: 'leaseFailed', verdict: { kind: 'cutOff', external: { count: 2, of: 3 }, reason: 'refused' } },
  ],
  [
    'the external path fails',
    [[60_000, { external: 'timeout' }]],
    { state: 'scaledDown', verdict: { kind: 'cutOff', external: { of: 3 }, reason: 'timeout' } },
  ],
  [
    'the internal path fails',
    [[40_000, { internal: 'unreachable', external: 'kubeconfig' }]],
    { state: 'probing', failing: 'internal path, unreachable: no', verdict: { kind: 'connected' } },
  ],
  [
    'the internal path fails, and the external one said before that it cannot be asked',
    [[12_000, { internal: 'unreachable', external: 'kubeconfig' }, { internal: 900, external: 5 }]],
    { failing: 'internal path, unreachable: no' },
  ],
  [
    'the external path cannot be asked, and says so first',
    [[20_000, { external: 'kubeconfig' }, { internal: 900, external: 5 }]],
    { state: 'probing', failing: 'external path, kubeconfig: no' },
  ],
  [
    'the external path cannot be asked, and says so last',
    [[20_000, { external: 'kubeconfig' }, { internal: 5, external: 900 }]],
    { state: 'probing', failing: 'external path, kubeconfig: no' },
  ],
  [
    'the external path does not answer in time, but the internal one is slow as well',
    [[60_000, { external: 'timeout' }, { internal: 3_000, external: 4_900 }]],
    { state: 'probing', failing: 'external path, timeout: no' },
  ],
  ['a refusal is an answer', [[20_000, { internal: 'unauthorized', external: 'throttled' }]], { state: 'probing' }],
  [
    'all answers again',
    [
      [30_000, { internal: 'unreachable' }],
      [90_000, {}],
    ],
    { state: 'probing', verdict: { kind: 'connected' } },
  ],
];

test.for(cases)('4.9 9.8 what a prober of two paths tells: %s', async ([, spans, expected]) => {
  const world = await connected();
  for (const span of spans) await world.during(...span);
  const { failing, ...rest } = told(world.guarded.turns)!;
  expect(failing).toBe(expected.failing);
  const { failing: _failing, ...shown } = expected;
  expect(rest).toMatchObject({ ...shown, nextAt: expect.any(Number) });
});

/** While one path of a probe has told and the other has not, or nobody waits for the other any more. */
const halfway: readonly (readonly [string, During[1], During[2], ShootPath, string | undefined])[] = [
  [
    'the internal path failed, and then the external one cannot be asked',
    { internal: 'unreachable', external: 'kubeconfig' },
    { internal: 5, external: 90 },
    'external',
    'internal path, unreachable: no',
  ],
  ['the external path failed first', { external: 'refused' }, { internal: 900, external: 5 }, 'external', undefined],
  ['we are refused first', { internal: 'unauthorized' }, { internal: 5, external: 900 }, 'internal', undefined],
];

test.for(halfway)('4.9 9.8 what a prober of two paths tells when %s', async ([, faults, slow, path, failing]) => {
  const world = await connected();
  const before = [...world.guarded.turns];
  const turns = await world.during(20_000, faults, slow);
  const answer = turns.findIndex(({ event }) => event.type === 'path.answered' && event.path === path && event.failure);
  expect(answer).toBeGreaterThan(0);
  expect(told([...before, ...turns.slice(0, answer + 1)])).toMatchObject({ state: 'probing' });
  expect(told([...before, ...turns.slice(0, answer + 1)])?.failing).toBe(failing);
});

test('4.9 9.8 the metrics tell each shoot’s state, and of two paths whether the internal one fails', async () => {
  const metrics = createMetrics('prober');
  const world = await connected();
  const states = async () => {
    for (const turn of world.guarded.turns.splice(0)) metrics.observe(turn);
    const text = await metrics.text();
    return (await readMetrics(Readable.from(text.split('\n')))).of;
  };
  const shoot = 'shoot--sim--one';
  expect(await states()).toEqual(new Map([[shoot, { state: 'probing', standing: 'watched' }]]));
  await world.during(60_000, { external: 'unreachable' });
  expect(await states()).toEqual(new Map([[shoot, { state: 'scaledDown', standing: 'scaledDown' }]]));
  await world.during(60_000, { internal: 'unreachable' });
  const failing = 'the internal path has failed several times in a row';
  expect(await states()).toEqual(
    new Map([[shoot, { state: 'scaledDown', standing: 'scaledDownNotAnswering', failing }]]),
  );
  await world.during(60_000, {});
  expect((await states()).get(shoot)).not.toHaveProperty('failing');
});

test('9.8 what a prober tells that judges by leases', async () => {
  const turns = await meltdown();
  const at = (type: string) => turns.findIndex(({ event }) => event.type === type) + 1;
  expect(told(turns.slice(0, at('probe.answered')))?.verdict).toMatchObject({ kind: 'connected', expired: 0 });
  expect(told(turns.slice(0, at('probe.failed')))?.failing).toBe('version, unreachable: the shoot is down');
  expect(told(turns)).toBeUndefined();
});

test('6.5 9.8 of a shoot that comes and goes it is told until when it waits, until it is scaled up', async () => {
  const guarded = new GuardedWorld({ ...gardenerConfig, kcmNodeMonitorGraceDuration: 30_000 });
  onTestFinished(() => guarded.stop());
  await guarded.pass(100_000);
  const waits = () => guarded.turns.some(({ notes }) => notes.some(({ kind }) => kind === 'returnWaits'));
  for (let time = 0; time < 2; time++) {
    guarded.world.cutOff();
    await guarded.pass(30_000);
    guarded.world.heal();
    for (let passed = 0; passed < 150 && !waits(); passed++) await guarded.pass(100);
  }
  const waiting = told(guarded.turns)!;
  expect(waiting).toMatchObject({
    state: 'scalingUp',
    waits: expect.stringMatching(/^connected again; waits until \d\d:/),
  });
  const down = { shoot: 's', state: 'scaledDown', dependants: [] } as const;
  expect(withProberReport(down, waiting)).toMatchObject({ state: 'scalingUp', reason: waiting.waits });
  await guarded.pass(5_000);
  expect(told(guarded.turns)).toMatchObject({ waits: waiting.waits });
  await guarded.pass(15_000);
  expect(told(guarded.turns)).not.toHaveProperty('waits');
});

test('5.6 9.8 of a shoot of which a zone is cut off, it is told which, until it is over or the shoot sleeps', async () => {
  const guarded = await zonedShoot();
  onTestFinished(() => guarded.stop());
  guarded.world.cutOff(3);
  await guarded.pass(180_000);
  const partial = told(guarded.turns);
  expect(partial).toMatchObject({ state: 'probing', partial: 'zone a is cut off' });
  const watched = { shoot: 's', state: 'watched', dependants: [] } as const;
  expect(withProberReport(watched, partial!)).toMatchObject({ state: 'watched', reason: 'zone a is cut off' });
  expect(told(guarded.turns.slice(-1)), 'the turn that told it is in no memory any more').toMatchObject({
    partial: 'zone a is cut off',
  });
  const asleep = [...guarded.turns];
  guarded.world.heal();
  await guarded.pass(120_000);
  expect(told(guarded.turns)).not.toHaveProperty('partial');
  expect(told([...asleep, { ...asleep.at(-1)!, to: 'idle', notes: [] }])).not.toHaveProperty('partial');
});

const instants = ({ since, nextAt, verdict, downAt }: ProberReport) => [
  since,
  nextAt,
  verdict?.at,
  ...Object.values(downAt ?? {}),
];

test('9.8 what a prober tells is put on our clock, and what are no rows tells nothing', async () => {
  const turns = await meltdown();
  const down = turns.findLastIndex(({ to }) => to === 'scaledDown') + 1;
  const [same, ahead] = [0, 5_000].map((by) => told(turns.slice(0, down), by)!);
  expect(instants(same!)).toHaveLength(6);
  expect(instants(ahead!)).toEqual(instants(same!).map((at) => at! - 5_000));
  expect(reportsOf({ now: 0, shoots: [null, { shoot: 'x' }, { shoot: 'y', standing: 'never' }] }, 0).size).toBe(0);
  expect(() => reportsOf({}, 0)).toThrow('it serves no rows of shoots');
});

test('9.8 9.19 what a prober served of the last day is told in one sentence, and what is no episode tells nothing', async () => {
  const turns = await meltdown();
  const now = turns.at(-1)?.at ?? 0;
  const episodes = historyOf(turns, now).episodes.episodes();
  const served: unknown = JSON.parse(JSON.stringify({ now, episodes: [...episodes, null, { kind: 'outage' }, 7] }));
  const headline = headlineIn(served)!;
  expect(headlineText(headline)).toMatch(
    /^1 outage, 1 shoot brought back, in time\. The closest was \S+ s before a node could be marked\. Nothing to do\.$/,
  );
  expect(stepLines(headline)).toEqual([]);
  expect(['x', {}, { now, episodes: 'none' }].map(headlineIn)).toEqual([undefined, undefined, undefined]);
});
