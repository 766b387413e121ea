import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { nameOf, type TurnName } from 'dependency-watchdog/adapters/record/facts/turn-name.ts';
import type { FollowedTurn } from 'dependency-watchdog/adapters/record/episodes/follow.ts';

/** One recovery of one service, as its turns tell it: it was down, came back, and its dependants were looked after. */
export type ServiceRecovery = Readonly<{
  service: string;
  /** The turn that found it back. */
  began: TurnName;
  /** When it went down; null where the journal begins later. `down`: the turn that found it so. */
  downAt: Instant | null;
  down: TurnName | null;
  backAt: Instant;
  /** How often it went down again before the window was over. */
  relapses: number;
  /** The first pods that were deleted, and how many there were. */
  deleted: readonly DeletedPod[];
  deletedCount: number;
  /** The turns that tell of the first one, and of the last one. */
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
    const { at, event, from, to, notes } = turn;
    const [before] = open;
    let recovery = before;
    let begins: ServiceRecovery | undefined;
    const change = (changes: Partial<ServiceRecovery>): void => {
      if (recovery !== undefined) recovery = { ...recovery, ...changes };
    };

    if (to === 'relapsed' && from === 'recovering') change({ relapses: (recovery?.relapses ?? 0) + 1 });
    if ((to === 'down' && from === 'settled') || (to === 'relapsed' && from === 'recovering')) down = nameOf(turn, run);
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
      if (note.kind === 'windowClosed') change({ endedAt: at, closed: nameOf(turn, run), left: note.left });
      if (note.kind !== 'windowOpened') continue;
      if (note.extended) change({ windowEndsAt: note.endsAt });
      else {
        // A process that takes over opens a window of its own, and nobody tells of the end of the one before.
        if (recovery?.endedAt === null) change({ endedAt: at });
        begins = begun(nameOf(turn, run), down, note.endsAt);
      }
      down = null;
    }
    if (recovery === before && begins === undefined) return open;
    return [recovery, begins].filter((one) => one !== undefined);
  };
}

/** Every service opens a window when the weeder starts. One in which nothing happened tells nothing. */
export function tellsSomething({ downAt, deletedCount, failedDeletions, left }: ServiceRecovery): boolean {
  return downAt !== null || deletedCount > 0 || failedDeletions > 0 || (left ?? 0) > 0;
}

function begun(began: TurnName, down: TurnName | null, windowEndsAt: Instant): ServiceRecovery {
  return {
    service: began.subject,
    began,
    downAt: down?.at ?? null,
    down,
    backAt: began.at,
    relapses: 0,
    deleted: [],
    deletedCount: 0,
    first: null,
    last: null,
    failedDeletions: 0,
    left: null,
    windowEndsAt,
    endedAt: null,
    closed: null,
  };
}
