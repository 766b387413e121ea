import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { createTestModel } from 'xstate/graph';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { nameOf, pathOptions, walkPath, waysNotTaken } from '../support/model-paths.ts';
import { deployment, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';

const kcm = deployment('kube-controller-manager', { down: 1, up: 0 });
const mcm = deployment('machine-controller-manager', { down: 0, up: 1, upDelay: 5_000 });

/** Everything settles within `settling`, whatever happens. */
const config: ProberConfig = {
  ...twoPathConfig,
  probeInterval: 3_000,
  initialDelay: 2_000,
  kcmNodeMonitorGraceDuration: 20_000,
  internalProbeFailureBackOffDuration: 6_000,
  dependants: [kcm, mcm],
};
const settling = 45_000;

/** What an operator sees of the world and of us. */
type Seen = Readonly<{
  external: 'answers' | 'is broken';
  internal: 'answers' | 'is broken' | 'has no Secret';
  cluster: 'awake' | 'hibernated';
  stream: 'in' | 'out';
  shoot: 'probing' | 'scaledDown' | 'idle';
  /** We have taken it down, with mark and record. */
  down: boolean;
}>;

type Happening = Readonly<{
  type:
    | 'the external path breaks'
    | 'the external path drops every packet'
    | 'the external path is back'
    | 'the internal path breaks'
    | 'the internal Secret is deleted'
    | 'the internal path is back'
    | 'the shoot hibernates'
    | 'the shoot is awake'
    | 'the stream of Clusters goes out'
    | 'the stream of Clusters comes back'
    | 'the watchdog crashes';
}>;

/** Where it comes to rest. While the internal path does not answer, nothing new follows. */
function settled(seen: Omit<Seen, 'shoot'>, before: Seen['shoot']): Seen {
  if (seen.cluster === 'hibernated') {
    // Unseen, it is left as it is until something would be done about it, which asks for the Cluster first.
    const asked = seen.internal === 'answers' && (seen.external === 'is broken' || seen.down);
    return { ...seen, shoot: seen.stream === 'out' && !asked ? before : 'idle' };
  }
  if (seen.internal !== 'answers') return { ...seen, shoot: before === 'scaledDown' ? before : 'probing' };
  return seen.external === 'is broken'
    ? { ...seen, shoot: 'scaledDown', down: true }
    : { ...seen, shoot: 'probing', down: false };
}

const base = setup({ types: { context: {} as Seen, events: {} as Happening } });
const becomes = (change: Partial<Omit<Seen, 'shoot' | 'down'>>) =>
  base.assign(({ context }) => settled({ ...context, ...change }, context.shoot));

/** The expected behaviour, seen from outside and after everything has settled; it does not matter how it comes about. */
const expected = base.createMachine({
  context: {
    external: 'answers',
    internal: 'answers',
    cluster: 'awake',
    stream: 'in',
    shoot: 'probing',
    down: false,
  },
  on: {
    'the external path breaks': { actions: becomes({ external: 'is broken' }) },
    'the external path drops every packet': { actions: becomes({ external: 'is broken' }) },
    'the external path is back': { actions: becomes({ external: 'answers' }) },
    'the internal path breaks': { actions: becomes({ internal: 'is broken' }) },
    'the internal Secret is deleted': { actions: becomes({ internal: 'has no Secret' }) },
    'the internal path is back': { actions: becomes({ internal: 'answers' }) },
    'the shoot hibernates': { actions: becomes({ cluster: 'hibernated' }) },
    'the shoot is awake': { actions: becomes({ cluster: 'awake' }) },
    'the stream of Clusters goes out': { actions: becomes({ stream: 'out' }) },
    'the stream of Clusters comes back': { actions: becomes({ stream: 'in' }) },
    // A prober that begins anew has no verdict yet.
    'the watchdog crashes': { actions: base.assign(({ context }) => settled(context, 'probing')) },
  },
});

/** Only moves that change something, or that can be undone at once. */
function possible({ external, internal, cluster, stream }: Seen): readonly Happening['type'][] {
  const list: Happening['type'][] = [];
  // The stream tells a program that begins, and one that was told to rest, how the Cluster is.
  if (stream === 'in') {
    list.push('the watchdog crashes', cluster === 'awake' ? 'the shoot hibernates' : 'the shoot is awake');
    if (cluster === 'awake') list.push('the stream of Clusters goes out');
  } else {
    list.push('the stream of Clusters comes back');
    if (cluster === 'awake') list.push('the shoot hibernates');
  }
  if (external === 'answers') list.push('the external path breaks', 'the external path drops every packet');
  else list.push('the external path is back');
  if (internal === 'answers') list.push('the internal path breaks', 'the internal Secret is deleted');
  else list.push('the internal path is back');
  return list;
}

/** How the test causes each of them. */
const make: Record<Happening['type'], (guarded: GuardedWorld) => void> = {
  'the external path breaks': ({ world }) => void (world.loadBalancer = 'down'),
  'the external path drops every packet': ({ world }) => void (world.loadBalancer = 'hanging'),
  'the external path is back': ({ world }) => void (world.loadBalancer = 'up'),
  'the internal path breaks': ({ world }) => void (world.api = 'down'),
  'the internal Secret is deleted': ({ world }) => void world.withoutSecret.add('internal'),
  'the internal path is back': ({ world }) => {
    world.api = 'up';
    world.withoutSecret.clear();
  },
  'the shoot hibernates': ({ world }) =>
    world.setCluster({ readable: true, cluster: { ...activeCluster, hibernationEnabled: true } }),
  'the shoot is awake': ({ world }) => world.setCluster({ readable: true, cluster: activeCluster }),
  'the stream of Clusters goes out': ({ world }) => world.breakClusters(),
  'the stream of Clusters comes back': ({ world }) => world.mendClusters(),
  'the watchdog crashes': (guarded) => guarded.restart(),
};

const model = createTestModel(expected, {
  filterEvents: ({ context }, { type }) => possible(context).includes(type),
  ...pathOptions,
});

function expectSeen(guarded: GuardedWorld, { shoot, down }: Seen): void {
  expect(guarded.state).toBe(shoot);
  for (const { key } of [kcm, mcm])
    expect(guarded.world.state(key), `at ${key}`).toMatchObject(
      down ? { replicas: 0, ready: 0, mark: true, record: '2' } : { replicas: 2, ready: 2, mark: false },
    );
}

const paths = model.getShortestPaths();

describe('L1 L2 S1 3.1 3.5 4.9 6.10 whatever happens to two paths, it comes to rest as expected', () => {
  test.each(paths.map((path) => [nameOf(path), path] as const))('%s', async (_, path) => {
    expect(await walkPath(path, { config, settling, make, look: expectSeen })).toBe(path.steps.length);
  });
});

test('4.9 the paths take each way out of each state', () => {
  const reached = Object.values(model.getAdjacencyMap()).map(({ state }) => state);
  const { states, ways } = waysNotTaken(reached, paths, possible);
  expect(states).toBeGreaterThan(20);
  expect(ways).toEqual([]);
});
