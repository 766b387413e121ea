import { workerPool } from '@dwd/simulator/shoot/shoot-objects.ts';
import { cutOff, type HappeningKind } from '../happening.ts';
import type { Scene, Shoot } from '../scene.ts';
import { shootNames } from '../seed-plan.ts';

/** What gardenlet and the garden say of a shoot in its Cluster; often just after its nodes were cut off, when it does the most harm. */
export const gardener: HappeningKind = {
  of: 'shoot',
  hourly: 1.5,
  draw({ at, shoot, between, oneOf, strikes }) {
    const [begin, end] = oneOf([
      ['hibernated', 'woken'],
      ['migrated', 'reconciled'],
      ['made workerless', 'given workers'],
      ['Cluster garbled', 'Cluster mended'],
    ] as const);
    const isAtWorst = strikes(0.6);
    const length = between(20_000, 600_000);
    const cutOffAt = at - between(500, 60_000);
    return [
      ...(isAtWorst && cutOffAt > 0 ? cutOff(shoot, cutOffAt, at + between(1_000, 2 * length)) : []),
      { at, kind: begin, shoot },
      { at: at + length, kind: end, shoot },
    ];
  },
  strike: {
    hibernated: ({ shoot }) => shoot?.hibernate(),
    woken: ({ shoot }) => shoot?.wake(),
    migrated: ({ shoot }) => shoot?.migrate(),
    reconciled: ({ shoot }) => shoot?.reconcile(),
    'made workerless': ({ shoot }) => shoot?.makeWorkerless(),
    'given workers': ({ shoot }) => shoot?.giveWorkers(),
    'Cluster garbled': ({ shoot }) => shoot?.makeUnreadable(),
    'Cluster mended': ({ shoot }) => mend(shoot),
  },
  calm: (scene) => scene.seed.shoots.forEach(mend),
  tell: ({ kind, shoot }) => `${shoot} was ${kind}`,
};

/** As gardenlet writes it for a shoot that is awake and well. Where it is so already nothing is written, so calm tells no process what it has missed. */
function mend(shoot: Shoot | undefined): void {
  shoot?.editShoot({
    metadata: { deletionTimestamp: null },
    spec: { hibernation: null, kubernetes: {}, provider: { type: 'local', workers: [workerPool] } },
    status: { hibernated: false, lastOperation: { type: 'Reconcile', state: 'Succeeded' } },
  });
}

/**
 * Ways of a shoot that take several steps: it wakes up, comes from another seed, or goes to one. In the steps between, a probe that runs goes on, and none
 * is started (3.2). Often its nodes do not reach it yet, as is the case then.
 */
export const lifecycles: HappeningKind = {
  of: 'shoot',
  hourly: 0.7,
  draw({ at, shoot, between, oneOf, strikes }) {
    const [first, second] = oneOf([
      ['hibernated', 'waking'],
      ['migrated', 'restoring'],
      ['migrating live', 'restoring'],
      ['migrating live', 'creating'],
    ] as const);
    const secondAt = at + between(20_000, 200_000);
    const end = secondAt + between(20_000, 200_000);
    return [
      ...(strikes(0.7) ? cutOff(shoot, at + between(0, 20_000), end) : []),
      { at, kind: first, shoot },
      { at: secondAt, kind: second, shoot },
      { at: end, kind: 'Cluster mended', shoot },
    ];
  },
  strike: {
    waking: ({ shoot }) =>
      shoot?.editShoot({ spec: { hibernation: { enabled: false } }, status: { hibernated: true } }),
    restoring: ({ shoot }) => shoot?.lastOperation('Restore', 'Processing'),
    creating: ({ shoot }) => shoot?.lastOperation('Create', 'Processing'),
    'migrating live': ({ shoot }) => shoot?.lastOperation('LiveMigrate', 'Processing'),
  },
  tell: ({ kind, shoot }) => `${shoot} is ${kind}`,
};

/** gardenlet writes a Cluster whenever anything of its shoot changes, which is most often nothing that we use. */
export const heartbeats: HappeningKind = {
  of: 'shoot',
  hourly: 6,
  draw: ({ at, shoot }) => [{ at, kind: 'heartbeat', shoot }],
  strike: {
    heartbeat: ({ scene, shoot }) => shoot?.editShoot({ metadata: { resourceVersion: String(Math.round(scene.age)) } }),
  },
  tell: ({ shoot }) => `${shoot}: its Cluster was written, with nothing new in it`,
};

/**
 * Shoots that are deleted with all that belongs to them, and created anew under the same name. Not where etcd is restored from a backup:
 * gardenlet's part in putting such a shoot right is not simulated.
 */
export const births: HappeningKind = {
  of: 'shoot',
  hourly: ({ restores }) => (restores ? 0 : 0.6),
  draw: ({ at, shoot, between }) => [
    { at, kind: 'deletion asked for', shoot },
    { at: at + between(100, 60_000), kind: 'shoot deleted', shoot },
    { at: at + between(61_000, 400_000), kind: 'shoot created', shoot },
  ],
  strike: {
    'deletion asked for': ({ shoot }) => shoot?.markDeleted(),
    'shoot deleted': ({ scene, it }) => removeShoot(scene, it.shoot),
    'shoot created': ({ scene, it }) => createShoot(scene, it.shoot),
  },
  calm(scene) {
    for (const name of shootNames(scene.plan.shoots)) createShoot(scene, name);
  },
};

/** The last change of each shoot: one must be over before the next begins. */
const last = new WeakMap<Scene, Map<string, Promise<unknown>>>();

function inTurn(scene: Scene, name: string, change: (isThere: boolean) => Promise<unknown> | undefined): void {
  const ofScene = last.get(scene) ?? new Map<string, Promise<unknown>>();
  last.set(scene, ofScene);
  const before = ofScene.get(name) ?? Promise.resolve();
  ofScene.set(
    name,
    before.then(() => change(scene.seed.shoots.some((shoot) => shoot.name === name))),
  );
}

export function removeShoot(scene: Scene, name = ''): void {
  inTurn(scene, name, (isThere) => (isThere ? scene.seed.removeShoot(name) : undefined));
}

function createShoot(scene: Scene, name = ''): void {
  inTurn(scene, name, (isThere) => (isThere ? undefined : scene.seed.addShoot(name)));
}

/** The API server of a shoot hangs, and its Cluster goes while a probe waits for the answer. */
export const goneWhileAsked: HappeningKind = {
  // As with births: who puts such a shoot right in a restored seed is not simulated.
  of: 'shoot',
  hourly: ({ restores }) => (restores ? 0 : 0.4),
  draw({ at, shoot, between }) {
    const goneAt = at + between(11_000, 30_000);
    return [
      { at, kind: 'API server hung', shoot },
      { at: goneAt, kind: 'Cluster gone', shoot },
      { at: goneAt + 40_000, kind: 'shoot deleted', shoot },
      { at: goneAt + between(41_000, 300_000), kind: 'shoot created', shoot },
    ];
  },
  strike: { 'Cluster gone': ({ shoot }) => shoot?.delete() },
  tell: ({ shoot }) => `the Cluster of ${shoot} was deleted`,
};

/** What begins unseen, and how it ends. */
const departures = [
  ['Secret removed', 'Secret given back'],
  ['Secret removed', 'Secret given back'],
  ['deleted by hand', 'created again'],
  ['shoot deleted', 'shoot created'],
] as const;

/** The seed is away, and is without something when it is back: no watch tells that, and the list that follows says it by leaving it out. It is given back late. */
export const unseen: HappeningKind = {
  of: 'shoot',
  hourly: 0.5,
  draw({ at, shoot, shape, between, oneOf }) {
    const drawn = oneOf(departures);
    // As with other births: who puts such a shoot right in a restored seed is not simulated.
    const [goes, comes] = shape.restores && drawn[0] === 'shoot deleted' ? departures[0] : drawn;
    const length = between(1_000, 30_000);
    const of = { which: between(0, 5), replicas: 1 };
    return [
      { at, kind: 'seed down' },
      { at: at + between(100, 900), kind: goes, shoot, of },
      { at: at + length, kind: 'seed well' },
      { at: at + length + between(200_000, 400_000), kind: comes, shoot, of },
    ];
  },
};
