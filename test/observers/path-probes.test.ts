import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathProbes } from '../../src/adapters/record/facts/path-probes.ts';
import type { ProbeFailure, ProbeFailureReason } from '../../src/domain/prober/probe-failure.ts';
import type { ShootPath } from '../../src/domain/prober/shoot-path.ts';
import { pureMachines, shootWakeAt, type ShootOutcome } from '../../src/machines/kinds.ts';
import type { ShootEvent } from '../../src/machines/shoot-language.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';

const reasons: readonly (ProbeFailureReason | undefined)[] = [
  undefined,
  undefined,
  undefined,
  undefined,
  'unreachable',
  'timeout',
  'unauthorized',
  'kubeconfig',
  'local',
];

const kinds = [
  'internal unreachable',
  'internal timeout',
  'internal kubeconfig',
  'internal local',
  'external timeout',
  'external kubeconfig',
  'external local',
];

type Step =
  | Readonly<{ do: 'wait'; millis: number }>
  | Readonly<{ do: 'wake' | 'readCluster' }>
  | Readonly<{ do: 'answer'; path: ShootPath; back: number; reason: ProbeFailureReason | undefined }>
  | Readonly<{ do: 'cluster'; rests: boolean }>
  | Readonly<{ do: 'watched'; live: boolean }>;

const answer = fc.record({
  do: fc.constant('answer' as const),
  path: fc.constantFrom<ShootPath>('internal', 'external'),
  // Now and then an answer to an earlier probe.
  back: fc.constantFrom(0, 0, 0, 1),
  reason: fc.constantFrom(...reasons),
});
const answers = (path: ShootPath, reason?: ProbeFailureReason) => ({ do: 'answer', path, back: 0, reason }) as const;
/** The internal path answers after more than half of the time, and the external one not at all. */
const late: readonly Step[] = [
  { do: 'wake' },
  { do: 'wait', millis: 3_000 },
  answers('internal'),
  { do: 'wait', millis: 1_900 },
  answers('external', 'timeout'),
];
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: answer },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wake' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.nat(4_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('readCluster' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cluster' as const), rests: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('watched' as const), live: fc.boolean() }) },
);

const whole = fc
  .constantFrom(...reasons)
  .map((reason): readonly Step[] => [{ do: 'wake' }, answers('internal'), answers('external', reason)]);
const some = fc.oneof(
  { weight: 20, arbitrary: step.map((one) => [one]) },
  { weight: 2, arbitrary: whole },
  { weight: 1, arbitrary: fc.constant(late) },
);

/** The event of a step, as the world of this machine would send it. */
function eventOf(one: Step, { snapshot }: ShootOutcome, at: number, askedAt: ReadonlyMap<string, number>): ShootEvent {
  // One that is paused meanwhile is still answered.
  const number = snapshot.context.probe.asked?.number ?? snapshot.context.numbered;
  switch (one.do) {
    case 'wait':
    case 'wake':
      return { type: 'woken', at };
    case 'watched':
      return { type: 'cluster.watched', at, live: one.live };
    case 'cluster':
      return { type: 'cluster.changed', at, reading: { readable: true, cluster: clusterThat(one.rests) } };
    case 'readCluster':
      return { type: 'cluster.answered', at, number, cluster: { outcome: 'failed', detail: 'no' } };
    case 'answer': {
      const { path, back, reason } = one;
      const asked = { number: number - back, path, askedAt: askedAt.get(`${number - back} ${path}`) ?? at };
      const failure: ProbeFailure | undefined = reason && { stage: path, reason, detail: 'no' };
      return { type: 'path.answered', at, ...asked, ...(failure === undefined ? {} : { failure }) };
    }
  }
}

function clusterThat(rests: boolean) {
  return { ...activeCluster, hibernationEnabled: rests };
}

test('4.9 9.4 it finds that a probe told nothing exactly where the machine plans to try again, whatever comes, late answers included', () => {
  const found: string[] = [];
  fc.assert(
    fc.property(fc.array(some, { minLength: 5, maxLength: 50 }), (chains) => {
      const steps = chains.flat();
      const input = { shoot: 'shoot--desk--one', config: twoPathConfig, followed: true, chance: 1 };
      let at = 1_000_000;
      let outcome = pureMachines.shoot.first(input);
      const probes = pathProbes();
      let why: ProbeFailureReason | null = null;
      const askedAt = new Map<string, number>();
      const started = [
        { do: 'watched', live: true },
        { do: 'cluster', rests: false },
      ] as const;
      for (const one of [...started, ...steps]) {
        if (one.do === 'wait') at += one.millis;
        if (one.do === 'wake') at = Math.max(at, Math.min(shootWakeAt(outcome.snapshot) ?? at, at + 40_000));
        const event = eventOf(one, outcome, at, askedAt);
        const before = outcome.snapshot.context.probe.failuresInRow;
        outcome = pureMachines.shoot.take(outcome.snapshot, event);
        const { commands, notes, state } = outcome;
        for (const { type, params } of commands)
          if (type === 'askPath') askedAt.set(`${params.number} ${params.path}`, at);
        const failed = event.type === 'path.answered' && outcome.snapshot.context.probe.failuresInRow > before;
        const untold = probes.observe({ event, to: state, commands, notes });
        expect(untold !== undefined).toBe(failed);
        if (untold !== undefined) found.push(`${untold.stage} ${untold.reason}`);
        const verdict = notes.find((note) => note.kind === 'verdict')?.verdict;
        if (verdict !== undefined) why = verdict === 'cutOff' ? outcome.snapshot.context.paths!.reason : null;
        expect(probes.external()?.reason ?? null).toBe(why);
      }
    }),
    { seed: 15, numRuns: 400 },
  );
  // What came too late is among them.
  expect(new Set(found)).toEqual(new Set(kinds));
});
