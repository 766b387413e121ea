import type { Instant } from '../../src/domain/time.ts';
import { podOf } from '../../src/domain/weeder/pod-ledger.ts';
import type { WeederEvent } from '../../src/machines/weeder-language.ts';
import type { WeederSnapshot } from '../../src/machines/kinds.ts';
import { weederWakeAt } from '../../src/machines/weeder-window.ts';
import type { WeederAccount } from '@dwd/testing/weeder-laws.ts';

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
