import { naturalOrder } from '../natural-order.ts';
import type { ShootNamespace } from '../names.ts';
import { type Instant, readInstant } from '../time.ts';
import { type ClusterReading, judgeLifecycle } from './cluster-view.ts';
import type { Dependant } from './dependant.ts';
import { readRecord } from './due-change.ts';
import { fieldOwner, managerOf } from './field-owner.ts';
import { type PresentResource, type ResourceView, markAnnotation } from './resource-view.ts';
import { valueAt } from '../value-at.ts';

/** What the cluster shows of one dependant, or why it shows nothing. */
export type SeenDependant =
  | Readonly<{ read: true; view: ResourceView; writes: FieldWrites }>
  | Readonly<{ read: false; problem: string }>;

/** What is to be judged: one shoot as the seed shows it. `cluster`: undefined where it is gone. */
export type ShootPicture = Readonly<{
  shoot: ShootNamespace;
  cluster: ClusterReading | undefined;
  dependants: readonly (readonly [Dependant, SeenDependant])[];
  /** What carries our mark there, and is not in the configuration (SPEC 6.5). */
  strays?: readonly (readonly [Dependant, SeenDependant])[];
}>;

/**
 * How a dependant stands: `scaledDown` by the watchdog (0 replicas and the mark), `scaledDownByOthers` (0 without the mark), `ignored` (SPEC 6.7),
 * `missing`, `unread`, or `up`.
 */
type DependantState = 'up' | 'scaledDown' | 'scaledDownByOthers' | 'ignored' | 'missing' | 'unread';

/** What should not be, and what needs a person, or another look. */
export type Oddity =
  /** It has replicas, or is not ours to scale, and still carries the mark: Gardener calls the shoot unhealthy as long as it does. */
  | 'markLeftBehind'
  /** It carries the mark in a shoot that nobody scales now (SPEC 3.1). */
  | 'markOnLeftAlone'
  /** Nothing goes by a record without a mark, and the next scale-down replaces it. The Go watchdog leaves one on all that it brought back: a remark, and nothing wrong. */
  | 'recordWithoutMark'
  | 'zeroWithoutMark'
  /** It carries the mark, and the configuration does not name it: no prober raises it. */
  | 'notConfigured'
  /** The watchdog scaled it down, and it will get one replica, whatever it had. */
  | 'recordUnreadable'
  | 'missing'
  | 'unread';

export type DependantStanding = Readonly<{
  dependant: Dependant;
  state: DependantState;
  view?: PresentResource;
  /** Why it could not be read. */
  problem?: string;
  /** Who brought it to 0, where the cluster says so, and when. */
  downBy?: FieldWrite;
  /** When the watchdog wrote to it last, where the cluster says so. */
  writtenAt?: Instant;
  odd: readonly Oddity[];
}>;

/**
 * How a shoot stands, worst first: the one list for `status`, roll call, inspector and `simulate`. What the cluster tells alone: `unreadable`,
 * `partlyScaledDown` (nobody knows which way it goes), `scaledDown`, `scalingDown`, `scalingUp`, `scaledDownByOthers`, `waiting` (not probed yet), `leftAlone` (SPEC 3.1),
 * `watched` (all is up, and a prober leads). Only a prober knows more: `cutOff` (nothing is scaled down yet), `scaledDownNotAnswering`, `notAnswering`, `unjudged`
 * (nobody can tell, SPEC 5.8, 5.9), `tooFew` (too few leases to tell). `unprotected`: all is up, but nobody looks after it.
 */
export const shootStates = [
  'unreadable',
  'cutOff',
  'scalingDown',
  'scaledDown',
  'scaledDownNotAnswering',
  'partlyScaledDown',
  'scalingUp',
  'notAnswering',
  'scaledDownByOthers',
  'unprotected',
  'unjudged',
  'tooFew',
  'waiting',
  'leftAlone',
  'watched',
] as const;

export type StandingState = (typeof shootStates)[number];

export type ShootStanding = Readonly<{
  shoot: ShootNamespace;
  state: StandingState;
  /** Why it is left alone, waits, is unprotected, cannot be judged, or cannot be read; of one that is watched, which part of it is cut off. */
  reason?: string;
  dependants: readonly DependantStanding[];
}>;

/** Judges a shoot by what the seed shows, and by nothing that a prober remembers (SPEC 9.8), as if a prober led. */
export function judgeStanding({ shoot, cluster, dependants, strays = [] }: ShootPicture): ShootStanding {
  const care = careOf(cluster);
  const standings = dependants.map(([dependant, seen]) => standingOf(dependant, seen, care.is));
  const reason = care.is === 'probed' ? {} : { reason: care.reason };
  // They are named, and say nothing of whether the shoot is watched.
  const further = strays.map(([dependant, seen]): DependantStanding => {
    const standing = standingOf(dependant, seen, care.is);
    const odd = standing.odd.filter((one) => one !== 'markLeftBehind');
    return { ...standing, odd: standing.view === undefined ? odd : ['notConfigured', ...odd] };
  });
  return { shoot, state: stateOf(care.is, standings), ...reason, dependants: [...standings, ...further] };
}

/** The same where no prober is known to lead, and `reason` says why: nothing watches the shoot then. */
export function whileNobodyLeads(standing: ShootStanding, reason: string): ShootStanding {
  return standing.state === 'watched' ? { ...standing, state: 'unprotected', reason } : standing;
}

/** Those at odds first, then by their states, then by name. */
export function worstFirst(one: ShootStanding, other: ShootStanding): number {
  return (
    Number(isAtOdds(other)) - Number(isAtOdds(one)) ||
    rankOf(one) - rankOf(other) ||
    naturalOrder(one.shoot, other.shoot)
  );
}

/** One that is watched, and of which a part is cut off, must not stand below hundreds that need nothing. */
function rankOf({ state, reason }: ShootStanding): number {
  return shootStates.indexOf(state === 'watched' && reason !== undefined ? 'unprotected' : state);
}

export function isAtOdds({ state, dependants }: ShootStanding): boolean {
  return ['unreadable', 'unprotected', 'unjudged'].includes(state) || dependants.some(({ odd }) => odd.some(isWrong));
}

/** Else it is only worth a remark. */
export function isWrong(oddity: Oddity): boolean {
  return oddity !== 'recordWithoutMark';
}

/** The first of what the watchdog scaled down; undefined where nothing is. `at` is absent where it is not known of all of them. */
export function downSince({ dependants }: ShootStanding): FieldWrite | undefined {
  const down = dependants.filter(({ state }) => state === 'scaledDown');
  if (down.length === 0) return undefined;
  const writes = down.map(({ downBy }) => downBy);
  const by = writes.find((write) => write !== undefined)?.by ?? '';
  const instants = writes.map((write) => write?.at).filter((at) => at !== undefined);
  return instants.length < down.length ? { by } : { by, at: Math.min(...instants) };
}

/** Whether a prober looks after the shoot, by its Cluster; else why not. */
type Care = Readonly<{ is: 'probed' }> | Readonly<{ is: 'unreadable' | 'leftAlone' | 'waiting'; reason: string }>;

function careOf(cluster: ClusterReading | undefined): Care {
  if (cluster === undefined) return { is: 'leftAlone', reason: 'its Cluster is gone' };
  if (!cluster.readable) return { is: 'unreadable', reason: cluster.problem };
  const lifecycle = judgeLifecycle(cluster.cluster);
  switch (lifecycle.kind) {
    case 'stop':
      return { is: 'leftAlone', reason: lifecycle.reason };
    case 'keep':
      return { is: 'waiting', reason: lifecycle.reason };
    case 'start':
      return { is: 'probed' };
  }
}

function standingOf(dependant: Dependant, seen: SeenDependant, care: Care['is']): DependantStanding {
  if (!seen.read) return { dependant, state: 'unread', problem: seen.problem, odd: ['unread'] };
  const { view, writes } = seen;
  if (!view.found) {
    // A shoot that is created or woken up gets its control plane bit by bit, and one that is deleted loses it so.
    const isOdd = care === 'probed' && !dependant.optional;
    return { dependant, state: 'missing', odd: isOdd ? ['missing'] : [] };
  }
  const state = view.ignored ? 'ignored' : view.replicas > 0 ? 'up' : view.marked ? 'scaledDown' : 'scaledDownByOthers';
  const downBy = state === 'scaledDown' ? writes.mark : state === 'scaledDownByOthers' ? writes.replicas : undefined;
  const last = [writes.mark, writes.replicas].find((write) => write !== undefined && isWatchdog(write))?.at;
  return {
    dependant,
    state,
    view,
    ...(downBy === undefined ? {} : { downBy }),
    ...(last === undefined ? {} : { writtenAt: last }),
    odd: odditiesOf(view, state, care),
  };
}

function odditiesOf({ marked, record }: PresentResource, state: DependantState, care: Care['is']): readonly Oddity[] {
  const odd: Oddity[] = [];
  if (marked && care === 'leftAlone') odd.push('markOnLeftAlone');
  else if (marked && state !== 'scaledDown') odd.push('markLeftBehind');
  if (state === 'scaledDown' && readRecord(record) === undefined) odd.push('recordUnreadable');
  if (!marked && record !== undefined) odd.push('recordWithoutMark');
  // While a shoot sleeps, wakes up, or is made, gardenlet keeps its controllers at 0.
  if (state === 'scaledDownByOthers' && care === 'probed') odd.push('zeroWithoutMark');
  return odd;
}

function stateOf(care: Care['is'], dependants: readonly DependantStanding[]): StandingState {
  if (care === 'unreadable' || care === 'leftAlone') return care;
  const down = dependants.filter(({ state }) => state === 'scaledDown');
  const up = dependants.filter(({ state }) => state === 'up');
  if (down.length > 0) return up.length === 0 ? 'scaledDown' : wayOf(down, up);
  if (dependants.some(({ state }) => state === 'unread')) return 'unreadable';
  if (care === 'waiting') return 'waiting';
  return dependants.some(({ state }) => state === 'scaledDownByOthers') ? 'scaledDownByOthers' : 'watched';
}

/** Some are down and some are up. The youngest write of the watchdog tells which way it goes. */
function wayOf(down: readonly DependantStanding[], up: readonly DependantStanding[]): StandingState {
  const lowered = youngest(down);
  if (lowered === undefined) return 'partlyScaledDown';
  return (youngest(up) ?? -Infinity) >= lowered ? 'scalingUp' : 'scalingDown';
}

function youngest(dependants: readonly DependantStanding[]): Instant | undefined {
  const instants = dependants.map(({ writtenAt }) => writtenAt).filter((at) => at !== undefined);
  return instants.length === 0 ? undefined : Math.max(...instants);
}

/** Who wrote something last, as the seed remembers it; `at` is absent where it does not say when. */
export type FieldWrite = Readonly<{ by: string; at?: Instant }>;

/** The writers that `metadata.managedFields` names for what matters here; each is absent where nobody is named. */
export type FieldWrites = Readonly<{ mark?: FieldWrite; replicas?: FieldWrite }>;

/**
 * Reads who set the mark and the replicas of a scalable object, and when (SPEC 9.8). Any value may come in. The seed keeps one instant
 * for all that a writer owns. The watchdog owns nothing but what it writes at once, so its instant is that of its last write; of anybody
 * else it is known who it was. Whoever scales to 0 by the scale subresource, as `kubectl scale` does, is not remembered at all.
 */
export function readFieldWrites(object: unknown): FieldWrites {
  const mark = fieldOwner(object, 'f:metadata', 'f:annotations', `f:${markAnnotation}`);
  const replicas = fieldOwner(object, 'f:spec', 'f:replicas');
  return {
    ...(mark === undefined ? {} : { mark: writeOf(mark) }),
    ...(replicas === undefined ? {} : { replicas: writeOf(replicas) }),
  };
}

/** Whether it was the watchdog, this one or Gardener's Go program, by the name that its requests give. */
function isWatchdog({ by }: FieldWrite): boolean {
  return by.startsWith('dependency-watchdog');
}

function writeOf(entry: unknown): FieldWrite {
  const by = managerOf(entry);
  const at = isWatchdog({ by }) ? readInstant(valueAt(entry, 'time')) : undefined;
  return { by, ...(at === undefined ? {} : { at }) };
}
