import { expect, onTestFinished, test } from 'vitest';
import { headerLine, journalVersion, turnToWrite } from '../../src/adapters/journal/journal-line.ts';
import { readTurns } from '../../src/commands/status/told-by-turns.ts';
import type { ProberTold } from '../../src/domain/prober/prober-told.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import { PathWorld } from '../observers/path-world.ts';
import { meltdown } from '../observers/story.ts';

/** What a prober with this journal tells of its one shoot. */
async function told(turns: readonly ShootTurn[]): Promise<ProberTold | undefined> {
  const header = { journal: journalVersion, program: '', version: '', run: 'a', openedAt: 0, configuration: {} };
  const lines = turns.map((turn) => turnToWrite(turn, Infinity).lines().bare);
  async function* written() {
    for (const line of [headerLine(header), ...lines]) yield await Promise.resolve(line);
  }
  return (await readTurns(written(), () => Infinity)).get('shoot--sim--one');
}

async function connected(): Promise<PathWorld> {
  const world = await PathWorld.connected();
  onTestFinished(() => world.guarded.stop());
  return world;
}

type Told = Partial<Omit<ProberTold, 'verdict'>> & Readonly<{ verdict?: object }>;
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
    'the internal path fails, and the external one says after it that it cannot be asked',
    [[12_000, { internal: 'unreachable', external: 'kubeconfig' }, { internal: 5, external: 90 }]],
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
  const { failing, ...rest } = (await told(world.guarded.turns))!;
  expect(failing).toBe(expected.failing);
  const { failing: _failing, ...shown } = expected;
  expect(rest).toMatchObject({ ...shown, nextAt: expect.any(Number) });
});

test('9.8 what a prober tells that judges by leases', async () => {
  const turns = await meltdown();
  const at = (type: string) => turns.findIndex(({ event }) => event.type === type) + 1;
  expect((await told(turns.slice(0, at('probe.answered'))))?.verdict).toMatchObject({ kind: 'connected', expired: 0 });
  expect((await told(turns.slice(0, at('probe.failed'))))?.failing).toBe('version, unreachable: the shoot is down');
  expect(await told(turns)).toBeUndefined();
});
