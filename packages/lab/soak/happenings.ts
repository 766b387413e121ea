import { detailsOf, Struck, type Happening, type HappeningKind } from './happening.ts';
import { downedBackups, freedLeases, lastRestores, leaderlessRestores } from './happenings/aimed-restores.ts';
import { clocks, linkTroubles, nodeClocks, slowGateways } from './happenings/clocks-and-links.ts';
import { births, gardener, goneWhileAsked, heartbeats, lifecycles, unseen } from './happenings/gardener.ts';
import { hands, lateWays, worstMoments } from './happenings/hands.ts';
import { heldReads, heldWays, heldWrites, splitReads } from './happenings/held.ts';
import { disks, hosts, outputs } from './happenings/hosts.ts';
import { leakedLeases, leavingNodes, nodes, outages, seesaws, slowLooks, zones } from './happenings/outages.ts';
import { processDeaths, renewals } from './happenings/processes.ts';
import { etcdRestores, restores } from './happenings/restores.ts';
import { blindMoments, lostWatches, seedTroubles } from './happenings/seed.ts';
import { lingeringSlices, ownCrashes, services, weededMoments } from './happenings/services.ts';
import {
  crashLoops,
  disagreeing,
  endingServers,
  etcdsAway,
  forgottenPages,
  restartsUnseen,
  secrets,
  shootServers,
  silences,
} from './happenings/shoot-servers.ts';
import { lateClusters, untellingLeases } from './happenings/unjudged.ts';
import { slowEnds, thwartedWrites } from './happenings/thwarted.ts';
import type { Scene } from './scene.ts';

/** All that may happen to a seed. A kind draws by its place: a new one goes to the end, so that what numbers drew before stays. */
export const happeningKinds: readonly HappeningKind[] = [
  ...outages,
  ...processDeaths,
  ...clocks,
  gardener,
  hands,
  seedTroubles,
  lostWatches,
  etcdRestores,
  ...linkTroubles,
  services,
  worstMoments,
  shootServers,
  secrets,
  nodes,
  births,
  ...nodeClocks,
  disks,
  heldWrites,
  lifecycles,
  ...blindMoments,
  restores,
  ...weededMoments,
  heartbeats,
  slowLooks,
  unseen,
  downedBackups,
  freedLeases,
  renewals,
  leavingNodes,
  goneWhileAsked,
  heldWays,
  lastRestores,
  lateWays,
  splitReads,
  heldReads,
  outputs,
  silences,
  ownCrashes,
  leakedLeases,
  ...hosts,
  leaderlessRestores,
  zones,
  slowGateways,
  endingServers,
  forgottenPages,
  lingeringSlices,
  seesaws,
  untellingLeases,
  lateClusters,
  thwartedWrites,
  slowEnds,
  etcdsAway,
  crashLoops,
  disagreeing,
  restartsUnseen,
];

/** By its name, the kind that a happening is struck and told by. */
const known = new Map(
  happeningKinds.flatMap((kind) => Object.entries(kind.strike ?? {}).map(([name, does]) => [name, { does, kind }])),
);

export function strike(scene: Scene, happening: Happening): void {
  const found = known.get(happening.kind);
  if (found === undefined) throw new Error(`nothing happens by the name of '${happening.kind}'`);
  found.does(new Struck(scene, happening));
}

export function tell(happening: Happening): string {
  const { kind, shoot } = happening;
  const told = known.get(kind)?.kind.tell?.({ ...happening, of: detailsOf(happening) });
  return told ?? (shoot === undefined ? kind : `${shoot}: ${kind}`);
}

/** The weather ends: everything works again, and nobody interferes any more. */
export function calmDown(scene: Scene): void {
  scene.calmSince = scene.now();
  scene.observe({ kind: 'calm' });
  for (const slot of scene.slots) {
    slot.links.seed.clear();
    slot.links.shoot.clear();
    slot.failures = 0;
    if (slot.process === undefined) scene.start(slot);
  }
  for (const shoot of scene.seed.shoots) {
    void shoot.up();
    shoot.heal();
  }
  for (const kind of happeningKinds) kind.calm?.(scene);
}
