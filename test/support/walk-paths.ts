import type { ClusterAnswer } from '../../src/domain/prober/cluster-view.ts';
import type { ProbeFailureReason } from '../../src/domain/prober/probe-failure.ts';
import type { ShootPath } from '../../src/domain/prober/shoot-path.ts';
import type { Millis } from '../../src/domain/time.ts';
import { probeDueAt } from '../../src/machines/probe-plan.ts';
import { shootWakeAt } from '../../src/machines/kinds.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import type { Alphabet } from './walk-moves.ts';
import type { Move, WalkPlace, Play } from './walk-place.ts';

/** What two paths may tell: each answer a move of its own, or a whole probe at once (SPEC 4.9). */
export function pathMoves(place: WalkPlace, alphabet: Alphabet): readonly Move[] {
  return alphabet.interleaved ? interleavedPathMoves(place, alphabet) : wholePathMoves(place, alphabet);
}

const clusterAnswers = {
  kept: { outcome: 'read', reading: { readable: true, cluster: activeCluster } },
  hibernated: {
    outcome: 'read',
    reading: { readable: true, cluster: { ...activeCluster, hibernationEnabled: true } },
  },
  gone: { outcome: 'gone' },
  failed: { outcome: 'failed', detail: 'no' },
} as const satisfies Record<string, ClusterAnswer>;

function interleavedPathMoves({ snapshot, now }: WalkPlace, { unclear }: Alphabet): readonly Move[] {
  const { value, context } = snapshot;
  const moves: Move[] = [];
  const wakeAt = shootWakeAt(snapshot);
  if (wakeAt !== undefined) moves.push({ type: 'woken', play: [woken(Math.max(now, wakeAt))], when: 'always' });
  const asked = context.paths?.asked;
  if (value.probe === 'askingPaths' && asked?.internal === 'asked') {
    moves.push({ type: 'internal answers', play: [path('internal')], when: 'always' });
    moves.push({ type: 'internal fails', play: [path('internal', 'unreachable')], when: 'trouble' });
    if (unclear) {
      moves.push({ type: 'internal could not be asked', play: [path('internal', 'local')], when: 'trouble' });
      moves.push({ type: 'internal answers late', play: [path('internal', undefined, 3_000)], when: 'trouble' });
    }
  }
  if (value.probe === 'askingPaths' && asked?.external === 'asked') {
    moves.push({ type: 'external answers', play: [path('external')], when: 'calm' });
    moves.push({ type: 'external times out', play: [path('external', 'timeout')], when: 'storm' });
    if (unclear) {
      moves.push({ type: 'external could not be asked', play: [path('external', 'kubeconfig')], when: 'trouble' });
      moves.push({ type: 'external is refused', play: [path('external', 'refused')], when: 'trouble' });
    }
  }
  if (value.probe === 'readingCluster')
    for (const shown of ['kept', 'hibernated', 'gone', 'failed'] as const)
      moves.push({ type: `Cluster ${shown}`, play: [cluster(shown)], when: shown === 'kept' ? 'always' : 'trouble' });
  return moves;
}

/** Plays a probe that becomes due to its end. */
function wholePathMoves({ snapshot, now }: WalkPlace, { unclear }: Alphabet): readonly Move[] {
  const wakeAt = shootWakeAt(snapshot);
  if (wakeAt === undefined) return [];
  const at = Math.max(now, wakeAt);
  const wake = woken(at);
  if (at < (probeDueAt(snapshot.context) ?? at)) return [{ type: 'woken', play: [wake], when: 'always' }];
  const probe = (type: string, when: Move['when'], ...plays: readonly Play[]): Move => ({
    type: `probe: ${type}`,
    play: [wake, ...plays],
    when,
  });
  const answered = path('internal');
  const shown = snapshot.context.clusterLive ? [] : (['hibernated', 'gone', 'failed'] as const);
  const moves = [
    probe('both answer', 'calm', answered, path('external'), cluster('kept')),
    probe('external fails', 'storm', answered, path('external', 'unreachable'), cluster('kept')),
    ...shown.flatMap((one) => [
      probe(`both answer, Cluster ${one}`, 'trouble', answered, path('external'), cluster(one)),
      probe(`external fails, Cluster ${one}`, 'trouble', answered, path('external', 'timeout'), cluster(one)),
    ]),
  ];
  if (!unclear) return moves;
  return [
    ...moves,
    probe('internal fails', 'trouble', path('internal', 'unreachable')),
    probe('internal fails, external answered', 'trouble', path('external'), path('internal', 'refused')),
    probe('internal fails, external failed', 'trouble', path('external', 'timeout'), path('internal', 'timeout')),
    probe('internal could not be asked', 'trouble', path('internal', 'kubeconfig')),
    probe('external could not be asked', 'trouble', answered, path('external', 'kubeconfig')),
    probe(
      'internal is slow, external times out',
      'trouble',
      path('internal', undefined, 4_000),
      path('external', 'timeout'),
    ),
    probe('nobody answers', 'trouble', ({ now: since }) => ({ type: 'woken', at: since + 6_000 })),
  ];
}

function woken(at: number): Play {
  return () => ({ type: 'woken', at });
}

/** Only where this path is asked, and so long after the question. */
function path(one: ShootPath, reason?: ProbeFailureReason, after: Millis = 0): Play {
  return ({ snapshot: { context, value }, now }) => {
    const { asked } = context.probe;
    if (value.probe !== 'askingPaths' || context.paths?.asked[one] !== 'asked' || asked === null) return undefined;
    const at = Math.max(now, asked.askedAt + after);
    const answered = { type: 'path.answered', at, number: asked.number, path: one, askedAt: asked.askedAt } as const;
    return reason === undefined ? answered : { ...answered, failure: { stage: one, reason, detail: 'no' } };
  };
}

/** Only where it is asked for. */
function cluster(shown: keyof typeof clusterAnswers): Play {
  return ({ snapshot: { context, value }, now: at }) =>
    value.probe === 'readingCluster'
      ? { type: 'cluster.answered', at, number: context.probe.asked?.number ?? 0, cluster: clusterAnswers[shown] }
      : undefined;
}
