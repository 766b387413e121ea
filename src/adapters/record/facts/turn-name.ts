import type { Instant } from '../../../domain/time.ts';
import type { Languages } from '../../../machines/kinds.ts';

/** Names one turn of one machine: `seq` counts within a run of the process. */
export type TurnName = Readonly<{
  kind: keyof Languages;
  subject: string;
  run: string;
  seq: number;
  at: Instant;
}>;

/** The name of a turn, to lead back to it. `run`: of the process that took it. */
export function nameOf({ kind, subject, seq, at }: Omit<TurnName, 'run'>, run: string): TurnName {
  return { kind, subject, run, seq, at };
}
