import type { ScaleFlow } from '../../domain/prober/scale-flow.ts';
import type { Known, Step } from '../../domain/prober/scale-step.ts';
import type { ClusterView } from '../../domain/prober/cluster-view.ts';
import type { EarlyBudget } from '../../domain/prober/early-probes.ts';
import type { ResourceView } from '../../domain/prober/resource-view.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { KnownPod } from '../../domain/weeder/pod-ledger.ts';
import type { Languages } from '../../machines/kinds.ts';
import type { Language, OutcomeOf } from '../../machines/pure-machine.ts';
import { asVersion3, saidOfLeases, seenOfLeases } from './version-3.ts';
import { seenOfLooks } from './version-4.ts';
import type { ShootInput } from '../../machines/shoot-language.ts';

type ShootContext = Languages['shoot']['Context'];
type WeederContext = Languages['weeder']['Context'];

/** A line of a journal of version 2, as far as it differs from one of today. */
type Line2 = Readonly<{
  at: Instant;
  shoot?: string;
  service?: string;
  event: Event2;
  commands: readonly Command2[];
  before?: Readonly<{ value: unknown; context: unknown }>;
}>;

type Event2 = Readonly<{ type: string; at: Instant; number?: number; key?: string; pod?: unknown; during?: Event2 }>;
type Command2 = Readonly<{ type: string; params: Readonly<{ number?: number }> }>;

type ShootContext2 = ShootInput &
  Pick<ShootContext, 'numbered'> &
  Readonly<{
    cluster: ClusterView | null;
    clusterLive: boolean;
    pausedBecause: string | null;
    interrupted: boolean;
    known: Readonly<Record<string, Known2>>;
    saidMissing: readonly string[];
    probe: Readonly<{
      number: number;
      askedAt: Instant | null;
      deadlineAt: Instant;
      nextAt: Instant;
      heldUntil: Instant;
      failuresInRow: number;
      early: EarlyBudget;
      clockAhead: Millis;
    }>;
    leases: readonly Readonly<{ node: string; renewedAt: Instant | null; told: Instant | null; movedAt?: Instant }>[];
    leasesAt: Instant | null;
    clockDiffers: boolean;
    nonCandidates: readonly string[];
    streak: Readonly<{ cutOff: number; connected: number }>;
    crossing: Readonly<{ crossedAt: Instant; firstMarkAt: Instant; said: boolean }> | null;
    flow:
      | (Omit<ScaleFlow, 'beganAt' | 'wrote' | 'steps'> & Readonly<{ steps: Readonly<Record<string, Step2>> }>)
      | null;
    flowWrote: boolean;
  }>;

type Known2 = Pick<Known, 'live' | 'writing' | 'heardAt' | 'refusal'> &
  Readonly<{
    view: ResourceView | null;
    outdated: boolean;
    reading: number | null;
    slow: boolean;
    overtaken: boolean;
  }>;

type Tries2 = Readonly<{ since: Instant | null; failures: number; wrote: boolean; inherited: boolean }>;
type Step2 =
  | (Readonly<{ is: 'waiting' }> & Tries2)
  | (Readonly<{ is: 'pausing'; until: Instant }> & Tries2)
  | Extract<Step, { is: 'settling' | 'done' | 'stuck' }>;

/** Commands whose answers echo them today. */
const echoed: ReadonlySet<string> = new Set(['probe', 'scale', 'read', 'deletePod']);

/**
 * Makes lines of today out of the lines of one journal of version 2. There, an answer told only the number of what it
 * answers, so commands are remembered until they are answered. What is no line stays as it is, and is found damaged.
 * Throws where a snapshot is damaged.
 */
export function fromVersion2(): (line: unknown) => unknown {
  const open = new Map<string, Readonly<{ askedAt: Instant; asked: Command2['params'] }>>();

  return (value) => {
    if (!isLine(value)) return value;
    const { shoot, service, event, before, ...rest } = value;
    const kind = shoot === undefined ? 'weeder' : 'shoot';
    const subject = shoot ?? service;
    const line = {
      ...rest,
      kind,
      subject,
      event: eventOfToday(event, (number) => take(`${subject} ${number}`)),
      writtenAs: 2,
      // A machine that threw in its first turn has no context.
      ...(before === undefined || before.context === null
        ? {}
        : { before: { value: before.value, context: contextOf[kind](before.context) } }),
    };
    for (const { type, params } of value.commands)
      if (echoed.has(type)) open.set(`${subject} ${params.number}`, { askedAt: value.at, asked: params });
    return line;
  };

  function take(key: string) {
    const asked = open.get(key);
    open.delete(key);
    return asked;
  }
}

/** What of a turn's outcome a journal of version 2 told. */
export function asVersion2<Spoken extends Language>(today: OutcomeOf<Spoken>): OutcomeOf<Spoken> {
  const { commands, notes, ...outcome } = asVersion3(today);
  return {
    ...outcome,
    commands: commands.map(({ type, params }) => {
      const { leases: _leases, containers: _containers, ...told } = params as Readonly<Record<string, unknown>>;
      return { type, params: told };
    }),
    notes: notes.filter(({ kind }) => kind !== 'decided' && kind !== 'restored'),
  };
}

function isLine(value: unknown): value is Line2 {
  const line = value as Partial<Line2> | null;
  return typeof line?.event?.type === 'string' && Array.isArray(line.commands);
}

type TakeAsked = (number: number | undefined) => Readonly<{ askedAt: Instant; asked: unknown }> | undefined;

function eventOfToday({ during, ...event }: Event2, take: TakeAsked): unknown {
  const { type, at, number, key, pod, ...rest } = event;
  switch (type) {
    case 'scale.answered':
    case 'read.answered':
      return { type, ...(take(number) ?? { askedAt: at, asked: { number, key } }), at, ...rest };
    case 'deletion.answered': {
      const { askedAt, asked } = take(number) ?? { askedAt: at, asked: { number, pod } };
      return { type, askedAt, asked: { ...(asked as object), containers: [] }, at, ...rest };
    }
    case 'probe.answered':
      take(number);
      return event;
    case 'probe.failed':
      return { ...event, askedAt: take(number)?.askedAt ?? at };
    case 'ended':
      return { ...event, ...(during === undefined ? {} : { during: eventOfToday(during, take) }) };
    default:
      return event;
  }
}

const contextOf = { shoot: shootContext, weeder: weederContext };

function weederContext(context: unknown): WeederContext {
  const { pods, ...rest } = context as WeederContext;
  return { ...rest, pods: pods.map((one): KnownPod => ({ ...one, containers: [] })) };
}

/** What version 2 did not remember is filled in so that no command depends on it. */
function shootContext(value: unknown): ShootContext {
  const context = value as ShootContext2;
  const { probe, streak, crossing, flow, pausedBecause, leasesAt } = context;
  const { shoot, config, followed, chance, numbered, cluster, clusterLive } = context;
  const { number, askedAt, deadlineAt, nextAt, heldUntil, failuresInRow, early, clockAhead } = probe;
  return {
    shoot,
    config,
    followed,
    chance,
    numbered,
    cluster,
    clusterLive,
    pause: pausedBecause === null ? null : { because: pausedBecause, interrupted: context.interrupted },
    known: Object.fromEntries(Object.entries(context.known).map(([key, one]) => [key, knownOfToday(one)])),
    probe: {
      asked: askedAt === null ? null : { number, askedAt, deadlineAt },
      nextAt: nextAt === 0 ? null : nextAt,
      heldUntil: heldUntil === 0 ? null : heldUntil,
      failuresInRow,
      early,
    },
    seen:
      leasesAt === null
        ? null
        : {
            askedAt: leasesAt,
            leases: context.leases.map(({ told, ...lease }) => ({ ...lease, renewTime: told })),
            clockAhead,
            nonCandidates: context.nonCandidates,
            counted: null,
            ...seenOfLeases,
            ...seenOfLooks,
          },
    streak: streak.cutOff > 0 ? { of: 'cutOff', count: streak.cutOff } : { of: 'connected', count: streak.connected },
    outage:
      crossing === null
        ? null
        : {
            crossedAt: crossing.crossedAt,
            firstMarkAt: crossing.firstMarkAt,
            stage: crossing.said ? 'shielded' : 'decided',
          },
    flow:
      flow === null
        ? null
        : {
            ...flow,
            beganAt: flow.levelAt,
            wrote: context.flowWrote,
            steps: Object.fromEntries(Object.entries(flow.steps).map(([key, step]) => [key, stepOfToday(step)])),
          },
    said: { missing: context.saidMissing, clockDiffers: context.clockDiffers, ...saidOfLeases },
  };
}

function knownOfToday({ view, outdated, reading, slow, overtaken, ...rest }: Known2): Known {
  return {
    ...rest,
    ...(view === null ? { view } : { view, outdated }),
    reading: reading === null ? null : { number: reading, bucket: slow ? 'ordinary' : 'urgent', overtaken },
  };
}

function stepOfToday(step: Step2): Step {
  if (step.is !== 'waiting' && step.is !== 'pausing') return step;
  const { since, failures } = step;
  const write = step.wrote ? 'own' : step.inherited ? 'inherited' : 'none';
  if (step.is === 'waiting')
    return since === null ? { is: 'pending', write } : { is: 'asking', since, failures, write };
  const { until } = step;
  return since === null ? { is: 'delayed', until, write } : { is: 'backingOff', until, since, failures, write };
}
