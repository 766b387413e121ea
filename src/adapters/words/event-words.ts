import type { ClusterAnswer, ClusterReading } from '../../domain/prober/cluster-view.ts';
import type { Instant } from '../../domain/time.ts';
import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import type { ResourceView } from '../../domain/prober/resource-view.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import { counted, seconds } from './quantity-words.ts';
import { shortName } from './short-name.ts';

/** An event as an operator would tell it, without time and shoot: `probe 12 answered: 5 leases, oldest 31.2 s old`. */
export function shootEventWords(event: ShootTurn['event']): string {
  switch (event.type) {
    case 'started':
      return event.input.followed ? 'started, taking over as leader' : 'started';
    case 'ended':
      if (event.because === 'gone') return 'ended: the Cluster is gone';
      return `ended by a bug${event.during === undefined ? '' : ` at "${shootEventWords(event.during)}"`}: ${event.error ?? 'unknown'}`;
    case 'cluster.changed':
      return clusterWords(event.reading);
    case 'cluster.gone':
      return 'Cluster gone';
    case 'cluster.watched':
      return `the stream of Clusters ${event.live ? 'can be relied on' : 'is out'}`;
    case 'dependant.changed':
      return `${shortName(event.key)} seen${event.rewound ? ' in a restored seed' : ''}: ${viewWords(event.view)}`;
    case 'dependant.watched':
      return `the watch on ${shortName(event.key)} ${event.live ? 'can be relied on' : 'is out'}`;
    case 'woken':
      return 'woken';
    case 'probe.answered':
      return `probe ${event.number} answered: ${counted(event.leases.length, 'lease')}${ageWords(event)}`;
    case 'probe.failed':
      return `probe ${event.number} failed: ${failureWords(event.failure)}`;
    case 'candidates.answered':
      return `listing ${event.number} answered: ${counted(event.nodes.length, 'node')}, ${counted(event.machines.length, 'Machine')}${askedClusterWords(event.cluster)}`;
    case 'candidates.failed':
      return `listing ${event.number} failed: ${failureWords(event.failure)}`;
    case 'scale.answered': {
      const { asked, answer } = event;
      const write = `write ${asked.number} on ${shortName(asked.key)}`;
      if (answer.outcome === 'written') return `${write} done: ${viewWords(answer.view)}`;
      return answer.outcome === 'failed' ? `${write} failed: ${answer.detail}` : `${write}: ${answer.outcome}`;
    }
    case 'read.answered': {
      const { asked, answer } = event;
      const read = `read ${asked.number} of ${shortName(asked.key)}`;
      return answer.outcome === 'read'
        ? `${read}: ${viewWords(answer.view)}`
        : `${read} ${answer.outcome}: ${answer.detail}`;
    }
  }
}

function clusterWords(reading: ClusterReading): string {
  if (!reading.readable) return `Cluster unreadable: ${reading.problem}`;
  const { cluster } = reading;
  const marks = [
    cluster.deleting && 'deleting',
    cluster.hibernationEnabled && 'hibernation enabled',
    cluster.hibernated && 'hibernated',
  ].filter((mark) => mark !== false);
  const operation =
    cluster.lastOperation === undefined
      ? 'no last operation'
      : `${cluster.lastOperation.type} ${cluster.lastOperation.state}`.trim();
  return `Cluster seen: ${[operation, counted(cluster.workers.length, 'worker pool'), ...marks].join(', ')}`;
}

function askedClusterWords(answer: ClusterAnswer | undefined): string {
  switch (answer?.outcome) {
    case undefined:
      return '';
    case 'read':
      return `; ${clusterWords(answer.reading)}`;
    case 'gone':
      return '; the Cluster is gone';
    case 'failed':
      return `; the Cluster could not be asked for: ${answer.detail}`;
  }
}

function failureWords({ stage, reason, detail }: ProbeFailure): string {
  return `${stage}, ${reason}: ${detail}`;
}

function viewWords(view: ResourceView): string {
  if (!view.found) return 'missing';
  const { replicas, readyReplicas, marked, record, ignored, observed } = view;
  return [
    `${counted(replicas, 'replica')} wanted, ${readyReplicas} ready`,
    !observed && 'status not yet up to date',
    marked && 'marked',
    record !== undefined && `record "${record}"`,
    ignored && 'ignored',
  ]
    .filter((word) => word !== false)
    .join(', ');
}

function ageWords({
  askedAt,
  leases,
}: Readonly<{ askedAt: Instant; leases: readonly { renewedAt: Instant | null }[] }>) {
  let oldest: Instant | undefined;
  let unreadable = 0;
  for (const { renewedAt } of leases)
    if (renewedAt === null) unreadable += 1;
    else if (oldest === undefined || renewedAt < oldest) oldest = renewedAt;
  return [
    oldest === undefined ? '' : `, oldest ${seconds(askedAt - oldest)} old`,
    unreadable === 0 ? '' : `, ${unreadable} without a readable renewTime`,
  ].join('');
}
