import { createLog, type LogLevel } from 'dependency-watchdog/adapters/record/log/log.ts';
import { turnLog } from 'dependency-watchdog/adapters/record/log/turn-log.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';

export type HeardLine = Readonly<Record<string, unknown>> & Readonly<{ level: string; msg: string }>;

/** A log, and the lines that it has so far; `said` gives the sentences of those since its last call. */
export function heardLog(level: LogLevel = 'info', clock = { now: () => 0 }) {
  const lines: HeardLine[] = [];
  const log = createLog({ level, clock, write: (line) => void lines.push(JSON.parse(line) as HeardLine) });
  return { log, lines, said: () => lines.splice(0).map(({ msg }) => msg) };
}

/** The lines that the log has of these turns. */
export function linesOf(turns: readonly Turn[], level: LogLevel = 'info', clock = { now: () => 0 }) {
  const { log, lines } = heardLog(level, clock);
  const observe = turnLog(log);
  for (const turn of turns) observe(turn);
  return lines;
}

/** Those of one kind. */
export const named = (lines: readonly HeardLine[], kind: string) => lines.filter(({ line }) => line === kind);
