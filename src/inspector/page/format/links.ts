import type { TurnName } from '../../../adapters/turns/turn-name.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Kind } from '../../wire/wire.ts';
import { isoText } from './instant-text.ts';

/** The address of a shoot's or a service's page: `#/shoots/shoot--dev--one`. */
export function machineLink(kind: Kind, subject: string): string {
  const path = subject
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return `#/${kind === 'shoot' ? 'shoots' : 'services'}/${path}`;
}

/** The address of one turn: `#/shoots/shoot--dev--one?turn=RUN.33&at=2026-11-23T12:00:44.100Z`. */
export function turnLink({ kind, subject, run, seq, at }: TurnName): string {
  return `${machineLink(kind, subject)}?turn=${encodeURIComponent(`${run}.${seq}`)}&at=${isoText(at)}`;
}

/** Which turn an address names. `at` helps to find it where there are more turns than are read at once. */
export type LinkedTurn = Readonly<{ run: string; seq: number; at: Instant | null }>;

/** Reads `RUN.SEQ`; a run's own name has points, too. Undefined where it is none. */
export function readLinkedTurn(turn: string, at: string): LinkedTurn | undefined {
  const [, run, seq] = /^(.+)\.(\d+)$/.exec(turn) ?? [];
  if (run === undefined || seq === undefined) return undefined;
  const instant = Date.parse(at);
  return { run, seq: Number(seq), at: Number.isNaN(instant) ? null : instant };
}
