import { cutOff, type HappeningKind, type Struck } from '../happening.ts';
import type { SplitReads } from '../link.ts';
import type { Slot } from '../scene.ts';
import { shootNames } from '../seed-plan.ts';
import { atRequest, slotOf } from './at-request.ts';
import { removeShoot } from './gardener.ts';

// From one of our own writes on, the seed lets us wait.

const mendedBy: Readonly<Record<string, string>> = {
  hibernated: 'Cluster mended',
  deletion: 'Cluster mended',
  gone: 'shoot created',
};

/**
 * The seed answers one of our writes with 429 and asks for patience, so that the scale-ups of all shoots wait in their lane. Meanwhile something happens
 * to the shoot, or to the process, for which what waits must not go out.
 */
export const heldWrites: HappeningKind = {
  of: 'shoot',
  hourly: 1.5,
  draw({ at, shoot, shape, between, oneOf, strikes }) {
    const drawn = oneOf(['hibernated', 'cut off', 'cut off', 'deletion', 'gone', 'paused', 'crashed']);
    // As with other births: who puts such a shoot right in a restored seed is not simulated.
    const meanwhile = drawn === 'gone' && shape.restores ? 'deletion' : drawn;
    // Leases need 30 s to expire.
    const patience = meanwhile === 'cut off' ? between(45, 58) : between(3, 40);
    const healed = at + between(40_000, 120_000);
    const which = between(2, 6);
    // By then all is down in half of them, so that what waits is a way up.
    const isUp = strikes(0.5);
    const of = { which: isUp ? 1 : which, patience, meanwhile };
    const mended = mendedBy[meanwhile];
    return [
      { at: isUp ? healed - 1 : at, kind: 'writes held', shoot, of },
      ...cutOff(shoot, at + 1, healed),
      ...(mended === undefined ? [] : [{ at: healed + 300_000, kind: mended, shoot }]),
    ];
  },
  strike: { 'writes held': holdWrites },
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind} for ${of.patience} s, at write ${of.which}; then: ${of.meanwhile}`,
};

/** What happens meanwhile, to the shoot or to the process that wrote. */
const meanwhiles: Readonly<Record<string, (struck: Struck, slot: Slot | undefined) => void>> = {
  hibernated: ({ shoot }) => shoot?.hibernate(),
  'cut off': ({ shoot }) => shoot?.cutOff(),
  deletion: ({ shoot }) => shoot?.markDeleted(),
  gone: ({ scene, it }) => removeShoot(scene, it.shoot),
  'others gone': ({ scene, it }) => {
    for (const { name } of scene.seed.shoots) if (name !== it.shoot) removeShoot(scene, name);
  },
  paused: ({ scene }, slot) => slot && scene.pause(slot, 30_000),
  crashed: ({ scene }, slot) => slot && scene.crash(slot),
};

function holdWrites(struck: Struck): void {
  const { scene, agenda, of } = struck;
  atRequest(struck, 'patch', ({ user }) => {
    for (const server of scene.servers()) server.setFault({ kind: 'throttle', retryAfterSeconds: of.patience });
    agenda.after(of.hold ?? 200, () => scene.servers().forEach((server) => server.clearFault()));
    agenda.after(of.after ?? Math.min(2_000, 500 * of.patience), () => {
      if (scene.calmSince === undefined) meanwhiles[of.meanwhile]?.(struck, slotOf(scene, user));
    });
  });
}

/** All shoots come back at once. Soon after the first scale-up some are answered with 429, so that others wait in the lane; and most shoots go, with all that is theirs. */
export const heldWays: HappeningKind = {
  of: 'seed',
  hourly: ({ shoots, restores }) => (shoots > 2 && !restores ? 0.5 : 0),
  draw({ at, shape, between }) {
    const names = shootNames(shape.shoots);
    const [first = '', ...others] = names;
    const healed = at + between(40_000, 120_000);
    const of = { which: 1, patience: between(20, 40), meanwhile: 'others gone', hold: 3_000, after: 9_000 };
    return [
      ...names.flatMap((shoot) => cutOff(shoot, at, healed)),
      { at: healed - 1, kind: 'writes held', shoot: first, of },
      ...others.map((shoot) => ({ at: healed + 200_000, kind: 'shoot created', shoot })),
    ];
  },
};

/** What is scaled, as the seed calls it. */
const scaled = /^(deployments|statefulsets|widgets)(\/|$)/;

/**
 * A shoot is cut off. From its first scale-down on, the seed asks for patience with all that is scaled, and its watches on that are cut. What no watch tells of is
 * read with each probe, and that waits; on its way down the shoot asks at once, again and again.
 */
export const heldReads: HappeningKind = {
  of: 'shoot',
  hourly: 1,
  draw({ at, shoot, between }) {
    const of = { which: 1, patience: between(45, 58), length: between(60_000, 90_000) };
    return [{ at, kind: 'reads held', shoot, of }, ...cutOff(shoot, at + 1, at + between(150_000, 240_000))];
  },
  strike: { 'reads held': (struck) => atRequest(struck, 'patch', () => holdReads(struck)) },
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind} for ${of.patience} s, from the first write on`,
};

function holdReads({ scene, agenda, of }: Struck): void {
  const servers = scene.servers();
  for (const server of servers) {
    server.setFault({ kind: 'throttle', retryAfterSeconds: of.patience }, ({ resource }) => scaled.test(resource));
    for (const resource of ['deployments', 'statefulsets', 'widgets']) server.breakWatches(resource);
  }
  agenda.after(of.length, () => servers.forEach((server) => server.clearFault()));
}

/**
 * A kind with a scale subresource is read by two requests at once. One of them fails and the other one is never answered, from the moment in which
 * it was scaled: nothing watches it, so it is read each second until its replicas have followed.
 */
export const splitReads: HappeningKind = {
  of: 'shoot',
  hourly: ({ proberConfig }) => (proberConfig.includes('kind: Widget') ? 3 : 0),
  draw({ at, shoot, between, oneOf, strikes }) {
    const healed = at + between(60_000, 200_000);
    // By then all is down in half of them, so that what is read is on its way up.
    const isUp = strikes(0.5);
    const of = {
      which: 1,
      fails: oneOf(['object', 'scale']),
      as: oneOf(['refused', 'status']),
      length: between(15_000, 30_000),
    };
    return [{ at: isUp ? healed - 1 : at, kind: 'reads split', shoot, of }, ...cutOff(shoot, at + 1, healed)];
  },
  strike: { 'reads split': (struck) => atRequest(struck, 'patch', ({ slot }) => split(struck, slot), 'widgets/scale') },
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind}; of the two requests, the ${of.fails}'s fails`,
};

function split({ agenda, of }: Struck, slot: Slot | undefined): void {
  const link = slot?.links.seed;
  if (link === undefined) return;
  link.splits = of as SplitReads;
  agenda.after(of.length, () => (link.splits = undefined));
}
