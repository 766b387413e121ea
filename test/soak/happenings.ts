import type { Happening } from './happening.ts';
import type { HappeningKind } from './happening-kind.ts';
import { apiServerTroubles } from './happenings/api-servers.ts';
import { clocks, nodeClocks } from './happenings/clocks.ts';
import { disks } from './happenings/disks.ts';
import { gardener } from './happenings/gardener.ts';
import { hands } from './happenings/hands.ts';
import { linkTroubles } from './happenings/links.ts';
import { births } from './happenings/births.ts';
import { nodes } from './happenings/nodes.ts';
import { outages } from './happenings/outages.ts';
import { processDeaths } from './happenings/processes.ts';
import { secrets } from './happenings/secrets.ts';
import { shootServers } from './happenings/shoot-servers.ts';
import { services } from './happenings/services.ts';
import { worstMoments } from './happenings/worst-moments.ts';
import { blindMoments } from './happenings/blind-moments.ts';
import { heartbeats } from './happenings/heartbeats.ts';
import { downedBackups } from './happenings/downed-backups.ts';
import { freedLeases } from './happenings/freed-leases.ts';
import { goneWhileAsked } from './happenings/gone-while-asked.ts';
import { hosts } from './happenings/hosts.ts';
import { heldReads } from './happenings/held-reads.ts';
import { heldWays, heldWrites } from './happenings/held-writes.ts';
import { leaderlessRestores } from './happenings/leaderless-restores.ts';
import { lastRestores } from './happenings/last-restores.ts';
import { lateWays } from './happenings/late-ways.ts';
import { leakedLeases } from './happenings/leaked-leases.ts';
import { leavingNodes } from './happenings/leaving-nodes.ts';
import { lifecycles } from './happenings/lifecycles.ts';
import { outputs } from './happenings/outputs.ts';
import { ownCrashes } from './happenings/own-crashes.ts';
import { renewals } from './happenings/renewals.ts';
import { restores } from './happenings/restores.ts';
import { silences } from './happenings/silences.ts';
import { slowLooks } from './happenings/slow-looks.ts';
import { splitReads } from './happenings/split-reads.ts';
import { unseen } from './happenings/unseen.ts';
import { weededMoments } from './happenings/weeded-moments.ts';
import type { Scene } from './scene.ts';

/** All that may happen to a seed. Each subject has its own file. */
export const happeningKinds: readonly HappeningKind[] = [
  ...outages,
  ...processDeaths,
  ...clocks,
  ...gardener,
  ...hands,
  ...apiServerTroubles,
  ...linkTroubles,
  ...services,
  ...worstMoments,
  ...shootServers,
  ...secrets,
  ...nodes,
  ...births,
  ...nodeClocks,
  ...disks,
  ...heldWrites,
  ...lifecycles,
  ...blindMoments,
  ...restores,
  ...weededMoments,
  ...heartbeats,
  ...slowLooks,
  ...unseen,
  ...downedBackups,
  ...freedLeases,
  ...renewals,
  ...leavingNodes,
  ...goneWhileAsked,
  ...heldWays,
  ...lastRestores,
  ...lateWays,
  ...splitReads,
  ...heldReads,
  ...outputs,
  ...silences,
  ...ownCrashes,
  ...leakedLeases,
  ...hosts,
  ...leaderlessRestores,
];

const striking = new Map(happeningKinds.flatMap(({ strike: ways }) => Object.entries(ways)));
const telling = new Map(
  happeningKinds.flatMap(({ strike: ways, tell }) => Object.keys(ways).map((kind) => [kind, tell])),
);

export function strike(scene: Scene, happening: Happening): void {
  const how = striking.get(happening.kind);
  if (how === undefined) throw new Error(`nothing happens by the name of '${happening.kind}'`);
  how(scene, happening);
}

export function tell(happening: Happening): string {
  return telling.get(happening.kind)?.(happening) ?? happening.kind;
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
