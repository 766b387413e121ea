import { hasTwoPaths } from '../../../src/domain/prober/prober-config.ts';
import { readCluster } from '../../../src/domain/prober/cluster-reading.ts';
import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { asObject } from '../../../src/simulator/store/kube-object.ts';
import type { Law } from '../law.ts';
import type { Scene } from '../scene.ts';
import { TroublesSeen } from './troubles-seen.ts';

/** To end pods, for a controller to see its spec, and for a probe that comes when the leases cross. */
const leastTime: Millis = 3_000;
/** So often requests go to and fro, one after the other, from the probe to the verdict: connection, version, leases, nodes and Machines. */
const tripsToVerdict = 5;

type Outlook = Readonly<{ crossedAt: Instant | undefined; expired: number; candidates: number }>;

/**
 * What the program is for. A node that was marked is a meltdown. It could have been prevented where enough leases had expired long enough before,
 * and nothing was done to the seed, to the shoot, or to the process that led, that explains why it came too late.
 */
export const noNodeMarked: Law = {
  name: 'no node is marked that could have been saved',
  begin(scene) {
    const troubles = new TroublesSeen(scene);
    const marksSeen = new Map<ShootNamespace, number>();
    const counts: Record<string, number> = {
      'marked, though it could have been prevented': 0,
      'outages without a mark, and nothing stood in the way': 0,
      'outages without a mark, whatever stood in the way': 0,
    };
    const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
    return {
      hear(observation) {
        troubles.hear(observation);
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { turn, at } = observation;
        if (!turn.notes.some(({ kind }) => kind === 'shielded')) return undefined;
        const shoot = scene.seed.shoots.find(({ name }) => name === turn.subject);
        if (shoot === undefined || shoot.unknownNodes.length > 0) return undefined;
        const stood = troubles.reasonAt(shoot.name, at);
        count(`outages without a mark, ${stood === undefined ? 'and nothing' : 'whatever'} stood in the way`);
        return undefined;
      },
      look() {
        troubles.look();
        for (const { name, marks } of scene.seed.shoots) {
          const seen = marksSeen.get(name) ?? 0;
          marksSeen.set(name, marks.length);
          for (const { node, at } of marks.slice(seen)) {
            const outlook = outlookOf(scene, name, at);
            const needed = neededBy(scene, troubles.leader);
            const because = unsaved(outlook, at, needed) ?? troubles.reasonAt(name, at - needed);
            count(because === undefined ? 'marked, though it could have been prevented' : `marked: ${because}`);
            if (because === undefined)
              return `${node} of ${name} was marked ${at - (outlook.crossedAt ?? at)} ms after ${outlook.expired} of ${outlook.candidates} leases had expired, ${needed} ms are enough, nothing stood in the way, and ${troubles.leader} led`;
          }
        }
        return undefined;
      },
      counts: () => counts,
    };
  },
};

/** What the leases themselves say of a mark. */
function unsaved({ crossedAt, candidates }: Outlook, at: Instant, needed: Millis): string | undefined {
  if (candidates < 2) return 'fewer than two nodes can tell';
  if (crossedAt === undefined) return 'too few leases had expired';
  return at - crossedAt < needed ? 'the leases left too little time' : undefined;
}

/** What the leases in the store said when a node was marked. A node without a Machine that stays does not count. */
function outlookOf({ seed, config }: Scene, name: ShootNamespace, at: Instant): Outlook {
  const { store } = seed.api.storage;
  const reading = readCluster(store.of(kinds.cluster).get(name)?.object);
  const grace = (reading.readable ? reading.cluster.nodeMonitorGrace : undefined) ?? config.kcmNodeMonitorGraceDuration;
  const machines = store.of(kinds.machine).list(name);
  const staying = new Set(
    machines
      .filter(({ object }) => !['Failed', 'Terminating'].includes(phaseOf(object)))
      .map(({ object }) => object.metadata.labels?.['node']),
  );
  const expiries = seed
    .shoot(name)
    .api.storage.store.of(kinds.lease)
    .list()
    .filter(({ object }) => staying.has(object.metadata.name))
    .map(({ object }) => Date.parse(String(asObject(object['spec'])['renewTime'])) + 0.75 * grace)
    .toSorted((one, other) => one - other);
  const crossedAt = expiries[Math.max(1, Math.ceil(config.nodeLeaseFailureFraction * expiries.length)) - 1];
  return {
    crossedAt: crossedAt !== undefined && crossedAt <= at ? crossedAt : undefined,
    expired: expiries.filter((expiry) => expiry <= at).length,
    candidates: expiries.length,
  };
}

function phaseOf(machine: object): string {
  return String(asObject(asObject(asObject(machine)['status'])['currentStatus'])['phase'] ?? '');
}

/** How long it may take from the crossing of the leases until the kube-controller-manager is gone, where nothing fails. */
function neededBy(scene: Scene, leader: string): Millis {
  const { config, plan, slots } = scene;
  const { seed, shoot } = plan.links;
  const process = slots.find(({ name }) => name === leader)?.process;
  const behind = process === undefined ? 0 : Math.max(0, scene.now() - process.clock.now());
  const delays = new Map<number, Millis>();
  for (const {
    scaleDown: { level, initialDelay },
  } of config.dependants)
    delays.set(level, Math.max(initialDelay, delays.get(level) ?? 0));
  const toWrite = 2 * seed.there[1] + seed.watchLag[1];
  const further = (config.failureThreshold - 1) * config.probeInterval * (1 + config.backoffJitterFactor);
  const paths = hasTwoPaths(config) ? Infinity : 0;
  return (
    leastTime +
    behind +
    paths +
    further +
    tripsToVerdict * 2 * Math.max(seed.there[1], shoot.there[1]) +
    [...delays.values()].reduce((sum, delay) => sum + delay + toWrite, 0)
  );
}
