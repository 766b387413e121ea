import type { Observable } from 'rxjs';
import type { Clock } from '../../effects/ports.ts';
import type { CommandIo } from '../command.ts';
import type { Terminal } from './live-screen.ts';

/** Where a story is played: what is around the command, beside its flags. */
export type Scene = Readonly<{
  io: CommandIo;
  /** Absent where the output goes elsewhere. */
  terminal?: Terminal | undefined;
  /** The story's, at so many times the speed of the machine's; absent where it is to be that one. */
  clockAt?: ((speed: number) => Clock) | undefined;
  /** Somebody wants it to end. */
  interrupted$: Observable<unknown>;
}>;

/** A line for the operator, beside the story. */
export function sayTo({ io }: Scene): (line: string) => void {
  return (line) => io.err(`dependency-watchdog simulate: ${line}`);
}
