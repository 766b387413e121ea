import type { Instant } from '../../domain/time.ts';
import type { Languages } from '../../machines/kinds.ts';

/** Names one turn of one machine: `seq` counts within a run of the process. */
export type TurnName<Machine extends string = keyof Languages> = Readonly<{
  kind: Machine;
  subject: string;
  run: string;
  seq: number;
  at: Instant;
}>;

/** The name of a turn, to lead back to it. `run`: of the process that took it. */
export function nameOf<Machine extends string>(
  { kind, subject, seq, at }: Omit<TurnName<Machine>, 'run'>,
  run: string,
): TurnName<Machine> {
  return { kind, subject, run, seq, at };
}
