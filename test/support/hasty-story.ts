import type { CommandIo } from '../../src/commands/command.ts';
import type { Clock } from '../../src/effects/ports.ts';
import { HastyClock } from './hasty-clock.ts';

type HastyScene = Readonly<{ io: CommandIo; clockAt: (speed: number) => Clock }>;

/**
 * Runs a story of `simulate` on a clock that leaps over the time in which nothing happens, whatever speed the story asks for: no
 * delay of this machine is blown up by it. Resolves to the exit code.
 */
export async function hastyStory(io: CommandIo, run: (scene: HastyScene) => Promise<number>): Promise<number> {
  const clock = new HastyClock(Date.now());
  const begun = Promise.withResolvers<void>();
  let isOver = false;
  const out = (line: string): void => {
    begun.resolve();
    io.out(line);
  };
  const code = run({ io: { ...io, out }, clockAt: () => clock }).finally(() => {
    isOver = true;
    begun.resolve();
  });
  // Before its first line nobody sleeps, and it would leap for nothing.
  await begun.promise;
  await clock.passUntil(() => isOver, Infinity);
  clock.stop();
  return await code;
}
