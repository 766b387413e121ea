import type { PodView } from 'dependency-watchdog/domain/weeder/pod.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { WeederEvent, WeederState } from 'dependency-watchdog/machines/weeder-language.ts';
import type { WeederOutcome } from 'dependency-watchdog/machines/kinds.ts';
import { mostDeletions } from 'dependency-watchdog/machines/weeder-window.ts';
import { deletionFaults, type DeletionFault } from '@dwd/simulator/workloads/deletion-law.ts';

/** A deletion that the machine commanded and that is not answered yet. */
type Asked = Readonly<{ number: number; uid: string; takenBack: boolean }>;

/**
 * What an outside observer can know of one service's weeder, only from its events and its commands. Nothing here
 * is read off its snapshot.
 */
export type WeederAccount = Readonly<{
  now: Instant;
  /** By the last news. */
  available: boolean;
  /** Of the ready endpoints, by the last news. */
  readyHash: number;
  /** The event that was taken last begins a window, or its time anew. */
  opens: boolean;
  /** The end of the last opened window; null if there is none. */
  endsAt: Instant | null;
  /** The watch that is open, by its number. */
  watch: number | null;
  /** By uid, as the open watch last reported. */
  told: Readonly<Record<string, PodView>>;
  /** The reported pods that need no further deletion, as the seed has said, by uid. */
  finished: readonly string[];
  asked: readonly Asked[];
  /** In the time of this window, by owner: the last deletion that began a round, and so many rounds after the first. */
  rounds: Readonly<Record<string, Readonly<{ last: Instant; count: number }>>>;
  /** The reported pods whose last deletion failed, and when, by uid. */
  failedAt: Readonly<Record<string, Instant>>;
  /** The wake that is pending. */
  alarm: Instant | undefined;
  deleted: number;
  /** The highest number given yet. */
  numbered: number;
}>;

export const firstWeederAccount: WeederAccount = {
  now: 0,
  available: false,
  readyHash: 0,
  opens: false,
  endsAt: null,
  watch: null,
  told: {},
  finished: [],
  asked: [],
  rounds: {},
  failedAt: {},
  alarm: undefined,
  deleted: 0,
  numbered: 0,
};

/** From one round of an owner's pods to the next; each later one takes twice as long. */
const firstPause: Millis = 30_000;
/** A pod of the round was made before it began, by clocks that may differ. */
const clocksDiffer: Millis = 3_000;

/** A failed deletion is never tried again sooner, and later only if something else holds it. */
const shortestPause: Millis = 500;
const longestPause: Millis = 60_000;

type Turn = Pick<WeederOutcome, 'state' | 'commands' | 'notes'>;

/** The account after a turn, and the laws (SPEC 7, S8) that the turn broke, each in words. */
export function auditWeeder(
  before: WeederAccount,
  event: WeederEvent,
  turn: Turn,
  watchDuration: Millis,
): Readonly<{ account: WeederAccount; broken: readonly string[] }> {
  const learned = learn(before, event, watchDuration);
  const account = obeyed(learned, turn);
  return {
    account,
    broken: [...deletionLaws(learned, turn, watchDuration), ...windowLaws(before, learned, account, event, turn)],
  };
}

/** What follows from the event alone. */
function learn(before: WeederAccount, event: WeederEvent, watchDuration: Millis): WeederAccount {
  const now = Math.max(before.now, event.at);
  const account = { ...before, now, opens: false };
  switch (event.type) {
    case 'slices.changed': {
      const available = Object.values(event.slices).some(({ ready }) => ready > 0);
      const readyHash = Object.values(event.slices).reduce((sum, one) => sum + (one.readyHash ?? 0), 0);
      const { gap } = event;
      const isUnsure =
        gap !== undefined && (gap.rewound === true || now - gap.since > 10_000 || readyHash !== before.readyHash);
      const opens = available && (!before.available || isUnsure);
      const rounds = opens ? {} : before.rounds;
      // By its own clock, also where that was set back just before.
      return {
        ...account,
        available,
        readyHash,
        opens,
        rounds,
        endsAt: opens ? event.at + watchDuration : before.endsAt,
      };
    }
    case 'service.gone':
      return { ...account, available: false, endsAt: null };
    case 'woken': {
      const rung = before.alarm !== undefined && event.at >= before.alarm;
      const over = before.endsAt !== null && now >= before.endsAt;
      return { ...account, alarm: rung ? undefined : before.alarm, endsAt: over ? null : before.endsAt };
    }
    case 'pod.changed':
    case 'pod.gone': {
      if (event.number !== before.watch) return account;
      const { pod } = event;
      const { [pod.uid]: _before, ...others } = before.told;
      if (event.type === 'pod.changed') return { ...account, told: { ...others, [pod.uid]: event.pod } };
      const { [pod.uid]: _failed, ...failedAt } = before.failedAt;
      return { ...account, told: others, failedAt, finished: before.finished.filter((uid) => uid !== pod.uid) };
    }
    case 'deletion.answered':
      return answered(account, event);
  }
}

function answered(
  account: WeederAccount,
  { at, asked: { number }, answer }: Extract<WeederEvent, { type: 'deletion.answered' }>,
): WeederAccount {
  const one = account.asked.find((asked) => asked.number === number);
  if (one === undefined) return account;
  const asked = account.asked.filter((other) => other !== one);
  const deleted = account.deleted + (answer.outcome === 'deleted' && account.watch !== null ? 1 : 0);
  if (account.told[one.uid] === undefined) return { ...account, asked, deleted };
  const failed = answer.outcome === 'failed' || answer.outcome === 'throttled' || answer.outcome === 'withdrawn';
  // Its rest is counted from the answer, also by a clock that was set back just before.
  if (failed) return { ...account, asked, failedAt: { ...account.failedAt, [one.uid]: at } };
  return { ...account, asked, finished: [...account.finished, one.uid], deleted };
}

/** How the commands change it. */
function obeyed(account: WeederAccount, { commands }: Turn): WeederAccount {
  let after = account;
  for (const { type, params } of commands)
    switch (type) {
      case 'wake':
        after = { ...after, alarm: params.at };
        break;
      case 'watchPods':
        after = { ...after, watch: params.number, told: {}, finished: [], failedAt: {}, deleted: 0 };
        after = { ...after, numbered: Math.max(after.numbered, params.number) };
        break;
      case 'listPods':
        break;
      case 'leavePods':
        after = { ...after, watch: null, told: {}, finished: [], failedAt: {} };
        break;
      case 'deletePod': {
        const { number, pod } = params;
        const one = { number, uid: pod.uid, takenBack: false };
        after = { ...after, asked: [...after.asked, one], numbered: Math.max(after.numbered, number) };
        after = { ...after, rounds: roundsWith(after, pod.uid) };
        break;
      }
      case 'withdraw': {
        const asked = after.asked.map((one) => (one.number === params.number ? { ...one, takenBack: true } : one));
        after = { ...after, asked };
      }
    }
  return after;
}

/** When the pod may go, by the rounds of its owner so far; undefined where it may go at once. */
function pausedUntil({ rounds, told, failedAt }: WeederAccount, uid: string): Instant | undefined {
  const { owner = '', createdAt = -Infinity } = told[uid] ?? {};
  const round = rounds[owner];
  if (round === undefined || createdAt <= round.last - clocksDiffer || failedAt[uid] !== undefined) return undefined;
  return round.last + firstPause * 2 ** round.count;
}

function roundsWith(account: WeederAccount, uid: string): WeederAccount['rounds'] {
  const { rounds, told, now } = account;
  const owner = told[uid]?.owner;
  const round = owner === undefined ? undefined : rounds[owner];
  if (owner === undefined || round?.last === now) return rounds;
  if (round === undefined) return { ...rounds, [owner]: { last: now, count: 0 } };
  return pausedUntil(account, uid) === undefined
    ? rounds
    : { ...rounds, [owner]: { ...round, last: now, count: round.count + 1 } };
}

const deletionWords: Readonly<Record<DeletionFault, string>> = {
  twice: 'S8 an incarnation is deleted once',
  ending: 'S8 a pod that is going is not deleted',
  'not crash-looping': 'S8 a pod is deleted in CrashLoopBackOff',
  'no service': 'S8 a pod is deleted while its service is available',
  'no window': 'S8 a pod is deleted within a window',
};

function deletionLaws(learned: WeederAccount, turn: Turn, watchDuration: Millis): readonly string[] {
  const broken: string[] = [];
  const check = (law: string, holds: boolean) => {
    if (!holds) broken.push(law);
  };
  let { numbered } = learned;
  const asked = new Set(learned.asked.map(({ uid }) => uid));
  for (const { type, params } of turn.commands) {
    if (type !== 'deletePod') continue;
    const { number, pod } = params;
    const told = learned.told[pod.uid];
    const failedAt = learned.failedAt[pod.uid] ?? -Infinity;
    const { now: at, available, endsAt } = learned;
    const deletion = {
      at,
      loopedUntil: told?.state === 'waiting' && told.name === pod.name ? at : -Infinity,
      ending: false,
      deletedBefore: learned.finished.includes(pod.uid) || asked.has(pod.uid),
      services: [{ openedAt: (endsAt ?? -Infinity) - watchDuration, downAt: available ? Infinity : -Infinity }],
    };
    broken.push(...deletionFaults(deletion, { watchDuration, news: 0 }).map((fault) => deletionWords[fault]));
    check('7.3 what failed rests before it is tried again', at >= failedAt + shortestPause);
    check('7.3 a pod that is spared stays', told?.spared === undefined);
    check('7.3 the pods of an owner go in rounds', learned.now >= (pausedUntil(learned, pod.uid) ?? -Infinity));
    check('7.3 each deletion has a number of its own', number > numbered);
    numbered = number;
    asked.add(pod.uid);
  }
  check('7.3 so many deletions are under way at most', asked.size <= mostDeletions);
  return broken;
}

function windowLaws(
  before: WeederAccount,
  learned: WeederAccount,
  after: WeederAccount,
  event: WeederEvent,
  { state, commands, notes }: Turn,
): readonly string[] {
  const broken: string[] = [];
  const check = (law: string, holds: boolean) => {
    if (!holds) broken.push(law);
  };
  const { available, endsAt, now } = learned;
  check('7.2 its state is what was told of the service', state === stateFor(available, endsAt !== null));
  check('7.2 dependants are watched within a window, and not outside', (after.watch !== null) === (endsAt !== null));
  const opened = commands.filter(({ type }) => type === 'watchPods').length;
  const left = commands.filter(({ type }) => type === 'leavePods').length;
  check('7.2 a window has one watch', opened === Number(before.watch === null && endsAt !== null));
  check('7.2 a window leaves its watch once', left === Number(before.watch !== null && endsAt === null));
  check('7.2 each window has a number of its own', opened === 0 || after.watch === before.numbered + 1);

  const said = notes.find(({ kind }) => kind === 'windowOpened');
  check(
    '7.2 a window that opens, or begins anew, is told',
    learned.opens
      ? said?.kind === 'windowOpened' && said.endsAt === endsAt && said.extended === (before.endsAt !== null)
      : said === undefined,
  );
  const closed = notes.find(({ kind }) => kind === 'windowClosed');
  check(
    '7.2 a window that ends is told, with what came of it',
    before.endsAt !== null && endsAt === null
      ? closed?.kind === 'windowClosed' &&
          closed.deleted === learned.deleted &&
          closed.left === remainingOf(before).length
      : closed === undefined,
  );

  check(
    '7.2 what waits is taken back from a service that is down, and at the end of its window',
    (available && endsAt !== null) || after.asked.every(({ takenBack }) => takenBack),
  );
  check(
    'S8 what waits is taken back where its pod no longer crash-loops',
    after.asked.every(({ uid, takenBack }) => takenBack || learned.told[uid]?.state === 'waiting'),
  );

  if (state === 'recovering' && endsAt !== null && now < endsAt) {
    const idle = remainingOf(after).filter(({ uid }) => !after.asked.some((one) => one.uid === uid));
    const isFull = after.asked.length >= mostDeletions;
    const forgotten = idle.filter(({ uid }) => {
      const failedAt = after.failedAt[uid];
      const until = pausedUntil(after, uid) ?? -Infinity;
      // Whoever stood still has news before the wake that is overdue.
      if (until > now || (after.alarm ?? Infinity) <= until)
        return !isFull && (after.alarm === undefined || after.alarm > Math.min(until, endsAt));
      const isTriedAgain =
        after.alarm !== undefined && failedAt !== undefined && after.alarm <= failedAt + longestPause;
      return !isFull && !isTriedAgain;
    });
    check('7.3 no dependant that crash-loops is forgotten', forgotten.length === 0);
    const held = notes.flatMap((note) => (note.kind === 'deletionHeld' ? [note.pod.uid] : []));
    const came = event.type === 'pod.changed' ? event.pod.uid : undefined;
    check(
      '7.3 who is held back waits for others, and is said when it comes',
      held.every((uid) => isFull && uid === came && idle.some((one) => one.uid === uid)),
    );
  }
  check('wake: the end of a window wakes it', endsAt === null || (after.alarm !== undefined && after.alarm <= endsAt));
  const isRepeated = commands.some(({ type, params }) => type === 'wake' && params.at === learned.alarm);
  check('wake: one that is pending is not commanded again', !isRepeated);
  // By its own clock, also where that was set back just before.
  check(
    'wake: a wake comes to something',
    event.type !== 'woken' || after.alarm === undefined || after.alarm > event.at,
  );
  return broken;
}

/** Reported to crash-loop, not finished, and not spared. */
export function remainingOf({ told, finished }: WeederAccount): readonly PodView[] {
  return Object.values(told).filter(
    ({ uid, state, spared }) => state === 'waiting' && spared === undefined && !finished.includes(uid),
  );
}

function stateFor(available: boolean, isOpen: boolean): WeederState {
  if (isOpen) return available ? 'recovering' : 'relapsed';
  return available ? 'settled' : 'down';
}
