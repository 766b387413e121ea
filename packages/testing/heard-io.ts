import { NEVER } from 'rxjs';
import { terminalLine } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { CommandIo } from 'dependency-watchdog/commands/command.ts';
import type { Scene } from '@dwd/simulator/commands/simulate/story/story-run.ts';
import { hastyStory } from './hasty-clock.ts';

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
  run: (scene: Scene) => Promise<number>,
  { heard, ...scene }: Partial<Scene> & Readonly<{ heard?: (line: string) => void }> = {},
) {
  const { io, out, err } = heardIo(heard);
  const code = await hastyStory(io, (hasty) => run({ interrupted$: NEVER, ...hasty, ...scene }));
  return { code, out, err: err.join('\n') };
}
