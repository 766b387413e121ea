import { NEVER } from 'rxjs';
import type { CommandIo } from '../../src/commands/command.ts';
import type { Scene } from '../../src/commands/simulate/story/story-run.ts';
import { hastyStory } from './hasty-clock.ts';

/** What a command prints, line by line. `heard` gets each line of its output as it comes. */
export function heardIo(heard: (line: string) => void = () => undefined) {
  const [out, err]: [string[], string[]] = [[], []];
  const io: CommandIo = {
    out(line) {
      out.push(line);
      heard(line);
    },
    err: (line) => void err.push(line),
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
