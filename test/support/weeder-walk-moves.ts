import { type DeletionAnswer, podOf } from '../../src/domain/weeder/pod-ledger.ts';
import type { PodView } from '../../src/domain/weeder/pod.ts';
import { weederWakeAt } from '../../src/machines/weeder-window.ts';
import { podView, waits } from '@dwd/testing/weeder-driver.ts';
import type { Instant } from '../../src/domain/time.ts';
import type { WeederEvent } from '../../src/machines/weeder-language.ts';
import type { WeederSnapshot } from '../../src/machines/kinds.ts';
import type { WeederAccount } from '@dwd/testing/weeder-laws.ts';

/** What may happen in addition to what always may; each further option multiplies the places. */
export type WeederAlphabet = Readonly<{
  /** By name. */
  pods: readonly string[];
  /** How many other pods are being deleted from the beginning; only the deletion of the first is ever answered. */
  crowd?: number;
  /** The service stays as it is. */
  steady?: boolean;
  /** Deletions may fail, or turn out not to be needed. */
  failing?: boolean;
  /** Another pod of the same name may follow a pod before the watch reports it gone. */
  replaced?: boolean;
  /** Time may pass unseen, and news may come late. */
  late?: boolean;
}>;

/** Everything that can happen next. */
export function weederMovesFrom(place: WeederPlace, alphabet: WeederAlphabet): readonly WeederMove[] {
  if (place.gone) return [];
  return [
    ...(alphabet.steady ? [] : serviceMoves(place)),
    ...timeMoves(place, alphabet),
    ...alphabet.pods.flatMap((name) => podMoves(place, name, alphabet)),
    ...deletionMoves(place, alphabet),
  ];
}

const some = { ready: 1, endpoints: 2 };
const none = { ready: 0, endpoints: 1 };
const empty = { ready: 0, endpoints: 0 };

function serviceMoves({ account: { now: at, available } }: WeederPlace): readonly WeederMove[] {
  const move = (type: string, slices: Record<string, typeof some>, when: WeederMove['when']): WeederMove => ({
    type,
    when,
    event: { type: 'slices.changed', at, slices },
  });
  const gone: WeederMove = { type: 'service gone', when: 'trouble', event: { type: 'service.gone', at } };
  return available
    ? [move('one slice of two goes', { b: some }, 'trouble'), move('down', { a: none, b: empty }, 'trouble'), gone]
    : [move('up', { a: none, b: some }, 'calm'), move('still down', { a: empty }, 'trouble'), gone];
}

function timeMoves(
  { snapshot, account: { now, endsAt } }: WeederPlace,
  { late }: WeederAlphabet,
): readonly WeederMove[] {
  const moves: WeederMove[] = [];
  const asked = weederWakeAt(snapshot.context, snapshot.value === 'recovering');
  if (asked !== undefined) {
    const at = Math.max(now, asked);
    moves.push({ type: 'woken', when: 'calm', event: { type: 'woken', at } });
  }
  if (late && endsAt !== null && now < endsAt) moves.push({ type: 'late', when: 'trouble', at: endsAt });
  return moves;
}

function podMoves(place: WeederPlace, name: string, { replaced, late }: WeederAlphabet): readonly WeederMove[] {
  const {
    account: { now: at, watch: number, told, asked },
    incarnations,
  } = place;
  if (number === null) return [];
  const incarnation = incarnations[name] ?? 0;
  const uid = uidOf(place, name);
  const moves: WeederMove[] = [];
  const changes = (type: string, state: PodView['state'], when: WeederMove['when'], of = uid) => {
    const pod = podView({ name, uid: of }, state);
    moves.push({ type: `${name} ${type}`, when, event: { type: 'pod.changed', at, number, pod } });
  };
  const goes = (type: string, of: string, next: number) =>
    moves.push({
      type: `${name} ${type}`,
      when: 'calm',
      event: { type: 'pod.gone', at, number, pod: { name, uid: of } },
      incarnations: { [name]: next },
    });

  const seen = told[uid]?.state;
  const before = `${name} ${incarnation - 1}`;
  // One after the other is enough: more pods of a name at a time would multiply the places.
  const isAlone = told[before] === undefined && asked.every((one) => one.uid !== before);
  if (!isAlone && !replaced) return [];
  // The same news may come once more: with other containers, or from a list.
  if (seen !== 'ending') changes('crashes', 'waiting', 'trouble');
  if (seen === 'waiting') changes('runs', 'fine', 'trouble');
  if (seen === 'waiting') changes('ends', 'ending', 'calm');
  if (seen !== undefined && isAlone) goes('is gone', uid, incarnation + 1);
  if (late) {
    const pod = podView({ name, uid });
    const event = { type: 'pod.changed', at, number: number - 1, pod } as const;
    moves.push({ type: `${name} crashed before`, when: 'trouble', event });
  }
  if (!replaced) return moves;
  if (told[before] !== undefined) goes('before is gone', before, incarnation);
  else if (seen !== undefined && isAlone) {
    const next = podView({ name, uid: `${name} ${incarnation + 1}` });
    const event = { type: 'pod.changed', at, number, pod: next } as const;
    moves.push({ type: `${name} is followed`, when: 'trouble', event, incarnations: { [name]: incarnation + 1 } });
  }
  return moves;
}

function deletionMoves(place: WeederPlace, { failing }: WeederAlphabet): readonly WeederMove[] {
  const { now: at, asked } = place.account;
  const move = (
    { number, uid }: (typeof asked)[number],
    answer: DeletionAnswer,
    when: WeederMove['when'],
  ): WeederMove => {
    const pod = { name: uid.slice(0, uid.lastIndexOf(' ')), uid };
    const event = {
      type: 'deletion.answered',
      at,
      askedAt: at,
      asked: { number, pod, waits: waits() },
      answer,
    } as const;
    return { type: `#${uid} ${answer.outcome}`, when, event };
  };
  const answered = asked.filter(({ uid }) => !/^crowd-[1-9]/.test(uid));
  return answered.flatMap((one) => [
    move(one, { outcome: 'deleted' }, 'calm'),
    ...(one.takenBack ? [move(one, { outcome: 'withdrawn' }, 'calm')] : []),
    ...(failing
      ? [
          move(one, { outcome: 'replaced' }, 'trouble'),
          move(one, { outcome: 'failed', reason: '500', detail: 'no' }, 'trouble'),
          move(one, { outcome: 'throttled', retryAfter: 20_000 }, 'trouble'),
        ]
      : []),
  ]);
}

/**
 * One way in which the world can go on: an event, or time that passes until `at`. `calm` if it leads on while
 * everything is well; otherwise it is trouble.
 */
export type WeederMove = Readonly<{
  type: string;
  when: 'calm' | 'trouble';
  at?: Instant;
  event?: WeederEvent;
  /** Pods that another incarnation replaces from now on, by name. */
  incarnations?: Readonly<Record<string, number>>;
}>;

/** A weeder in its world: what no snapshot holds, and the laws need. */
export type WeederPlace = Readonly<{
  snapshot: WeederSnapshot;
  account: WeederAccount;
  /** The service is gone, and nothing can follow. */
  gone: boolean;
  /** How many pods of a name there were before the present one. */
  incarnations: Readonly<Record<string, number>>;
  /** Laws that the step to this place broke. */
  broken: readonly string[];
}>;

/** The present pod of a name, whether the watch has shown it or not. */
function uidOf({ incarnations }: WeederPlace, name: string): string {
  return `${name} ${incarnations[name] ?? 0}`;
}

/** A place without its numbers: instants are due or not, incarnations are the present one or an earlier one. */
export function describeWeederPlace(place: WeederPlace): string {
  const { snapshot, account, gone } = place;
  const { value, context } = snapshot;
  const { now, available, endsAt, watch, told, finished, asked, alarm } = account;
  const { window } = context;
  const wakeAt = weederWakeAt(context, value === 'recovering');
  const uids = new Set([...Object.keys(told), ...asked.map(({ uid }) => uid)]);
  const pods = [...uids].toSorted().map((uid) => {
    const known = podOf(context.pods, uid);
    const step = known?.deletion;
    const one = asked.find((sent) => sent.uid === uid);
    return [
      relative(place, uid),
      told[uid]?.state ?? 'gone',
      finished.includes(uid),
      one === undefined ? '' : one.takenBack ? 'taken back' : 'asked',
      known === undefined ? 'unknown' : `${known.waits !== undefined} ${known.lost}`,
      step === undefined ? '' : step.step === 'failed' ? `failed ${phase(step.retryAt, now, endsAt)}` : step.step,
    ].join(' ');
  });
  return [
    value,
    gone,
    available,
    watch !== null,
    window === null ? '' : window.endsAt <= now ? 'over' : 'open',
    endsAt === null ? '' : endsAt <= now,
    wakeAt === undefined ? '' : phase(wakeAt, now, endsAt),
    alarm === undefined ? '' : phase(alarm, now, endsAt),
    ...pods,
  ].join('|');
}

function phase(at: Instant, now: Instant, endsAt: Instant | null): string {
  return at <= now ? 'due' : at < (endsAt ?? Infinity) ? 'later' : 'at the end';
}

function relative(place: WeederPlace, uid: string): string {
  const name = uid.slice(0, uid.lastIndexOf(' '));
  return uid === uidOf(place, name) ? name : `${name} before`;
}
