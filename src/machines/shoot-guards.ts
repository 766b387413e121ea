import { type ClusterReading, judgeLifecycle } from '../domain/prober/cluster-view.ts';
import { changesPolicy } from '../domain/prober/verdict.ts';
import { isFinished } from '../domain/prober/scale-flow.ts';
import { isAwaitedPath, mustReadClusterOf, pathsAfter } from './path-probe.ts';
import { probeDueAt } from './probe-plan.ts';
import { looks } from './candidate-look.ts';
import { recordAnswer } from './lease-probe.ts';
import { clusterGot, isCurrentProbe, probeLostAt } from './probe-under-way.ts';
import { recheckAt } from './dependants.ts';
import { isAnythingDue } from './shield.ts';
import { failureThresholdMet, flowScope, type MachineEvent, type Paths, type ShootContext } from './shoot-context.ts';

type Args = Readonly<{ context: ShootContext; event: MachineEvent }>;

/** What the chart asks of an event; each name completes "if …". */
export const shootGuards = {
  mayStart: ({ context, event }: Args) => {
    if (event.type !== 'cluster.changed' || !event.reading.readable) return false;
    const { kind } = judgeLifecycle(event.reading.cluster);
    return kind === 'start' || (kind === 'keep' && context.pause?.interrupted === true);
  },
  mustStop: ({ event }: Args) => event.type === 'cluster.changed' && asksForRest(event.reading),
  /** What a look was told of the Cluster while the stream of Clusters is out (SPEC 3.5). */
  showsGone: ({ context, event }: Args) => clusterGot(context, event)?.outcome === 'gone',
  showsRest: ({ context, event }: Args) => showsRest(context, event),
  showsCluster: ({ context, event }: Args) => clusterGot(context, event)?.outcome === 'read',
  isRecheckDue: ({ context, event }: Args) => event.at >= (recheckAt(context) ?? Infinity),
  /** Two paths are judged by none of it: their owner must not hurry the count. */
  changesPolicy: ({ context, event }: Args) =>
    context.paths === undefined &&
    event.type === 'cluster.changed' &&
    event.reading.readable &&
    context.cluster !== null &&
    changesPolicy(context.cluster, event.reading.cluster, context.config),
  isProbeDue: ({ context, event }: Args) => event.at >= (probeDueAt(context) ?? Infinity),
  isProbeLost: ({ context, event }: Args) => event.at >= (probeLostAt(context) ?? Infinity),
  isCurrent: ({ context, event }: Args) => isCurrent(context, event),
  isCurrentAndNoRest: ({ context, event }: Args) => isCurrent(context, event) && !showsRest(context, event),
  /** Where two paths are asked, in the older generation (SPEC 4.9). */
  isPathProbeDue: ({ context, event }: Args) =>
    context.paths !== undefined && event.at >= (probeDueAt(context) ?? Infinity),
  hasInternalFailed: ({ context, event }: Args) => {
    const internal = toldByPaths(context, event)?.internal;
    return internal === 'failed' || internal === 'untold';
  },
  mustAskExternal: ({ context, event }: Args) => toldByPaths(context, event)?.external === 'notAsked',
  isOtherPathAwaited: ({ context, event }: Args) => {
    const told = toldByPaths(context, event);
    return told?.internal === 'asked' || told?.external === 'asked';
  },
  isExternalUntold: ({ context, event }: Args) => toldByPaths(context, event)?.external === 'untold',
  mustReadCluster: ({ context, event }: Args) => {
    const told = toldByPaths(context, event);
    return told !== undefined && mustReadClusterOf(context, told);
  },
  haveBothTold: ({ context, event }: Args) => toldByPaths(context, event) !== undefined,
  isCurrentAndMustLook: ({ context, event }: Args) =>
    event.type === 'probe.answered' && isCurrentProbe(context, event) && looks(recordAnswer(context, event)),
  isCutOff: ({ event }: Args) => isCutOff(event),
  verdictMeetsFailureThreshold: ({ context, event }: Args) => isCutOff(event) && failureThresholdMet(context),
  failureThresholdMet: ({ context }: Args) => failureThresholdMet(context),
  isScaleDownDue: ({ context, event }: Args) =>
    isCutOff(event) && failureThresholdMet(context) && isAnythingDue(context, 'down'),
  isConnected: ({ event }: Args) => event.type === 'verdict.reached' && event.verdict.kind !== 'cutOff',
  verdictMeetsSuccessThreshold: ({ context, event }: Args) => verdictMeetsSuccessThreshold(context, event),
  isScaleUpDue: ({ context, event }: Args) =>
    event.type === 'verdict.reached' &&
    verdictMeetsSuccessThreshold(context, event) &&
    isAnythingDue(context, event.aim),
  isFlowFinished: ({ context }: Args) => context.flow !== null && isFinished(context.flow, flowScope(context)),
};

function asksForRest(reading: ClusterReading): boolean {
  return !reading.readable || judgeLifecycle(reading.cluster).kind === 'stop';
}

function isCurrent(context: ShootContext, event: MachineEvent): boolean {
  return 'number' in event && isCurrentProbe(context, event);
}

/** How the paths stand once this answer is in; undefined for every other event, and for an answer that nobody waits for. */
function toldByPaths(context: ShootContext, event: MachineEvent): Paths['asked'] | undefined {
  return event.type === 'path.answered' && isAwaitedPath(context, event) ? pathsAfter(context, event) : undefined;
}

function showsRest(context: ShootContext, event: MachineEvent): boolean {
  const cluster = clusterGot(context, event);
  return cluster?.outcome === 'gone' || (cluster?.outcome === 'read' && asksForRest(cluster.reading));
}

function isCutOff(event: MachineEvent): boolean {
  return event.type === 'verdict.reached' && event.verdict.kind === 'cutOff';
}

function verdictMeetsSuccessThreshold({ streak, config }: ShootContext, event: MachineEvent): boolean {
  return (
    event.type === 'verdict.reached' &&
    event.verdict.kind !== 'cutOff' &&
    streak.of === 'connected' &&
    streak.count >= config.successThreshold
  );
}
