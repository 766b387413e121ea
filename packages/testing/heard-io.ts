import { NEVER } from 'rxjs';
import { terminalLine } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { CommandIo } from 'dependency-watchdog/commands/command.ts';
import type { StorySurroundings } from '@dwd/simulator/commands/simulate/story/story-run.ts';
import { hastyStory } from './hasty-clock.ts';
import { createLog, type LogLevel } from 'dependency-watchdog/adapters/record/log/log.ts';
import { turnLog } from 'dependency-watchdog/adapters/record/log/turn-log.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';

/** What a command prints, line by line, as the process would write it. `heard` gets each line of its output as it comes. */
export function heardIo(heard: (line: string) => void = () => undefined) {
  const [out, err]: [string[], string[]] = [[], []];
  const io: CommandIo = {
    out(line, controls) {
      const told = controls === 'ours' ? line : terminalLine(line);
      out.push(told);
      heard(told);
    },
    err: (line) => void err.push(terminalLine(line)),
    env: {},
  };
  return { io, out, err };
}

/** Plays a story of `simulate` on a clock that leaps over the time in which nothing happens. */
export async function playedStory(
  run: (scene: StorySurroundings) => Promise<number>,
  { heard, ...scene }: Partial<StorySurroundings> & Readonly<{ heard?: (line: string) => void }> = {},
) {
  const { io, out, err } = heardIo(heard);
  const code = await hastyStory(io, (hasty) => run({ interrupted$: NEVER, ...hasty, ...scene }));
  return { code, out, err: err.join('\n') };
}

type HeardLine = Readonly<Record<string, unknown>> & Readonly<{ level: string; msg: string }>;

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
