import type { Instant } from '../../domain/time.ts';
import type { Languages } from '../../machines/kinds.ts';

/** Names one turn of one machine: `seq` counts within a run of the process. */
export type TurnName = Readonly<{ kind: keyof Languages; subject: string; run: string; seq: number; at: Instant }>;
