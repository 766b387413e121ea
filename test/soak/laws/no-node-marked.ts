import { hasTwoPaths } from '../../../src/domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { readCluster } from '../../../src/domain/prober/cluster-reading.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { asObject } from '../../../src/simulator/store/kube-object.ts';
import type { Law } from '../law.ts';
import type { Observation } from '../observation.ts';
import type { Scene } from '../scene.ts';

/** What an outage must leave us: probe, decide, write two levels, and see the pods of each gone. */
const leastTime: Millis = 4_000;
/** How long nothing must have happened to shoot and seed before an outage: the seed's troubles last for up to 4 minutes. */
const calmBefore: Millis = 300_000;
/** A process is fit again this long after what befell it. */
const fitAfter: Millis = 60_000;
/** So often requests go to and fro, one after the other, from the probe to the last write. */
const trips = 12;

/** `since`: the nodes were cut off. `isJudged`: it leaves enough time, by the leases themselves. */
type Outage = Readonly<{ since: Instant; process: string; firstMarkAt: Instant; isJudged: boolean }>;

/**
 * What the program is for. An outage is a pure one where all nodes of a probed shoot were cut off at once, and nothing else happened to shoot, seed
 * or prober from a minute before. A way to write was open where one process led for all that time, its requests met no fault, and the leases
 * crossed the threshold early enough. Then no node is marked.
 */
export const noNodeMarked: Law = {
  name: 'no node is marked in a pure outage',
  begin(scene) {
    const { seed, plan } = scene;
    const needed = leastTime + plan.clocks.ahead + trips * slowest(scene);
    const outages = new Map<ShootNamespace, Outage>();
    /** When something last interfered: with a shoot, a slot, or (under the empty name) with the seed. */
    const troubledAt = new Map<string, Instant>();
    /** Who last found a shoot connected, and when. */
    const connected = new Map<ShootNamespace, Readonly<{ process: string; at: Instant }>>();
    const marksSeen = new Map<ShootNamespace, number>();
    const judged = new Set<Outage>();
    const wasTroubled = (names: readonly string[], since: Instant): boolean =>
      names.some((name) => (troubledAt.get(name) ?? -Infinity) >= since);

    const begin = (shoot: ShootNamespace, at: Instant): void => {
      const seen = connected.get(shoot);
      if (seen === undefined || at - seen.at > fitAfter) return;
      const slot = slotOf(seen.process);
      if (wasTroubled(['', shoot], at - calmBefore) || wasTroubled([slot], at - fitAfter)) return;
      const { crossesAt, firstMarkAt } = leasesOf(scene, shoot);
      const isJudged =
        mayBeJudged(scene) && isWell(scene, shoot) && hasWayOut(scene, slot) && firstMarkAt - crossesAt >= needed;
      outages.set(shoot, { since: at, process: seen.process, firstMarkAt, isJudged });
    };
    return {
      hear(observation) {
        const { at } = observation;
        if (observation.kind === 'happening') {
          const { kind, shoot = '', of } = observation.happening;
          // What ends an outage troubles nobody, unless there is none.
          if (kind === 'nodes healed') outages.delete(shoot);
          else if (kind === 'nodes cut off' && of?.['fraction'] === 1 && !outages.has(shoot)) begin(shoot, at);
          else outages.delete(shoot);
        }
        const name = troubleIn(observation);
        if (name !== undefined) troubledAt.set(name, at);
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { turn, process } = observation;
        const isConnected = turn.notes.some((note) => note.kind === 'verdict' && note.verdict === 'connected');
        if (isConnected && turn.to === 'probing') connected.set(turn.subject, { process, at });
        return undefined;
      },
      look() {
        for (const shoot of seed.shoots) {
          const outage = outages.get(shoot.name);
          const { marks } = shoot;
          const seen = marksSeen.get(shoot.name) ?? 0;
          marksSeen.set(shoot.name, marks.length);
          if (outage?.isJudged !== true || wasTroubled(['', shoot.name, slotOf(outage.process)], outage.since + 1))
            continue;
          const late = marks.slice(seen).find(({ at }) => at >= outage.since);
          if (late !== undefined)
            return `${late.node} of ${shoot.name} was marked ${late.at - outage.since} ms after all nodes were cut off; ${outage.process} led`;
          if (scene.now() > outage.firstMarkAt) judged.add(outage);
        }
        return undefined;
      },
      counts: () => ({ 'pure outages judged': judged.size }),
    };
  },
};

/** Whom an observation troubles: a shoot, a slot, or (the empty name) the seed. */
function troubleIn(observation: Observation): string | undefined {
  switch (observation.kind) {
    case 'happening': {
      const { kind, shoot = '', of } = observation.happening;
      // Cut-offs that are over leave nothing behind but what a verdict shows.
      if (kind.startsWith('nodes ')) return undefined;
      return typeof of?.['slot'] === 'string' ? of['slot'] : shoot;
    }
    case 'process':
      return observation.slot;
    case 'blow':
      return slotOf(observation.process);
    case 'fault':
      // Shoots are not watched, and a watch without bookmarks is no worse while it is open.
      return /^shoot: watch|no bookmarks$/.test(observation.name) ? undefined : slotOf(observation.process);
    case 'change':
      return isForeignScaling(observation) ? observation.change.revision.object.metadata.namespace : undefined;
    case 'turn':
    case 'request':
    case 'marked':
    case 'calm':
    case 'bug':
      return undefined;
  }
}

/** Troubles that are over may have left their traces: what is ignored does not go down, and an ill node does not count. */
function isWell(scene: Scene, name: ShootNamespace): boolean {
  const { seed } = scene;
  const { dependants, nodes } = seed.shoot(name);
  const { store } = seed.api.storage;
  const cluster = readCluster(store.of(kinds.cluster).get(name)?.object);
  const machines = store.of(kinds.machine).list(name);
  return (
    scene.servers().every((server) => server.isWell) &&
    cluster.readable &&
    cluster.cluster.nodeMonitorGrace === undefined &&
    machines.length === nodes.length &&
    machines.every(({ object }) => asObject(asObject(object['status'])['currentStatus'])['phase'] === 'Running') &&
    dependants.names.every((dependant) => {
      const { ready = 0, annotations = {} } = dependants.get(dependant) ?? {};
      return ready > 0 && Object.keys(annotations).length === 0;
    })
  );
}

function hasWayOut({ slots }: Scene, name: string): boolean {
  const links = slots.find((slot) => slot.name === name)?.links;
  return links !== undefined && [links.seed, links.shoot].every(({ out, slow }) => out === undefined && slow === 0);
}

function isForeignScaling({ of, change }: Extract<Observation, { kind: 'change' }>): boolean {
  if (of.scale === undefined || change.writer !== undefined) return false;
  const { generation } = change.revision.object.metadata;
  return change.type !== 'MODIFIED' || generation !== change.previous?.object.metadata.generation;
}

/** `prober-0#3` runs in the slot `prober-0`. */
function slotOf(process: string): string {
  return process.split('#')[0] ?? '';
}

/** The longest that one request, or one event of a watch, takes where no fault strikes. */
function slowest({ plan: { links } }: Scene): Millis {
  return Math.max(links.seed.there[1], links.shoot.there[1], links.seed.watchLag[1]);
}

/** Where an operator wants more verdicts, or delays on the way down, he has chosen to be late. */
function mayBeJudged({ config, plan }: Scene): boolean {
  return (
    !hasTwoPaths(config) &&
    config.failureThreshold === 1 &&
    plan.nodes >= 2 &&
    config.dependants.every(({ scaleDown }) => scaleDown.initialDelay === 0)
  );
}

/** When the leases will be expired that lead down, and when the first node may be marked. */
function leasesOf(
  { seed, config }: Scene,
  shoot: ShootNamespace,
): Readonly<{ crossesAt: Instant; firstMarkAt: Instant }> {
  const renewals = seed
    .shoot(shoot)
    .api.storage.store.of(kinds.lease)
    .list()
    .map(({ object }) => Date.parse(String(asObject(object['spec'])['renewTime'])))
    .toSorted((one, other) => one - other);
  const grace = config.kcmNodeMonitorGraceDuration;
  const needed = Math.ceil(config.nodeLeaseFailureFraction * renewals.length);
  return {
    crossesAt: (renewals[needed - 1] ?? Infinity) + 0.75 * grace,
    firstMarkAt: (renewals[0] ?? -Infinity) + grace,
  };
}
