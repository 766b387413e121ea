import type { JournalTurnOf } from '../journal/journal-line.ts';
import type { Instant } from '../../domain/time.ts';
import type { WeederLanguage } from '../../machines/kinds.ts';
import type { WeederState } from '../../machines/weeder-language.ts';

/** One recovery of one service, as its turns tell it: it was down, came back, and its dependants were looked after. */
export type ServiceRecovery = Readonly<{
  service: string;
  /** Null where the journal begins later. */
  downAt: Instant | null;
  backAt: Instant;
  /** How often it went down again before the window was over. */
  relapses: number;
  deleted: readonly Readonly<{ pod: string; at: Instant }>[];
  failedDeletions: number;
  /** Pods that still crash-looped when the window closed. */
  left: number | null;
  windowEndsAt: Instant;
  closedAt: Instant | null;
}>;

/** `downAt`: since when the service is down, as far as it was seen to go down. */
export type ServiceRecoveries = Readonly<{ downAt: Instant | null; recoveries: readonly ServiceRecovery[] }>;

export const noRecoveries: ServiceRecoveries = { downAt: null, recoveries: [] };

/** Of a journal, or as it is taken. */
type WeederTurn = Omit<JournalTurnOf<WeederLanguage>, 'from' | 'before'> & Readonly<{ from?: WeederState | undefined }>;

/** The recoveries of one service after one more turn of it; the last one may go on. */
export function nextRecoveries(before: ServiceRecoveries, turn: WeederTurn): ServiceRecoveries {
  const { subject, at, event, from, to, notes } = turn;
  let { downAt, recoveries } = before;
  const change = (changes: Partial<ServiceRecovery>): void => {
    const open = recoveries.at(-1);
    if (open?.closedAt === null) recoveries = [...recoveries.slice(0, -1), { ...open, ...changes }];
  };
  const open = recoveries.at(-1);

  if (to === 'relapsed' && from === 'recovering') change({ relapses: (open?.relapses ?? 0) + 1 });
  if ((to === 'down' && from === 'settled') || (to === 'relapsed' && from === 'recovering')) downAt = at;
  if (event.type === 'deletion.answered') {
    const pod = { pod: event.asked.pod.name, at };
    if (event.answer.outcome === 'deleted') change({ deleted: [...(open?.deleted ?? []), pod] });
    if (event.answer.outcome === 'failed') change({ failedDeletions: (open?.failedDeletions ?? 0) + 1 });
  }
  for (const note of notes) {
    if (note.kind === 'windowClosed') change({ closedAt: at, left: note.left });
    if (note.kind !== 'windowOpened') continue;
    if (note.extended) change({ windowEndsAt: note.endsAt });
    else recoveries = [...recoveries, begun(subject, downAt, at, note.endsAt)];
    downAt = null;
  }
  return downAt === before.downAt && recoveries === before.recoveries ? before : { downAt, recoveries };
}

/** Every service opens a window when the weeder starts. One in which nothing happened tells nothing. */
export function tellsSomething({ downAt, deleted, failedDeletions, left }: ServiceRecovery): boolean {
  return downAt !== null || deleted.length > 0 || failedDeletions > 0 || (left ?? 0) > 0;
}

function begun(service: string, downAt: Instant | null, backAt: Instant, windowEndsAt: Instant): ServiceRecovery {
  return {
    service,
    downAt,
    backAt,
    relapses: 0,
    deleted: [],
    failedDeletions: 0,
    left: null,
    windowEndsAt,
    closedAt: null,
  };
}
