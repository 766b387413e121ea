import type { MachineView, NodeView } from '../../src/domain/prober/candidates.ts';
import type { ClusterAnswer, ClusterView } from '../../src/domain/prober/cluster-view.ts';
import type { Dependant } from '../../src/domain/prober/dependant.ts';
import { hasTwoPaths, type ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { Instant } from '../../src/domain/time.ts';
import { probeDueAt } from '../../src/machines/probe-plan.ts';
import type { ShootContext } from '../../src/machines/shoot-context.ts';
import type { ShootEvent } from '../../src/machines/shoot-language.ts';
import { clockSetFor } from '@dwd/testing/shoot-driver.ts';
import { shootWakeAt } from '../../src/machines/kinds.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { dependantMoves } from './walk-dependants.ts';
import { pathMoves } from './walk-paths.ts';
import type { Move, WalkPlace, Play } from './walk-place.ts';

/** What may happen in addition to what always may; each further option multiplies the places. */
export type Alphabet = Readonly<{
  config: ProberConfig;
  /** The Cluster stops and starts the probe, or cannot be read. */
  stops?: 'hibernated' | 'unreadable';
  /** Anything may come while a probe is under way; otherwise a probe is one move, from its due instant to its end. */
  interleaved?: boolean;
  /** There may be one candidate only, and probes may fail. */
  unclear?: boolean;
  /** A lease may be ahead of the time, or stand still though its node is Ready, and a probe may come ten minutes late. */
  doubtful?: boolean;
  /** Writes and reads of these may meet conflicts and refusals. */
  failing?: readonly Dependant[];
  /** Others delete and create these. */
  deleted?: readonly Dependant[];
  /** Others set these to be ignored. */
  ignored?: readonly Dependant[];
  /** Others raise these if they are down. */
  raised?: readonly Dependant[];
  /** Others take these down. */
  takenDown?: readonly Dependant[];
  /** The watches of these go out and come back. */
  unwatched?: readonly Dependant[];
  /** The stream of Clusters goes out and comes back; a GET shows the Cluster, or that it hibernates, or nothing. */
  blind?: boolean;
  /** So many shoots are down that there is no place for a probe before the regular one. */
  crowded?: boolean;
  /** The seed refuses to let us read these. */
  forbidden?: readonly Dependant[];
}>;

/** Everything that can happen next. */
export function movesFrom(place: WalkPlace, alphabet: Alphabet): readonly Move[] {
  return [...clusterMoves(place, alphabet), ...probeMoves(place, alphabet), ...dependantMoves(place, alphabet)];
}

function probeMoves(place: WalkPlace, alphabet: Alphabet): readonly Move[] {
  if (hasTwoPaths(alphabet.config)) return pathMoves(place, alphabet);
  return alphabet.interleaved ? interleavedMoves(place, alphabet) : wholeMoves(place, alphabet);
}

function clusterMoves(place: WalkPlace, alphabet: Alphabet): readonly Move[] {
  if (!alphabet.blind) return toldMoves(place, alphabet);
  const { clusterLive } = place.snapshot.context;
  const watched: Play = ({ now: at }) => ({ type: 'cluster.watched', at, live: !clusterLive });
  // When the stream comes back, it brings the Cluster as it is.
  return clusterLive
    ? [...toldMoves(place, alphabet), { type: 'Clusters out of sight', play: [watched], when: 'trouble' }]
    : [{ type: 'Clusters in sight', play: [cluster({}), watched], when: 'always' }];
}

function toldMoves({ snapshot }: WalkPlace, { stops }: Alphabet): readonly Move[] {
  const begun = { type: 'cluster active', play: [cluster({})], when: 'always' } as const;
  const kept = cluster({ lastOperation: { type: 'Create', state: 'Processing' } });
  const hibernated = cluster({ hibernationEnabled: true });
  if (snapshot.value.shield === 'idle')
    return stops === 'unreadable' ? [begun, { type: 'cluster kept', play: [kept], when: 'trouble' }] : [begun];
  if (stops === undefined) return [];
  const stopped = { type: 'cluster hibernated', play: [hibernated], when: 'trouble' } as const;
  return stops === 'hibernated'
    ? [stopped]
    : [stopped, { type: 'cluster unreadable', play: [unreadable], when: 'trouble' }];
}

function unreadable({ now: at }: WalkPlace): ShootEvent {
  return { type: 'cluster.changed', at, reading: { readable: false, problem: 'no spec.shoot' } };
}

function cluster(change: Partial<ClusterView>): Play {
  const reading = { readable: true, cluster: { ...activeCluster, ...change } } as const;
  return ({ now: at }) => ({ type: 'cluster.changed', at, reading });
}

/** Each request of a probe, and each answer, is a move of its own. */
function interleavedMoves({ snapshot, now }: WalkPlace, { unclear }: Alphabet): readonly Move[] {
  const moves: Move[] = [];
  const asked = shootWakeAt(snapshot);
  if (asked !== undefined) {
    moves.push({ type: 'woken', play: [woken(Math.max(now, asked))], when: 'always' });
  }
  const { probe } = snapshot.value;
  if (probe === 'asking') {
    moves.push({ type: 'leases fresh', play: [leases('fresh')], when: 'calm' });
    moves.push({ type: 'leases expired', play: [leases('expired')], when: 'storm' });
    if (unclear) moves.push({ type: 'probe failed', play: [probeFailed], when: 'trouble' });
  }
  if (probe === 'looking') {
    moves.push({ type: 'both candidates', play: [candidates(running)], when: 'always' });
    if (unclear) moves.push({ type: 'one candidate', play: [candidates(oneLeft)], when: 'trouble' });
    if (unclear) moves.push({ type: 'candidates failed', play: [candidatesFailed], when: 'trouble' });
  }
  return moves;
}

/** Plays a probe that becomes due to its end. */
function wholeMoves({ snapshot, now }: WalkPlace, { unclear, doubtful }: Alphabet): readonly Move[] {
  const asked = shootWakeAt(snapshot);
  if (asked === undefined) return [];
  const at = Math.max(now, asked);
  const wake = woken(at);
  if (at < (probeDueAt(snapshot.context) ?? at)) return [{ type: 'woken', play: [wake], when: 'always' }];
  const blindMoves = snapshot.context.clusterLive
    ? []
    : (['kept', 'hibernated', 'failed'] as const).map((shown): Move => ({
        type: `probe: connected, Cluster ${shown}`,
        play: [wake, leases('fresh'), candidates(running, answers[shown])],
        when: shown === 'kept' ? 'calm' : 'trouble',
      }));
  const moves: Move[] = [
    ...blindMoves,
    { type: 'probe: connected', play: [wake, leases('fresh'), candidates(running)], when: 'calm' },
    { type: 'probe: cut off', play: [wake, leases('expired'), candidates(running)], when: 'storm' },
  ];
  if (doubtful) moves.push(...doubtfulMoves(at));
  if (!unclear) return moves;
  return [
    ...moves,
    { type: 'probe: too few', play: [wake, leases('expired'), candidates(oneLeft)], when: 'trouble' },
    { type: 'probe: failed', play: [wake, probeFailed], when: 'trouble' },
  ];
}

/** Nothing else changes by these, and each probe tells *connected*. */
function doubtfulMoves(dueAt: Instant): readonly Move[] {
  return [0, 600_000].flatMap((late) =>
    (['one ahead', 'one standing still', 'fresh'] as const).map((are): Move => ({
      type: `probe: ${are}${late === 0 ? '' : ', ten minutes late'}`,
      play: [woken(dueAt + late), leases(are), candidates(running)],
      when: 'trouble',
    })),
  );
}

const nodes: readonly NodeView[] = ['a', 'b'].map((name) => ({
  name,
  pool: 'pool',
  unmanaged: false,
  trueConditions: ['Ready'],
  inPlaceUpdate: false,
}));
const running: readonly MachineView[] = nodes.map(({ name }) => ({ node: name, phase: 'Running' }));
const oneLeft = running.slice(1);
const answers = {
  kept: { outcome: 'read', reading: { readable: true, cluster: activeCluster } },
  hibernated: {
    outcome: 'read',
    reading: { readable: true, cluster: { ...activeCluster, hibernationEnabled: true } },
  },
  failed: { outcome: 'failed', detail: 'no' },
} as const satisfies Record<string, ClusterAnswer>;
const failure = { stage: 'leases', reason: 'unreachable', detail: 'no answer' } as const;
/** Older than every grace. */
const longAgo: Instant = -1_000_000;
/** Expired, and not older than a controller-manager lets pass. */
const silent = 35_000;

function woken(at: Instant): Play {
  return () => ({ type: 'woken', at });
}

function leases(are: 'fresh' | 'expired' | 'one ahead' | 'one standing still'): Play {
  const renewedAt = (context: ShootContext, index: number, at: Instant): Instant => {
    if (are === 'expired') {
      // One that is expired stands still.
      const before = context.seen?.leases[index]?.renewTime;
      return before != null && before <= at - silent ? before : at - silent;
    }
    if (index > 0 || are === 'fresh') return at;
    return are === 'one ahead' ? at + 60_000 : longAgo;
  };
  return ({ snapshot: { context }, now: at }): ShootEvent => {
    const shown = nodes.map(({ name }, index) => ({ node: name, renewedAt: renewedAt(context, index, at) }));
    const asked = { number: numberOf(context), askedAt: at, leases: shown };
    return { type: 'probe.answered', at, ...asked, ...clockSetFor(shown, context) };
  };
}

function probeFailed({ snapshot: { context }, now: at }: WalkPlace): ShootEvent {
  return { type: 'probe.failed', at, number: numberOf(context), askedAt: at, failure };
}

/** The events of the probe under way. */
function numberOf({ probe }: ShootContext): number {
  return probe.asked?.number ?? 0;
}

/** Only if they were asked for. */
function candidates(machines: readonly MachineView[], told: ClusterAnswer = answers.kept): Play {
  return ({ snapshot: { context, value }, now: at }) => {
    if (value.probe !== 'looking') return undefined;
    const cluster = context.probe.asked?.cluster === undefined ? {} : { cluster: told };
    return { type: 'candidates.answered', at, number: numberOf(context), nodes, machines, ...cluster };
  };
}

function candidatesFailed({ snapshot: { context }, now: at }: WalkPlace): ShootEvent {
  return { type: 'candidates.failed', at, number: numberOf(context), failure };
}
