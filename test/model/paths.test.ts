import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { createTestModel } from 'xstate/graph';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { nameOf, pathOptions, walkPath, waysNotTaken } from '../support/model-paths.ts';
import type { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { deployment, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';

const kcm = deployment('kube-controller-manager', { down: 1, up: 0 });
const mcm = deployment('machine-controller-manager', { down: 0, up: 1, upDelay: 5_000 });

/** Everything settles within `settling`, whatever happens. */
const config: ProberConfig = {
  ...gardenerConfig,
  probeInterval: 5_000,
  initialDelay: 2_000,
  kcmNodeMonitorGraceDuration: 20_000,
  dependants: [kcm, mcm],
};
const settling = 45_000;

/** What an operator sees of the world and of us. */
type Seen = Readonly<{
  nodes: 'reaching' | 'cut off';
  api: 'up' | 'down';
  cluster: 'awake' | 'hibernated' | 'unreadable' | 'gone';
  watch: 'in' | 'out';
  shoot: 'probing' | 'scaledDown' | 'idle' | 'gone';
  /** We have taken it down, with mark and record. */
  down: boolean;
}>;

type Happening = Readonly<{
  type:
    | 'the nodes are cut off'
    | 'the nodes are back'
    | 'the API is down'
    | 'the API is up'
    | 'the shoot hibernates'
    | 'the Cluster cannot be read'
    | 'the shoot is awake'
    | 'the Cluster is deleted'
    | 'the watch goes out'
    | 'the watch comes back'
    | 'the watchdog crashes'
    | 'somebody raises one'
    | 'somebody takes one down';
}>;

/** Where it comes to rest. If a shoot does not answer, nothing new follows (4.4). */
function settled(seen: Omit<Seen, 'shoot'>, before: Seen['shoot']): Seen {
  switch (seen.cluster) {
    case 'gone':
      return { ...seen, shoot: 'gone' };
    case 'hibernated':
    case 'unreadable':
      return { ...seen, shoot: 'idle' };
    case 'awake':
      if (seen.api === 'down') return { ...seen, shoot: before === 'scaledDown' ? before : 'probing' };
      return seen.nodes === 'cut off'
        ? { ...seen, shoot: 'scaledDown', down: true }
        : { ...seen, shoot: 'probing', down: false };
  }
}

const base = setup({ types: { context: {} as Seen, events: {} as Happening } });
const becomes = (change: Partial<Omit<Seen, 'shoot' | 'down'>>) =>
  base.assign(({ context }) => settled({ ...context, ...change }, context.shoot));

/** The expected behaviour, seen from outside and after everything has settled; it does not matter how it comes about. */
const expected = base.createMachine({
  context: { nodes: 'reaching', api: 'up', cluster: 'awake', watch: 'in', shoot: 'probing', down: false },
  on: {
    'the nodes are cut off': { actions: becomes({ nodes: 'cut off' }) },
    'the nodes are back': { actions: becomes({ nodes: 'reaching' }) },
    'the API is down': { actions: becomes({ api: 'down' }) },
    'the API is up': { actions: becomes({ api: 'up' }) },
    'the shoot hibernates': { actions: becomes({ cluster: 'hibernated' }) },
    'the Cluster cannot be read': { actions: becomes({ cluster: 'unreadable' }) },
    'the shoot is awake': { actions: becomes({ cluster: 'awake' }) },
    'the Cluster is deleted': { actions: becomes({ cluster: 'gone' }) },
    'the watch goes out': { actions: becomes({ watch: 'out' }) },
    'the watch comes back': { actions: becomes({ watch: 'in' }) },
    // A prober that begins anew has no verdict yet.
    'the watchdog crashes': { actions: base.assign(({ context }) => settled(context, 'probing')) },
    // For these two the last verdict stands.
    'somebody raises one': { actions: becomes({}) },
    'somebody takes one down': { actions: becomes({}) },
  },
});

/** Only moves that change something, or that can be undone at once. */
function possible({ nodes, api, cluster, watch, shoot, down }: Seen): readonly Happening['type'][] {
  const list: Happening['type'][] = ['the watchdog crashes'];
  list.push(nodes === 'reaching' ? 'the nodes are cut off' : 'the nodes are back');
  list.push(api === 'up' ? 'the API is down' : 'the API is up');
  list.push(watch === 'in' ? 'the watch goes out' : 'the watch comes back');
  if (cluster === 'awake') list.push('the shoot hibernates', 'the Cluster cannot be read', 'the Cluster is deleted');
  else list.push('the shoot is awake');
  if (cluster === 'awake' && api === 'up' && down && shoot === 'scaledDown') list.push('somebody raises one');
  if (cluster === 'awake' && api === 'up' && !down) list.push('somebody takes one down');
  return list;
}

/** How the test causes each of them. */
const make: Record<Happening['type'], (guarded: GuardedWorld) => void> = {
  'the nodes are cut off': ({ world }) => world.cutOff(),
  'the nodes are back': ({ world }) => world.heal(),
  'the API is down': ({ world }) => void (world.api = 'down'),
  'the API is up': ({ world }) => void (world.api = 'up'),
  'the shoot hibernates': ({ world }) =>
    world.setCluster({ readable: true, cluster: { ...activeCluster, hibernationEnabled: true } }),
  'the Cluster cannot be read': ({ world }) => world.setCluster({ readable: false, problem: 'no spec.shoot' }),
  'the shoot is awake': ({ world }) => world.setCluster({ readable: true, cluster: activeCluster }),
  'the Cluster is deleted': ({ world }) => world.setCluster(undefined),
  'the watch goes out': ({ world }) => world.breakWatch(),
  'the watch comes back': ({ world }) => world.mendWatch(),
  'the watchdog crashes': (guarded) => guarded.restart(),
  'somebody raises one': ({ world }) => world.edit(kcm.key, { replicas: 3 }),
  // As Go leaves it: a record without a mark.
  'somebody takes one down': ({ world }) => world.edit(mcm.key, { replicas: 0, record: '2' }),
};

const model = createTestModel(expected, {
  filterEvents: ({ context }, { type }) => possible(context).includes(type),
  ...pathOptions,
});

function expectSeen(guarded: GuardedWorld, { shoot, down }: Seen): void {
  const { world, turns } = guarded;
  expect(shoot === 'gone' ? endedAs(turns.at(-1)) : guarded.state).toBe(shoot);
  for (const { key } of [kcm, mcm])
    expect(world.state(key), `at ${key}`).toMatchObject(
      down ? { replicas: 0, ready: 0, mark: true, record: '2' } : { replicas: 2, ready: 2, mark: false },
    );
}

/** A watchdog that began after the shoot had gone does not know of it. */
function endedAs(last: GuardedWorld['turns'][number] | undefined): string | undefined {
  return last === undefined || (last.event.type === 'ended' && last.event.because === 'gone') ? 'gone' : last.to;
}

const paths = model.getShortestPaths();

describe('L1 L2 3.1 3.2 3.4 4.4 6.5 6.6 6.9 6.10 whatever happens, it comes to rest as expected', () => {
  test.each(paths.map((path) => [nameOf(path), path] as const))('%s', async (_, path) => {
    expect(await walkPath(path, { config, settling, make, look: expectSeen })).toBe(path.steps.length);
  });
});

test('9.1 the paths take each way out of each state', () => {
  const reached = Object.values(model.getAdjacencyMap()).map(({ state }) => state);
  const { states, ways } = waysNotTaken(reached, paths, possible);
  expect(states).toBeGreaterThan(30);
  expect(ways).toEqual([]);
});
