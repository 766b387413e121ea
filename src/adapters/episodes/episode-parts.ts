import type { Instant } from '../../domain/time.ts';
import type { TurnName } from '../turns/turn-name.ts';
import { instantText } from '../words/plain-words.ts';
import type { Episode, Stage } from './episode.ts';

/** What an episode says, beside what, whose and when it is. */
export type EpisodeWords = Pick<Episode<string, string>, 'weight' | 'sentence' | 'lines' | 'stages' | 'data'> &
  Readonly<{ turn?: TurnName<string> }>;

/** The stages that came, each with the time since the one before it. */
export function stagesOf(
  stages: readonly Readonly<{ name: string; at: Instant | null; turn: TurnName<string> | null | undefined }>[],
): readonly Stage<string>[] {
  const came: Stage<string>[] = [];
  for (const { name, at, turn = null } of stages) {
    const before = came.at(-1);
    if (at !== null) came.push({ name, at, after: before === undefined ? null : at - before.at, turn });
  }
  return came;
}

/** The two of what only begins and ends. */
export function spanStages(
  {
    began,
    endedAt,
    ended,
  }: Readonly<{ began: TurnName<string>; endedAt: Instant | null; ended: TurnName<string> | null }>,
  names: Readonly<{ begins: string; ends: string }>,
): readonly Stage<string>[] {
  return stagesOf([
    { name: names.begins, at: began.at, turn: began },
    { name: names.ends, at: endedAt, turn: ended },
  ]);
}

/** For programs; what has no instant has no field. */
export function textOf(at: Instant | null): string | undefined {
  return at === null ? undefined : instantText(at);
}

/** `a, b and c`; `a, b and 3 more`. */
export function listWords(names: readonly string[], most: number): string {
  if (names.length > most) return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** One line of what an error or an answer says; it may have a stack below, or come from a stranger. */
export function firstLine(text: string, most = 200): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
