import type { WeederInput, WeederEvent } from '../../src/machines/weeder-language.ts';
import { pureMachines, type WeederOutcome, type WeederSnapshot } from '../../src/machines/kinds.ts';
import { explore, type Graph } from './explore.ts';
import { auditWeeder, firstWeederAccount, type WeederAccount } from '@dwd/testing/weeder-laws.ts';
import { weederMovesFrom, type WeederAlphabet } from './weeder-walk-moves.ts';
import { podView } from '@dwd/testing/weeder-driver.ts';
import type { Instant } from '../../src/domain/time.ts';
import { podOf } from '../../src/domain/weeder/pod-ledger.ts';
import { weederWakeAt } from '../../src/machines/weeder-window.ts';

const input: WeederInput = {
  namespace: 'shoot--walk--one',
  service: 'kube-apiserver',
  selectors: ['role in (controller)'],
  watchDuration: 300_000,
  chance: 1,
};

/** Walks over every place that a weeder can reach with these moves, and checks the laws at each step. */
export function walkWeeder(alphabet: WeederAlphabet, limit: number): Graph<WeederPlace, WeederMove> {
  return explore(
    {
      start: start(alphabet),
      movesFrom: (place) => weederMovesFrom(place, alphabet),
      step,
      describe: describeWeederPlace,
    },
    limit,
  );
}

/** With as many other pods in the window as `crowd` says; all their deletions are under way. */
function start({ crowd = 0 }: WeederAlphabet): WeederPlace {
  const outcome = pureMachines.weeder.first(input);
  let place: WeederPlace = {
    snapshot: outcome.snapshot,
    account: firstWeederAccount,
    gone: false,
    incarnations: {},
    broken: [],
  };
  if (crowd === 0) return place;
  place = step(place, { type: 'up', when: 'calm', event: { type: 'slices.changed', at: 0, slices: up } });
  for (let index = 0; index < crowd; index++) {
    const pod = podView({ name: `crowd-${index}`, uid: `crowd-${index} 0` });
    const number = place.account.watch ?? 0;
    place = step(place, { type: 'crowds', when: 'calm', event: { type: 'pod.changed', at: 0, number, pod } });
  }
  return place;
}

const up = { slice: { ready: 1, endpoints: 1 } };

/** If a move has no event, time has passed and nobody has told the machine. */
function step(place: WeederPlace, { event, at = 0, incarnations }: WeederMove): WeederPlace {
  const now = Math.max(place.account.now, at);
  const came = { ...place, incarnations: { ...place.incarnations, ...incarnations }, broken: [] };
  if (event === undefined) return { ...came, account: { ...place.account, now } };
  const outcome: WeederOutcome = pureMachines.weeder.take(place.snapshot, event);
  const { account, broken } = auditWeeder({ ...place.account, now }, event, outcome, input.watchDuration);
  return { ...came, snapshot: outcome.snapshot, account, gone: event.type === 'service.gone', broken };
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
export function uidOf({ incarnations }: WeederPlace, name: string): string {
  return `${name} ${incarnations[name] ?? 0}`;
}

/** A place without its numbers: instants are due or not, incarnations are the present one or an earlier one. */
function describeWeederPlace(place: WeederPlace): string {
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
