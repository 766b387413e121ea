import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { Backup } from '@dwd/simulator/store/object-store.ts';
import { chanceOf, drawsOf } from '../chance-of.ts';
import { cutOff, type Happening, type HappeningKind, type Struck } from '../happening.ts';
import { holderOf } from '../laws/leases.ts';
import type { Scene } from '../scene.ts';
import { shootNames, slotNames, type SeedShape } from '../seed-plan.ts';
import { slotOf } from './at-request.ts';
import { restore, restoreWhileAway } from './restores.ts';

/**
 * A backup of the moment in which something that we took down goes up again. It is restored once that is up, from under a process that is well, while the
 * API servers are away; by the time they are back the seed's counter has overtaken what the process knows. Where there is no election, no Lease shows what
 * happened.
 */
export const downedBackups: HappeningKind = {
  of: 'seed',
  // Seldom enough: what is listed again for 5 minutes after a restore hides what the next one leaves.
  hourly: ({ restores, election, replicas }) => (restores && !election && replicas.prober === 1 ? 5 : 0),
  draw({ at, shape, between, oneOf }) {
    const shoot = oneOf(shootNames(shape.shoots));
    const healed = at + between(60_000, 150_000);
    const of = {
      after: between(1_000, 30_000),
      // After some more tries to reach the seed everything would be listed anyway.
      length: between(500, 3_000),
      others: oneOf([5, 500, 500]),
    };
    return [...cutOff(shoot, at, healed), { at: healed, kind: 'etcd backed up as it goes up', shoot, of }];
  },
  strike: { 'etcd backed up as it goes up': backUp },
  tell: ({ kind, shoot }) => `the seed's ${kind}: ${shoot}`,
};

/** Before the seed carries out a write to something of the shoot that is at 0. Whoever waits for one gives up after a minute. */
function backUp(struck: Struck): void {
  const { scene, it, of, agenda } = struck;
  const isDown = (name: string): boolean => struck.shoot?.dependants.get(name)?.desired === 0;
  const stops = scene.servers().map((server) =>
    server.onRequest(({ verb, namespace, name }) => {
      if (verb !== 'patch' || namespace !== it.shoot || !isDown(name)) return;
      leave();
      const backup = scene.seed.api.storage.store.backup();
      agenda.after(of.after ?? 0, () => {
        if (isDown(name) || !canRestore(scene, ['prober-0'])) return;
        tellRestore(scene, backup, { kind: 'etcd restored while away', of });
        restoreWhileAway(scene, of.others);
        agenda.after(of.length, () => scene.servers().forEach((one) => void one.up()));
      });
    }),
  );
  const leave = (): void => stops.forEach((stop) => stop());
  agenda.after(60_000, leave);
}

/** The weather lasts, and each of these processes is there and can learn whatever the seed shows. */
function canRestore(scene: Scene, slots: readonly string[]): boolean {
  const areThere = slots.every((name) => {
    const slot = scene.slots.find((one) => one.name === name);
    return slot?.process?.isPaused === false && slot.links.seed.out === undefined;
  });
  return areThere && scene.calmSince === undefined && scene.servers().every((server) => server.isWell);
}

/** It is told as if it had been drawn for this moment. */
function tellRestore(scene: Scene, backup: Backup, { kind, of = {} }: Pick<Happening, 'kind' | 'of'>): void {
  scene.backup = backup;
  scene.observe({ kind: 'happening', happening: { at: scene.age, kind, of: { ...of } } });
}

const rolesWithStandby = ({ replicas }: SeedShape): readonly RoleName[] =>
  (['prober', 'weeder'] as const).filter((role) => replicas[role] > 1);

/**
 * A leader is told to end, and a backup has the Lease as it let it go. It is restored once another one leads and a standby is there again: to both of them the
 * Lease looks free.
 */
export const freedLeases: HappeningKind = {
  of: 'seed',
  hourly: (shape) => (shape.restores && rolesWithStandby(shape).length > 0 ? 3 : 0),
  draw: ({ at, shape, between, oneOf }) => [
    {
      at,
      kind: 'Lease let go and backed up',
      of: { role: oneOf(rolesWithStandby(shape)), after: between(20_000, 80_000) },
    },
  ],
  strike: { 'Lease let go and backed up': letGo },
  tell: ({ kind, of }) => `${of.role}: ${kind}`,
};

/** Whoever does not let it go at once does not do so any more. */
function letGo({ scene, of, agenda }: Struck): void {
  const { storage } = scene.seed.api;
  const leases = storage.store.of(kinds.lease);
  const lease = leases.list().find(({ object }) => object.metadata.name.includes(of.role));
  const leader = slotOf(scene, holderOf(lease?.object));
  if (lease === undefined || leader === undefined) return;
  const stop = leases.onChange(({ revision }) => {
    if (revision.key !== lease.key || holderOf(revision.object) !== '') return;
    stop();
    const backup = storage.store.backup();
    agenda.after(of.after ?? 0, () => {
      const own = scene.slots.flatMap(({ role, name }) => (role === of.role ? [name] : []));
      if (!canRestore(scene, own)) return;
      tellRestore(scene, backup, { kind: 'etcd restored', of: { unnoticed: 0 } });
      restore(scene, (server) => server.restart());
    });
  });
  agenda.after(10_000, stop);
  scene.terminate(leader);
}

/** Writes that are lost, so that those that follow do not look newer. */
function lostWrites(shoot: string, from: Millis, pause: Millis): readonly Happening[] {
  return Array.from({ length: 10 }, (_, index) => ({ at: from + pause * index, kind: 'Secret rotated', shoot }));
}

/** From the end of the outage to calm, and where the way up should be over by then. */
const last = 45_000;
const longLast = 90_000;
/** From the restore to calm: no longer, since a bad way to the seed makes a process list again. */
const soon = 5_000;

const ways = ['from under a way up', 'missed by a server', 'as processes begin'] as const;
type Way = (typeof ways)[number];

/**
 * A backup is restored at the very end of the weather, and puts down what had gone up. After it nothing else happens that would make a process list again by
 * chance, so what it was not told it never learns. `from under a way up`: as above. `missed by a server`: one goes on for a while with its
 * watch cache, and the processes are mostly led to that one. `as processes begin`: all do, and they show the Cluster as it was to processes that begin meanwhile.
 */
export const lastRestores: HappeningKind = {
  of: 'seed',
  // Nearly every life has it. What is drawn again is the same, and comes to the same.
  hourly: ({ restores, weather }) => (restores ? (3 * 3_600_000) / weather : 0),
  draw({ shape }) {
    const { between, oneOf, strikes } = drawsOf(shape.number, 'last restore');
    const shoot = oneOf(shootNames(shape.shoots));
    const others = oneOf([5, 50, 500]);
    const outage = between(60_000, 120_000);
    const way = oneOf(waysOf(shape));
    const length = between(10_000, 29_000);
    const leads = strikes(0.7);
    const restoredAt = shape.weather - soon;
    const healed = shape.weather - (way === 'missed by a server' ? longLast : last);
    const goesUp = { after: length / 2, length: length / 10, others };
    const restored: Readonly<Record<Way, readonly Happening[]>> = {
      'from under a way up': [{ at: healed, kind: 'etcd backed up as it goes up', shoot, of: goesUp }],
      'missed by a server': [
        { at: healed - 5_000, kind: 'etcd backed up' },
        { at: restoredAt, kind: 'etcd restored', of: { unnoticed: length, others, leads } },
      ],
      'as processes begin': [
        { at: healed - 20_000, kind: 'migrating live', shoot },
        { at: healed - 15_000, kind: 'etcd backed up' },
        ...lostWrites(shoot, healed, 100),
        { at: restoredAt, kind: 'etcd restored unnoticed', of: { length, others } },
        { at: restoredAt + 1_000, kind: 'Cluster mended', shoot },
        { at: restoredAt + 2_000, kind: 'all processes crashed' },
      ],
    };
    return [...cutOff(shoot, healed - outage, healed), ...restored[way]];
  },
};

/** Where no Lease shows it, the one counts that a process finds hardest to see. */
function waysOf({ election, replicas, servers }: SeedShape): readonly Way[] {
  if (election || replicas.prober > 1) return ways;
  const hardest: Way = servers > 1 ? 'missed by a server' : 'from under a way up';
  return [...ways, hardest, hardest];
}

/** From here on no prober reaches the seed. Who loses the lead by it ends, and has begun anew for longer than five minutes when it takes the lead again: so it lists no more because it began. */
const cutOffFor = 480_000;

/**
 * Nobody leads from before a backup until after its restore, at the end of the weather. So nobody renews the Lease, and it shows nothing of it. Who takes the
 * lead then is answered by servers that missed the restore: the Cluster keeps it from raising what the outage had put down.
 */
export const leaderlessRestores: HappeningKind = {
  of: 'seed',
  // About every second life has it. What is drawn again is the same, and comes to the same.
  hourly: (shape) => (canBeLeaderless(shape) ? 3_600_000 / shape.weather : 0),
  draw({ shape }) {
    const { between, oneOf } = drawsOf(shape.number, 'leaderless restore');
    const { weather } = shape;
    const shoot = oneOf(shootNames(shape.shoots));
    const others = oneOf([50, 500]);
    const length = between(12_000, 20_000);
    const restoredAt = weather - between(22_000, 30_000);
    const probers = slotNames(shape).filter((slot) => slot.startsWith('prober'));
    const all = (kind: string, at: number): Happening[] =>
      probers.map((slot) => ({ at, kind, of: { slot, to: 'seed', as: 'refused' } }));
    return [
      ...cutOff(shoot, weather - cutOffFor - 150_000, weather - 100_000),
      ...all('process cut off', weather - cutOffFor),
      { at: restoredAt - 20_000, kind: 'migrating live', shoot },
      { at: restoredAt - 15_000, kind: 'etcd backed up' },
      ...lostWrites(shoot, restoredAt - 10_000, 1),
      { at: restoredAt, kind: 'etcd restored unnoticed', of: { length, others } },
      { at: restoredAt + 200, kind: 'Cluster mended', shoot },
      ...all('process connected', restoredAt + 400),
    ];
  },
};

function canBeLeaderless({ restores, election, replicas, weather, number }: SeedShape): boolean {
  if (!restores || !(election || replicas.prober > 1) || weather <= 900_000) return false;
  return chanceOf(number, 'leaderless')() < 0.3;
}
