import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pureMachines, type WeederSnapshot } from '../../src/machines/kinds.ts';
import type { WeederTurn } from '../../src/effects/turn.ts';
import { WeededWorld } from '@dwd/testing/weeded-world.ts';
import {
  calmSeed,
  chain,
  crashLoopingDependants,
  happenTo,
  populate,
  services,
  weederHappening,
  type WeederHappening,
} from '../support/weeder-histories.ts';
import type { SentDeletion } from '@dwd/testing/weeder-world.ts';

const runs = Number(process.env['HISTORIES'] ?? 200);
/** A history takes 2 ms; a busy neighbour must not fail a long soak. */
const patience = 60_000 + runs * 30;

/** `each`: how many pods each role has, sometimes more than may be deleted at a time. `lag`: of the watches on pods, in ms. */
const history = fc.record({
  each: fc.oneof({ weight: 15, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(4) }),
  lag: fc.constantFrom(0, 10),
  happenings: fc.array(weederHappening, { maxLength: 30, size: 'max' }),
});

type History = Readonly<{ each: number; lag: number; happenings: readonly WeederHappening[] }>;

async function live({ each, lag, happenings }: History): Promise<WeededWorld> {
  const weeded = new WeededWorld(chain);
  weeded.world.lag = lag;
  populate(weeded, each);
  weeded.start();
  await weeded.pass(50);
  for (const one of happenings) await happenTo(weeded, one);
  return weeded;
}

test(
  '7.1 7.2 7.3 7.4 S8 whatever faults there are, nothing is ever deleted but what crash-loops in a window, and once',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async (lived) => {
        const weeded = await live(lived);
        expect(lawsBroken(weeded)).toEqual([]);
        weeded.stop();
      }),
      { numRuns: runs },
    );
  },
  patience,
);

test(
  '7.2 7.3 7.4 S8 whatever faults there are, in calm every dependant that crash-loops in a window is deleted, and nothing after it',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async (lived) => {
        const weeded = await live(lived);
        calmSeed(weeded);
        for (const one of services) weeded.world.setSlices(one, { v4: ['ready'] });
        // No back-off is longer than this window, and no answer takes longer.
        const inTime = services.filter((one) => weeded.leftOf(one) > 50_000);
        await weeded.pass(45_000);
        expect(crashLoopingDependants(weeded, inTime), '7.3 in a window with time left').toEqual([]);
        await weeded.pass(30_000);
        expectSettled(weeded);

        for (const one of weeded.world.pods) weeded.world.setCrashing(one, true);
        const before = weeded.world.sent.length;
        await weeded.pass(300_000);
        expect(weeded.world.sent.length, '7.3 nothing is deleted after the window').toBe(before);

        for (const one of services) weeded.world.setSlices(one, { v4: ['unready'] });
        for (const one of services) weeded.world.setSlices(one, { v6: ['ready'], v4: [] });
        await weeded.pass(1_000);
        expect(crashLoopingDependants(weeded, services), '7.3 in a new window').toEqual([]);
        await weeded.pass(60_000);
        expectSettled(weeded);

        // What nobody saw: the same endpoints are ready afterwards.
        for (const one of weeded.world.pods) weeded.world.setCrashing(one, true);
        weeded.world.breakServiceWatch();
        for (const one of services) weeded.world.setSlices(one, { v6: ['unready'], v4: [] });
        await weeded.pass(10_001);
        for (const one of services) weeded.world.setSlices(one, { v6: ['ready'], v4: [] });
        weeded.world.mendServiceWatch();
        await weeded.pass(1_000);
        expect(crashLoopingDependants(weeded, services), '7.2 after an outage that was not seen').toEqual([]);
        expect(lawsBroken(weeded)).toEqual([]);
        weeded.stop();
      }),
      { numRuns: Math.ceil(runs / 10) },
    );
  },
  patience,
);

function expectSettled(weeded: WeededWorld): void {
  expect(
    services.map((one) => weeded.stateOf(one)),
    '7.2 after its window',
  ).toEqual(services.map(() => 'settled'));
  expect(weeded.world.podWatches, '7.2 nobody is watched after the window').toBe(0);
}

/** The laws that a turn, or a sent deletion, has broken until now. */
function lawsBroken({ world, broken }: WeededWorld): readonly string[] {
  return [...broken, ...world.sent.flatMap(brokenBy)];
}

function brokenBy({ at, pod, withinWindow, toldCrashLooping, deletedBefore }: SentDeletion): readonly string[] {
  const laws: Readonly<Record<string, boolean>> = {
    'S8 within a window': withinWindow,
    'S8 in CrashLoopBackOff': toldCrashLooping,
    'S8 once': !deletedBefore,
  };
  return Object.entries(laws).flatMap(([law, holds]) => (holds ? [] : [`${law}: ${pod.name} ${pod.uid} at ${at}`]));
}

test(
  'L3 the turns of a history come out the same when they are played again',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async (lived) => {
        const { turns } = await live(lived);
        const snapshots = new Map<string, WeederSnapshot>();
        const taken = turns.filter(({ event }) => event.type !== 'ended');
        const again = taken.map((turn) => replayed(turn, snapshots));
        expect(JSON.stringify(again)).toEqual(JSON.stringify(taken.map(cameOf)));
      }),
      { numRuns: Math.ceil(runs / 10) },
    );
  },
  patience,
);

/** The result of a turn's event when it is played again, as it is read from a journal. */
function replayed({ subject: service, event }: WeederTurn, snapshots: Map<string, WeederSnapshot>): object {
  const read = JSON.parse(JSON.stringify(event)) as Exclude<WeederTurn['event'], { type: 'ended' }>;
  const outcome =
    read.type === 'started'
      ? pureMachines.weeder.first(read.input)
      : pureMachines.weeder.take(snapshots.get(service)!, read);
  const { snapshot, state: to, commands, notes } = outcome;
  snapshots.set(service, snapshot);
  return { to, commands, notes, after: { value: snapshot.value, context: snapshot.context } };
}

function cameOf({ to, commands, notes, after }: WeederTurn): object {
  return { to, commands, notes, after };
}
