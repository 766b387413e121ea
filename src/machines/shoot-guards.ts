import type { ClusterReading } from '../domain/prober/cluster-view.ts';
import { judgeLifecycle } from '../domain/prober/lifecycle.ts';
import { isFinished } from '../domain/prober/scale-flow.ts';
import { changesPolicy, mustLook, probeDueAt, probeLostAt } from './probing.ts';
import { recheckAt } from './rechecking.ts';
import { isAnythingDue } from './shielding.ts';
import type { MachineEvent, ShootContext } from './shoot-context.ts';

type Args = Readonly<{ context: ShootContext; event: MachineEvent }>;

/** What the chart asks of an event; each name completes "if …". */
export const shootGuards = {
  mayStart: ({ context, event }: Args) => {
    if (event.type !== 'cluster.changed' || !event.reading.readable) return false;
    const { kind } = judgeLifecycle(event.reading.cluster);
    return kind === 'start' || (kind === 'keep' && context.interrupted);
  },
  mustStop: ({ event }: Args) => event.type === 'cluster.changed' && asksForRest(event.reading),
  /** What a look was told of the Cluster while the stream tells nothing (SPEC 3.5). */
  showsGone: ({ context, event }: Args) => clusterIn(context, event)?.outcome === 'gone',
  showsRest: ({ context, event }: Args) => showsRest(context, event),
  showsCluster: ({ context, event }: Args) => clusterIn(context, event)?.outcome === 'read',
  isRecheckDue: ({ context, event }: Args) => event.at >= (recheckAt(context) ?? Infinity),
  changesPolicy: ({ context, event }: Args) =>
    event.type === 'cluster.changed' && event.reading.readable && changesPolicy(context.cluster, event.reading.cluster),
  isProbeDue: ({ context, event }: Args) => event.at >= probeDueAt(context),
  isProbeLost: ({ context, event }: Args) => event.at >= probeLostAt(context),
  isCurrent: ({ context, event }: Args) => 'number' in event && event.number === context.probe.number,
  isCurrentAndNoRest: ({ context, event }: Args) =>
    'number' in event && event.number === context.probe.number && !showsRest(context, event),
  isCurrentAndMustLook: ({ context, event }: Args) =>
    event.type === 'probe.answered' && event.number === context.probe.number && mustLook(context, event),
  isCutOff: ({ event }: Args) => isVerdict(event, 'cutOff'),
  isCutOffEnough: ({ context, event }: Args) => isVerdict(event, 'cutOff') && isEnoughCutOff(context),
  isEnoughCutOff: ({ context }: Args) => isEnoughCutOff(context),
  isDownDue: ({ context, event }: Args) =>
    isVerdict(event, 'cutOff') && isEnoughCutOff(context) && isAnythingDue(context, 'down'),
  isConnected: ({ event }: Args) => event.type === 'verdict.reached' && event.verdict.kind !== 'cutOff',
  isConnectedEnough: ({ context, event }: Args) => isConnectedEnough(context, event),
  isUpDue: ({ context, event }: Args) =>
    event.type === 'verdict.reached' && isConnectedEnough(context, event) && isAnythingDue(context, event.aim),
  isFlowFinished: ({ context }: Args) => context.flow !== null && isFinished(context.flow),
};

function asksForRest(reading: ClusterReading): boolean {
  return !reading.readable || judgeLifecycle(reading.cluster).kind === 'stop';
}

function clusterIn({ probe }: ShootContext, event: MachineEvent) {
  return event.type === 'candidates.answered' && event.number === probe.number ? event.cluster : undefined;
}

function showsRest(context: ShootContext, event: MachineEvent): boolean {
  const cluster = clusterIn(context, event);
  return cluster?.outcome === 'gone' || (cluster?.outcome === 'read' && asksForRest(cluster.reading));
}

function isVerdict(event: MachineEvent, kind: 'cutOff'): boolean {
  return event.type === 'verdict.reached' && event.verdict.kind === kind;
}

function isEnoughCutOff({ streak, config }: ShootContext): boolean {
  return streak.cutOff >= config.failureThreshold;
}

function isConnectedEnough({ streak, config }: ShootContext, event: MachineEvent): boolean {
  return (
    event.type === 'verdict.reached' && event.verdict.kind !== 'cutOff' && streak.connected >= config.successThreshold
  );
}
