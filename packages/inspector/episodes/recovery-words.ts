import { clockWords, lengthWords, counted, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { stagesOf, textOf, type EpisodeWords } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { ServiceRecovery } from './weeder-recoveries.ts';

/** A service with hundreds of broken pods must not fill the screen. */
const mostNamed = 10;

/** A recovery as an episode: how long the service was down, and which pods were deleted for it. */
export function recoveryEpisode(recovery: ServiceRecovery): EpisodeWords {
  const { began, down, downAt, backAt, deletedCount, first, last, closed, endedAt, left } = recovery;
  return {
    weight: (left ?? 0) > 0 ? 'grave' : 'notable',
    sentence: [...deletionWords(recovery), ...windowWords(recovery)].join('; '),
    lines: [...(deletedCount === 0 ? [] : [deletedWords(recovery)]), ...failedLines(recovery)],
    stages: stagesOf([
      { name: 'down', at: downAt, turn: down },
      { name: 'back', at: backAt, turn: began },
      { name: 'first pod deleted', at: first?.at ?? null, turn: first },
      { name: 'last pod deleted', at: deletedCount > 1 ? (last?.at ?? null) : null, turn: last },
      { name: 'window closed', at: closed === null ? null : endedAt, turn: closed },
    ]),
    data: recoveryData(recovery),
  };
}

/** `2 pods were deleted, because they crash-looped after it was down for 12m00s and back at 13:12:00.0: the first 0.05 s later`. */
function deletionWords(recovery: ServiceRecovery): readonly string[] {
  const { downAt, backAt, deleted, deletedCount, last, failedDeletions, left } = recovery;
  const was = downAt === null ? '' : `it was down for ${lengthWords(backAt - downAt)} and `;
  const back = `${was}${downAt === null ? 'it was ' : ''}back at ${clockWords(backAt)}`;
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

function windowWords({ closed, endedAt, left, relapses, deletedCount }: ServiceRecovery): readonly string[] {
  const again = relapses === 0 ? [] : [`it went down again${relapses === 1 ? '' : ` ${relapses} times`}`];
  if (closed === null) return [...again, endedAt === null ? 'its window is open' : 'its window was not seen to close'];
  if (left === null || left === 0)
    return [...again, deletedCount === 0 ? 'its window is over' : 'none was left when its window closed'];
  return [...again, `${counted(left, 'pod')} ${left === 1 ? 'was' : 'were'} left crash-looping when its window closed`];
}

function deletedWords({ deleted, deletedCount, backAt }: ServiceRecovery): string {
  const named = deleted.slice(0, mostNamed).map(({ pod, at }) => `${pod} after ${seconds(at - backAt)}`);
  const more = deletedCount > named.length ? ' …' : '';
  return `${counted(deletedCount, 'pod')} deleted${named.length === 0 ? '' : `: ${named.join(', ')}${more}`}`;
}

function failedLines({ failedDeletions }: ServiceRecovery): readonly string[] {
  if (failedDeletions === 0) return [];
  return [`${counted(failedDeletions, 'deletion')} failed, and ${failedDeletions === 1 ? 'was' : 'were'} tried again`];
}

/** The same for programs: instants as in the lines, lengths in milliseconds. */
function recoveryData(recovery: ServiceRecovery): Readonly<Record<string, unknown>> {
  const { service, downAt, backAt, relapses, deleted, deletedCount, failedDeletions, left, closed, windowEndsAt } =
    recovery;
  return {
    service,
    downAt: textOf(downAt),
    backAt: textOf(backAt),
    downForMs: downAt === null ? undefined : backAt - downAt,
    relapses,
    deleted: deleted.map(({ pod, at }) => ({ pod, at: textOf(at), afterMs: at - backAt })),
    deletedCount,
    failedDeletions,
    left: left ?? undefined,
    windowEndsAt: textOf(windowEndsAt),
    closedAt: closed === null ? undefined : textOf(recovery.endedAt),
  };
}
