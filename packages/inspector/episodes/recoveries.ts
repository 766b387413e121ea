import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { nameOf, type TurnName } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import {
  type EpisodeWords,
  type FollowedTurn,
  stagesOf,
  textOf,
} from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { clockWords, counted, lengthWords, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';

/** One recovery of one service, as its turns tell it: it was down, came back, and its dependants were looked after. */
export type ServiceRecovery = Readonly<{
  /** The turn that opened its first window. */
  began: TurnName;
  /** The turn that found it down; null where the journal begins later. */
  down: TurnName | null;
  /** The turn that found it back; null where it went down again before any pod was deleted, and is down yet. */
  back: TurnName | null;
  /** How often it went down again before the window was over; so often before anything was done for it; and the turn that found it so, as long as it is down. */
  relapses: number;
  early: number;
  downAgain: TurnName | null;
  /** The first pods that were deleted, and how many there were. */
  deleted: readonly DeletedPod[];
  deletedCount: number;
  /** The turn that asked for the first one; those that tell of the first one that was done, and of the last one. */
  decided: TurnName | null;
  first: TurnName | null;
  last: TurnName | null;
  failedDeletions: number;
  /** Pods that still crash-looped when the window closed. */
  left: number | null;
  windowEndsAt: Instant;
  /** When its window closed, or another one began while nobody saw that; `closed` and `left` are null then. */
  endedAt: Instant | null;
  closed: TurnName | null;
}>;

type DeletedPod = Readonly<{ pod: string; at: Instant }>;

/** A service may have thousands of broken pods. */
const mostKept = 200;

type WeederTurn = FollowedTurn<WeederLanguage>;

/** Follows the recoveries of one service: the one that goes on after a turn, or that ended with it. It remembers since when the service is down. */
export function recoveriesOf() {
  let down: TurnName | null = null;

  return (open: readonly ServiceRecovery[], turn: WeederTurn, run: string): readonly ServiceRecovery[] => {
    const { at, event, from, to, notes, commands } = turn;
    const [before] = open;
    let recovery = before;
    let begins: ServiceRecovery | undefined;
    const change = (changes: Partial<ServiceRecovery>): void => {
      if (recovery !== undefined) recovery = { ...recovery, ...changes };
    };

    const relapses = to === 'relapsed' && from === 'recovering';
    if ((to === 'down' && from === 'settled') || relapses) down = nameOf(turn, run);
    if (relapses && recovery !== undefined) {
      const { deletedCount, failedDeletions } = recovery;
      change({ relapses: recovery.relapses + 1, downAgain: down });
      // Nothing was done for it yet: what follows is the recovery.
      if (deletedCount + failedDeletions === 0)
        change({ down: recovery.down ?? down, back: null, early: recovery.early + 1 });
    }
    if (recovery?.decided === null && commands.some(({ type }) => type === 'deletePod'))
      change({ decided: nameOf(turn, run) });
    if (event.type === 'deletion.answered' && recovery !== undefined) {
      const { deleted, deletedCount, failedDeletions, first } = recovery;
      const pod = { pod: event.asked.pod.name, at };
      if (event.answer.outcome === 'failed') change({ failedDeletions: failedDeletions + 1 });
      if (event.answer.outcome === 'deleted')
        change({
          deleted: deletedCount < mostKept ? [...deleted, pod] : deleted,
          deletedCount: deletedCount + 1,
          first: first ?? nameOf(turn, run),
          last: nameOf(turn, run),
        });
    }
    for (const note of notes) {
      // One that closes while the service is down ends nothing: the recovery that follows is of the same failure.
      if (note.kind === 'windowClosed' && (recovery?.downAgain === null || event.type !== 'woken'))
        change({ endedAt: at, closed: nameOf(turn, run), left: note.left });
      if (note.kind !== 'windowOpened') continue;
      if (recovery !== undefined && (note.extended || recovery.downAgain !== null))
        change({ windowEndsAt: note.endsAt, back: recovery.back ?? nameOf(turn, run), downAgain: null });
      else {
        // A process that takes over opens a window of its own, and nobody tells of the end of the one before.
        if (recovery?.endedAt === null) change({ endedAt: at });
        const began = nameOf(turn, run);
        begins = { ...fresh, began, down, back: began, windowEndsAt: note.endsAt };
      }
      down = null;
    }
    if (event.type === 'service.gone' && recovery?.endedAt === null) change({ endedAt: at });
    if (recovery === before && begins === undefined) return open;
    return [recovery, begins].filter((one) => one !== undefined);
  };
}

/** Every service opens a window when the weeder starts. One in which nothing happened tells nothing. */
export function tellsSomething({ down, deletedCount, failedDeletions, left }: ServiceRecovery): boolean {
  return down !== null || deletedCount > 0 || failedDeletions > 0 || (left ?? 0) > 0;
}

/** A recovery that has just begun. */
const fresh = {
  relapses: 0,
  early: 0,
  downAgain: null,
  deleted: [],
  deletedCount: 0,
  decided: null,
  first: null,
  last: null,
  failedDeletions: 0,
  left: null,
  endedAt: null,
  closed: null,
};

/** A service with hundreds of broken pods must not fill the screen. */
const mostNamed = 10;

/** A recovery as an episode: how long the service was down, and which pods were deleted for it. */
export function recoveryEpisode(recovery: ServiceRecovery): EpisodeWords {
  const { began, down, back, deletedCount, decided, first, last, closed, endedAt, left, downAgain } = recovery;
  return {
    weight: (left ?? 0) > 0 || downAgain !== null ? 'grave' : 'notable',
    sentence: [...deletionWords(recovery), ...windowWords(recovery)].join('; '),
    brief: windowWords(recovery).join('; '),
    lines: [...(deletedCount === 0 ? [] : [deletedWords(recovery)]), ...failedLines(recovery)],
    stages: stagesOf([
      { name: 'down', at: down?.at ?? null, turn: down },
      { name: 'back', at: back?.at ?? null, turn: back },
      { name: 'first pod deleted', at: first?.at ?? null, turn: first },
      { name: 'last pod deleted', at: deletedCount > 1 ? (last?.at ?? null) : null, turn: last },
      { name: 'down again', at: back === null ? null : (downAgain?.at ?? null), turn: downAgain },
      { name: 'window closed', at: closed === null ? null : endedAt, turn: closed },
    ]),
    turn: decided ?? downAgain ?? back ?? began,
    data: recoveryData(recovery),
  };
}

/** `2 pods were deleted, because they crash-looped after it was down for 12m00s and back at 13:12:00.0: the first 0.05 s later`. */
function deletionWords(recovery: ServiceRecovery): readonly string[] {
  const { down, back: found, deleted, deletedCount, last, failedDeletions, left, early } = recovery;
  if (found === null) return [];
  const { at: backAt } = found;
  const back = backWords(backAt, down === null ? null : lengthWords(backAt - down.at), early);
  const [first] = deleted;
  if (first === undefined)
    return [`no pod ${failedDeletions > 0 || (left ?? 0) > 0 ? 'was' : 'had to be'} deleted after ${back}`];
  const one = deletedCount === 1;
  const times = [
    `${one ? '' : 'the first '}${lengthWords(first.at - backAt)} later`,
    ...(one || last === null ? [] : [`the last ${lengthWords(last.at - backAt)} later`]),
  ].join(', ');
  const who = `${counted(deletedCount, 'pod')} ${one ? 'was' : 'were'} deleted, because ${one ? 'it' : 'they'} crash-looped`;
  return [`${who} after ${back}: ${times}`];
}

/** `it was down for 60 s and back at 13:12:00.0`. One that was up in between was not down for all of it. */
function backWords(backAt: Instant, after: string | null, early: number): string {
  const back = `back at ${clockWords(backAt)}`;
  if (after === null) return `it was ${back}`;
  if (early === 0) return `it was down for ${after} and ${back}`;
  return `it went down again while its window was open, and was ${back}, ${after} after it first went down`;
}

function windowWords(recovery: ServiceRecovery): readonly string[] {
  const { closed, endedAt, left, deletedCount, downAgain } = recovery;
  // What befell it before anything was done is told before.
  const relapses = recovery.relapses - (recovery.back === null ? 0 : recovery.early);
  const often = relapses < 2 ? '' : `, ${relapses} times`;
  const since = downAgain === null ? '' : `, ${often === '' ? '' : 'the last time '}at ${clockWords(downAgain.at)},`;
  const again = relapses === 0 ? [] : [`it went down again${often}${since} while its window was open`];
  if (downAgain !== null) return [...again, endedAt === null ? 'it is down yet' : 'the service is gone'];
  if (closed === null) return [...again, endedAt === null ? 'its window is open' : 'its window was not seen to close'];
  if (left === null || left === 0)
    return [...again, deletedCount === 0 ? 'its window is over' : 'none was left when its window closed'];
  return [...again, `${counted(left, 'pod')} ${left === 1 ? 'was' : 'were'} left crash-looping when its window closed`];
}

function deletedWords({ deleted, deletedCount, began, back }: ServiceRecovery): string {
  const named = deleted.slice(0, mostNamed).map(({ pod, at }) => `${pod} after ${seconds(at - (back ?? began).at)}`);
  const more = deletedCount > named.length ? ' …' : '';
  return `${counted(deletedCount, 'pod')} deleted${named.length === 0 ? '' : `: ${named.join(', ')}${more}`}`;
}

function failedLines({ failedDeletions }: ServiceRecovery): readonly string[] {
  if (failedDeletions === 0) return [];
  return [`${counted(failedDeletions, 'deletion')} failed, and ${failedDeletions === 1 ? 'was' : 'were'} tried again`];
}

/** The same for programs: instants as in the lines, lengths in milliseconds. */
function recoveryData({ began, down, back, deleted, left, closed, windowEndsAt, ...counts }: ServiceRecovery) {
  const { relapses, downAgain, deletedCount, failedDeletions, endedAt } = counts;
  return {
    service: began.subject,
    downAt: textOf(down?.at ?? null),
    backAt: textOf(back?.at ?? null),
    downForMs: down === null || back === null ? undefined : back.at - down.at,
    relapses,
    downAgainAt: textOf(downAgain?.at ?? null),
    deleted: deleted.map(({ pod, at }) => ({ pod, at: textOf(at), afterMs: at - (back ?? began).at })),
    deletedCount,
    failedDeletions,
    left: left ?? undefined,
    windowEndsAt: textOf(windowEndsAt),
    closedAt: closed === null ? undefined : textOf(endedAt),
  };
}
