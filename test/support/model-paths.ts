import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { Millis } from '../../src/domain/time.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';

type Snapshot = Readonly<{ context: unknown }>;
type Event = Readonly<{ type: string }>;

/** How generated paths tell states and events apart; given to `createTestModel` beside its filter. */
export const pathOptions = {
  // A step also counts by the state that it comes from, so that each way out of each state is on some path.
  serializeState: (state: Snapshot, event: Event | undefined, before: Snapshot | undefined): string => {
    const via = event === undefined || before === undefined ? '' : ` by "${event.type}" from ${plain(before)}`;
    return `${plain(state)}${via}`;
  },
  serializeEvent: ({ type }: Event): string => type,
};

function plain({ context }: Snapshot): string {
  return JSON.stringify(context);
}

type Path<Context> = Readonly<{
  /** The first state is where the path begins. */
  steps: readonly Readonly<{ state: Readonly<{ context: Context }>; event: Readonly<{ type: string }> }>[];
}>;

/** Counts the states, and names the ways out of them that are on no path. Only their context distinguishes states. */
export function waysNotTaken<Context>(
  reached: readonly Readonly<{ context: Context }>[],
  paths: readonly Path<Context>[],
  possible: (context: Context) => readonly string[],
): Readonly<{ states: number; ways: readonly string[] }> {
  const states = new Map(reached.map(({ context }) => [JSON.stringify(context), context]));
  const taken = new Set<string>();
  for (const { steps } of paths) {
    let at = JSON.stringify(steps[0]?.state.context);
    for (const { event, state } of steps) {
      taken.add(`${at} ${event.type}`);
      at = JSON.stringify(state.context);
    }
  }
  const ways = [...states].flatMap(([at, context]) => possible(context).map((type) => `${at} ${type}`));
  return { states: states.size, ways: ways.filter((way) => !taken.has(way)) };
}

type TestPath<Context> = Path<Context> &
  Readonly<{
    test(params: {
      events: Record<string, (step: { event: { type: string } }) => Promise<void>>;
      states: Record<string, (state: { context: Context }) => void>;
    }): Promise<Readonly<{ steps: readonly unknown[] }>>;
  }>;

/** A path by what happens on it. */
export function nameOf({ steps }: Path<unknown>): string {
  return steps.map(({ event }) => event.type).join(', then ');
}

/** Makes everything on a path happen to a fresh world, lets each of it settle, and looks at each state. Answers how many steps it took. */
export async function walkPath<Context>(
  path: TestPath<Context>,
  {
    config,
    settling,
    make,
    look,
  }: Readonly<{
    config: ProberConfig;
    settling: Millis;
    make: Readonly<Record<string, (guarded: GuardedWorld) => void>>;
    look: (guarded: GuardedWorld, seen: Context) => void;
  }>,
): Promise<number> {
  const guarded = new GuardedWorld(config, 3);
  await guarded.pass(settling);
  const happen = ({ event: { type } }: { event: { type: string } }) => {
    make[type]?.(guarded);
    return guarded.pass(settling);
  };
  const events = Object.fromEntries(Object.keys(make).map((type) => [type, happen]));
  const walked = await path.test({ events, states: { '*': ({ context }) => look(guarded, context) } });
  guarded.stop();
  return walked.steps.length;
}
