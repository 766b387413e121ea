import { nearest } from '../domain/nearest.ts';
import type { CommandIo } from './command.ts';
import { commandWords } from './usage.ts';

/** Names the nearest command (SPEC 1.1); answers with exit code 2. */
export function unknownCommand(word: string, io: CommandIo): number {
  const closest = nearest(word, [...Object.keys(commandWords), 'help']);
  io.err(
    word.startsWith('-')
      ? `dependency-watchdog: the command must stand before ${word}, as in: dependency-watchdog prober ${word}`
      : `dependency-watchdog: unknown command ${JSON.stringify(word)}; the nearest is ${closest}`,
  );
  io.err('"dependency-watchdog help" lists all commands.');
  return 2;
}
