import { judgeLifecycle } from '../domain/lifecycle.ts';
import { isFinished } from '../domain/scale-flow.ts';
import { changesPolicy, mustLook, probeDueAt, probeLostAt } from './probing.ts';
import { isAnythingDue } from './shielding.ts';
import { aimOf, type MachineEvent, type ShootContext } from './shoot-context.ts';

type Args = Readonly<{ context: ShootContext; event: MachineEvent }>;

/** What the chart asks of an event; each name completes "if …". */
export const shootGuards = {
  mayStart: ({ context, event }: Args) => {
    if (event.type !== 'cluster.changed' || !event.reading.readable) return false;
    const { kind } = judgeLifecycle(event.reading.cluster);
    return kind === 'start' || (kind === 'keep' && context.interrupted);
  },
  mustStop: ({ event }: Args) =>
    event.type === 'cluster.changed' &&
    (!event.reading.readable || judgeLifecycle(event.reading.cluster).kind === 'stop'),
  changesPolicy: ({ context, event }: Args) =>
    event.type === 'cluster.changed' && event.reading.readable && changesPolicy(context.cluster, event.reading.cluster),
  isProbeDue: ({ context, event }: Args) => event.at >= probeDueAt(context),
  isProbeLost: ({ context, event }: Args) => event.at >= probeLostAt(context),
  isCurrent: ({ context, event }: Args) => 'number' in event && event.number === context.probe.number,
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
    event.type === 'verdict.reached' &&
    isConnectedEnough(context, event) &&
    isAnythingDue(context, aimOf(event.verdict)),
  isFlowFinished: ({ context }: Args) => context.flow !== null && isFinished(context.flow),
};

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
