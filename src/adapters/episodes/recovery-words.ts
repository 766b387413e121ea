import { counted, instantText, seconds } from '../words/plain-words.ts';
import { textOf } from './outage-words.ts';
import type { ServiceRecovery } from './weeder-recoveries.ts';

/** A service with hundreds of broken pods must not fill the screen. */
const mostNamed = 10;

/** A recovery in a few lines, for people. */
export function recoveryLines(recovery: ServiceRecovery): readonly string[] {
  const { service, downAt, backAt, relapses, deleted, failedDeletions, left, closedAt, windowEndsAt } = recovery;
  const named = deleted.slice(0, mostNamed).map(({ pod, at }) => `${pod} after ${seconds(at - backAt)}`);
  const more = deleted.length > named.length ? ' …' : '';
  const wasDown = downAt === null ? '' : `, after ${seconds(backAt - downAt)}`;
  return [
    `${service}, back at ${instantText(backAt)}${wasDown}`,
    `  ${counted(deleted.length, 'pod')} deleted${named.length === 0 ? '' : `: ${named.join(', ')}${more}`}`,
    ...(failedDeletions === 0
      ? []
      : [
          `  ${counted(failedDeletions, 'deletion')} failed, and ${failedDeletions === 1 ? 'was' : 'were'} tried again`,
        ]),
    ...(relapses === 0 ? [] : [`  it went down again ${counted(relapses, 'time')} within its window`]),
    closedAt === null
      ? `  its window, until ${instantText(windowEndsAt)}, is still open at the end of the journal`
      : `  window closed at ${instantText(closedAt)}; ${left === 0 || left === null ? 'no pod' : counted(left, 'pod')} left in CrashLoopBackOff`,
  ];
}

/** The same for programs: instants as in the lines, lengths in milliseconds. */
export function recoveryData(recovery: ServiceRecovery): Readonly<Record<string, unknown>> {
  const { service, downAt, backAt, relapses, deleted, failedDeletions, left, closedAt, windowEndsAt } = recovery;
  return {
    service,
    downAt: textOf(downAt),
    backAt: textOf(backAt),
    downForMs: downAt === null ? undefined : backAt - downAt,
    relapses,
    deleted: deleted.map(({ pod, at }) => ({ pod, at: textOf(at), afterMs: at - backAt })),
    failedDeletions,
    left: left ?? undefined,
    windowEndsAt: textOf(windowEndsAt),
    closedAt: textOf(closedAt),
  };
}
