import { counted } from '../../../adapters/words/plain-words.ts';
import type { MachineView, NodeView } from '../../../domain/prober/candidates.ts';
import type { ClusterReading } from '../../../domain/prober/cluster-view.ts';
import { type NodeLease, clockDifference } from '../../../domain/prober/node-lease.ts';
import type { ProbeFailure, ProbeFailureReason } from '../../../domain/prober/probe-failure.ts';
import type { ShootContext } from '../../../machines/shoot-context.ts';
import type { ShootCommands, ShootEvent, ShootEventOf } from '../../../machines/shoot-language.ts';
import { refusal, type Changes, type Refusal } from './what-if-changes.ts';

type ProbeEvent = ShootEventOf<'probe.answered'> | ShootEventOf<'probe.failed'>;
type LookEvent = ShootEventOf<'candidates.answered'> | ShootEventOf<'candidates.failed'>;

/** A Cluster that an event brings would bring the shoot's own grace back. */
export function imaginedEvent(event: ShootEvent, { config = {} }: Changes): ShootEvent {
  const { kcmNodeMonitorGraceDuration: grace } = config;
  if (grace === undefined) return event;
  const changed = (reading: ClusterReading): ClusterReading =>
    reading.readable && reading.cluster.nodeMonitorGrace !== undefined
      ? { readable: true, cluster: { ...reading.cluster, nodeMonitorGrace: grace } }
      : reading;
  if (event.type === 'cluster.changed') return { ...event, reading: changed(event.reading) };
  if (event.type !== 'candidates.answered' && event.type !== 'cluster.answered') return event;
  if (event.cluster?.outcome !== 'read') return event;
  return { ...event, cluster: { outcome: 'read', reading: changed(event.cluster.reading) } };
}

/** The answer of a probe as it is imagined; a probe that failed is answered with the leases that were seen last. */
export function imaginedProbe(event: ProbeEvent, context: ShootContext, changes: Changes): ProbeEvent | Refusal {
  const { answer } = changes;
  const { at, number, askedAt } = event;
  if (answer !== undefined && answer !== 'answered') {
    if (hasAges(changes))
      return refusal('answer', 'a probe that fails brings no leases. Take back the ages, or the failure');
    const stage = event.type === 'probe.failed' ? event.failure.stage : 'leases';
    return { type: 'probe.failed', at, number, askedAt, failure: imaginedFailure(stage, answer) };
  }
  if (event.type === 'probe.failed' && answer === undefined) {
    return hasAges(changes)
      ? refusal('allAges', 'this probe failed, so it brought no leases. Choose "answered" as its answer as well')
      : event;
  }
  const leases = event.type === 'probe.answered' ? event.leases : leasesSeen(context);
  if (leases.length === 0 && event.type === 'probe.failed')
    return refusal(
      'answer',
      'no lease had been seen before this probe, so nobody knows what it would have brought. Choose a later turn',
    );
  const strange = [...(changes.ages?.keys() ?? [])].find((node) => !leases.some((lease) => lease.node === node));
  if (strange !== undefined)
    return refusal(
      `age of ${strange}`,
      `this node has no lease in this turn. Choose one of its ${counted(leases.length, 'lease')}`,
    );
  const served = event.type === 'probe.answered' && event.served !== undefined ? { served: event.served } : {};
  // A lease is judged on our clock; the kubelet writes it on the shoot's.
  const now = askedAt + clockDifference(served.served);
  return {
    type: 'probe.answered',
    at,
    number,
    askedAt,
    ...served,
    leases: leases.map((lease) => agedLease(lease, now, changes)),
  };
}

/** The answer of a look as it is imagined. */
export function imaginedLook(event: LookEvent, { answer }: Changes, assumed: LookEvent): LookEvent {
  if (answer === undefined) return event;
  if (answer === 'answered') return event.type === 'candidates.answered' ? event : assumed;
  const { at, number } = event;
  const stage = event.type === 'candidates.failed' ? event.failure.stage : 'nodes';
  return { type: 'candidates.failed', at, number, failure: imaginedFailure(stage, answer) };
}

/** Where no look is recorded: every node with a lease is there and well, and its Machine runs. */
export function assumedLook(
  { number, cluster }: Pick<ShootCommands['listCandidates'], 'number' | 'cluster'>,
  context: ShootContext,
  at: ShootEvent['at'],
): ShootEventOf<'candidates.answered'> {
  const names = (context.seen?.leases ?? []).map(({ node }) => node);
  const nodes = names.map((name): NodeView => ({ name, unmanaged: false, trueConditions: [], inPlaceUpdate: false }));
  const machines = names.map((node): MachineView => ({ node, phase: 'Running' }));
  const answer = { type: 'candidates.answered', at, number, nodes, machines } as const;
  if (!cluster || context.cluster === null) return answer;
  return { ...answer, cluster: { outcome: 'read', reading: { readable: true, cluster: context.cluster } } };
}

export function hasAges({ allAges, ages }: Changes): boolean {
  return allAges !== undefined || ages !== undefined;
}

function agedLease(lease: NodeLease, now: number, { allAges, ages }: Changes): NodeLease {
  const own = ages?.get(lease.node);
  const age = own === undefined ? allAges : own;
  if (age === undefined) return lease;
  return { node: lease.node, renewedAt: age === null ? null : now - age };
}

function leasesSeen({ seen }: ShootContext): readonly NodeLease[] {
  return (seen?.leases ?? []).map(({ node, renewTime }) => ({ node, renewedAt: renewTime }));
}

function imaginedFailure(stage: ProbeFailure['stage'], reason: ProbeFailureReason): ProbeFailure {
  return { stage, reason, detail: 'imagined' };
}
