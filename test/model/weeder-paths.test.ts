import { describe, expect, test } from 'vitest';
import { setup, type SnapshotFrom } from 'xstate';
import { createTestModel } from 'xstate/graph';
import type { ServiceKey } from '../../src/domain/weeder/service-ref.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import { pathOptions, waysNotTaken } from '../support/model-paths.ts';
import { WeededWorld } from '@dwd/testing/weeded-world.ts';

const service: ServiceKey = 'one/kube-apiserver';
const config: WeederConfig = {
  watchDuration: 3_600_000,
  services: [{ name: 'kube-apiserver', podSelectors: ['role in (kcm,csi)', 'role in (csi,scheduler)'] }],
};
/** Within this time everything settles, whatever happens; windows are far longer. */
const settling = 65_000;

/** What an operator sees of the world and of us. */
type Seen = Readonly<{
  service: 'up' | 'down' | 'gone';
  /** Which watch is broken. */
  out: 'none' | 'services' | 'pods';
  deletions: 'fine' | 'failing';
  pod: 'well' | 'crashing';
  /** What the watches have shown; `nothing` if they never could. */
  told: Readonly<{ service: 'up' | 'down' | 'gone' | 'nothing'; pod: 'well' | 'crashing' }>;
  window: 'open' | 'over';
  weeder: 'down' | 'recovering' | 'relapsed' | 'settled' | 'gone';
  /** Depends on the last thing that happened. */
  wasDeleted: boolean;
}>;

type Happening = Readonly<{
  type:
    | 'the service goes down'
    | 'the service is back'
    | 'the service is deleted'
    | 'the pod crash-loops'
    | 'the pod runs'
    | 'deletions fail'
    | 'deletions work'
    | 'the watch on services breaks'
    | 'the watch on pods breaks'
    | 'the watch is mended'
    | 'the time of a window passes'
    | 'the weeder crashes';
}>;

/** Where it comes to rest: it gets all news that can reach it, and acts on them. */
function settled(seen: Seen): Seen {
  const service = seen.out === 'services' ? seen.told.service : seen.service;
  const opens = service === 'up' && seen.told.service !== 'up';
  const window = service === 'gone' || service === 'nothing' ? 'over' : opens ? 'open' : seen.window;
  // It gets news of its dependants only within a window.
  const pod = window === 'over' ? 'well' : seen.out === 'pods' ? seen.told.pod : seen.pod;
  const weeder = stateFor(service, window);
  const wasDeleted = weeder === 'recovering' && pod === 'crashing' && seen.deletions === 'fine';
  return {
    ...seen,
    told: { service, pod: wasDeleted ? 'well' : pod },
    pod: wasDeleted ? 'well' : seen.pod,
    window,
    weeder,
    wasDeleted,
  };
}

function stateFor(service: Seen['told']['service'], window: Seen['window']): Seen['weeder'] {
  if (service === 'gone' || service === 'nothing') return 'gone';
  if (service === 'up') return window === 'open' ? 'recovering' : 'settled';
  return window === 'open' ? 'relapsed' : 'down';
}

const base = setup({ types: { context: {} as Seen, events: {} as Happening } });
const becomes = (change: Partial<Seen>) => base.assign(({ context }) => settled({ ...context, ...change }));

/** The expected behaviour, seen from outside and after everything has settled; it does not matter how it comes about. */
const expected = base.createMachine({
  context: {
    service: 'up',
    out: 'none',
    deletions: 'fine',
    pod: 'well',
    told: { service: 'up', pod: 'well' },
    window: 'open',
    weeder: 'recovering',
    wasDeleted: false,
  },
  on: {
    'the service goes down': { actions: becomes({ service: 'down' }) },
    'the service is back': { actions: becomes({ service: 'up' }) },
    'the service is deleted': { actions: becomes({ service: 'gone' }) },
    'the pod crash-loops': { actions: becomes({ pod: 'crashing' }) },
    'the pod runs': { actions: becomes({ pod: 'well' }) },
    'deletions fail': { actions: becomes({ deletions: 'failing' }) },
    'deletions work': { actions: becomes({ deletions: 'fine' }) },
    'the watch on services breaks': { actions: becomes({ out: 'services' }) },
    'the watch on pods breaks': { actions: becomes({ out: 'pods' }) },
    'the watch is mended': { actions: becomes({ out: 'none' }) },
    'the time of a window passes': { actions: becomes({ window: 'over' }) },
    // A weeder that begins anew knows nothing yet, and takes a service that is up for one that has come back.
    'the weeder crashes': { actions: becomes({ told: { service: 'nothing', pod: 'well' }, window: 'over' }) },
  },
});

/** Only moves that change something. */
function possible({ service: now, out, deletions, pod, window }: Seen): readonly Happening['type'][] {
  const list: Happening['type'][] = ['the weeder crashes'];
  list.push(now === 'up' ? 'the service goes down' : 'the service is back');
  if (now !== 'gone') list.push('the service is deleted');
  list.push(pod === 'well' ? 'the pod crash-loops' : 'the pod runs');
  list.push(deletions === 'fine' ? 'deletions fail' : 'deletions work');
  // One at a time: if two are repaired together, the news of one comes first.
  if (out === 'none') list.push('the watch on services breaks', 'the watch on pods breaks');
  else list.push('the watch is mended');
  if (window === 'open') list.push('the time of a window passes');
  return list;
}

/** The only dependant, whatever its present name. */
function dependantOf({ world }: WeededWorld): WeededWorld['world']['pods'][number] {
  return world.pods.find(({ labels }) => labels['role'] === 'csi')!;
}

/** How the test causes each of them. */
const make: Record<Happening['type'], (weeded: WeededWorld) => void | Promise<void>> = {
  'the service goes down': ({ world }) => world.setSlices(service, { v4: ['terminating', 'unready'], v6: [] }),
  'the service is back': ({ world }) => world.setSlices(service, { v4: ['unready', 'ready'], v6: [] }),
  'the service is deleted': ({ world }) => world.setSlices(service, {}),
  'the pod crash-loops': (weeded) => weeded.world.setCrashing(dependantOf(weeded), true),
  'the pod runs': (weeded) => weeded.world.setCrashing(dependantOf(weeded), false),
  'deletions fail': ({ world }) => void (world.deleting = 'refused'),
  'deletions work': ({ world }) => void (world.deleting = 'fine'),
  'the watch on services breaks': ({ world }) => world.breakServiceWatch(),
  'the watch on pods breaks': ({ world }) => world.breakPodWatches(),
  'the watch is mended': ({ world }) => {
    world.mendServiceWatch();
    world.mendPodWatches();
  },
  'the time of a window passes': (weeded) => weeded.pass(config.watchDuration),
  'the weeder crashes': (weeded) => weeded.restart(),
};

type Snapshot = SnapshotFrom<typeof expected>;

const model = createTestModel(expected, {
  filterEvents: ({ context }, { type }) => possible(context).includes(type),
  ...pathOptions,
});

const paths = model.getShortestPaths();

/** What is visible at rest; dependants are watched only within a window. */
function toSee({ weeder, window, pod, wasDeleted }: Seen): object {
  return { weeder, pod, wasDeleted, bystanders: 2, watches: window === 'open' ? 1 : 0, broken: [] };
}

/** Follows one path, and remembers which pod was there at the last look. */
class Walker {
  readonly weeded = new WeededWorld(config);
  #uid: string;
  readonly #bystanders: readonly string[];

  constructor() {
    const { world } = this.weeded;
    world.setSlices(service, { v4: ['ready', 'unready'], v6: [] });
    const pod = world.addPod('one', 'csi', { role: 'csi' });
    // Pods that no selector matches, and pods of another namespace, may crash-loop for ever.
    const others = [world.addPod('one', 'other', { role: 'other' }), world.addPod('two', 'kcm', { role: 'kcm' })];
    for (const one of others) world.setCrashing(one, true);
    this.#bystanders = others.map(({ uid }) => uid);
    this.#uid = pod.uid;
    this.weeded.start();
  }

  async happen(type: Happening['type']): Promise<void> {
    await make[type](this.weeded);
    await this.weeded.pass(settling);
  }

  look(): object {
    const { world, broken } = this.weeded;
    const { uid, crashing } = dependantOf(this.weeded);
    const wasDeleted = uid !== this.#uid;
    this.#uid = uid;
    const bystanders = world.pods.filter((one) => this.#bystanders.includes(one.uid)).length;
    const weeder = this.weeded.stateOf(service);
    return {
      weeder,
      pod: crashing.length > 0 ? 'crashing' : 'well',
      wasDeleted,
      bystanders,
      watches: world.podWatches,
      broken,
    };
  }
}

describe('7.1 7.2 7.3 7.4 S8 whatever happens, it comes to rest as expected', () => {
  test.each(paths.map((path) => [path.steps.map(({ event }) => event.type).join(', then '), path] as const))(
    '%s',
    async (_, path) => {
      const walker = new Walker();
      await walker.weeded.pass(settling);
      const happen = ({ event: { type } }: { event: { type: string } }) => walker.happen(type as Happening['type']);
      const walked = await path.test({
        events: Object.fromEntries(Object.keys(make).map((type) => [type, happen])),
        states: { '*': ({ context }: Snapshot) => expect(walker.look()).toEqual(toSee(context)) },
      });
      expect(walked.steps).toHaveLength(path.steps.length);
      walker.weeded.stop();
    },
  );
});

test('9.1 the paths take each way out of each state', () => {
  const reached = Object.values(model.getAdjacencyMap()).map(({ state }) => state);
  const { states, ways } = waysNotTaken(reached, paths, possible);
  expect(states).toBeGreaterThan(100);
  expect(ways).toEqual([]);
});
