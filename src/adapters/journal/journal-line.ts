import type { Instant } from '../../domain/time.ts';
import type { PlainSnapshot, ShootTurn } from '../../effects/turn.ts';
import { hideSecrets } from '../words/hide-secrets.ts';

/** Grows when a journal can no longer be read by an older program. */
export const journalVersion = 1;

/** The first line of each chapter (a file, or a part of the journal in memory) (SPEC 9.6). */
export type JournalHeader = Readonly<{
  journal: number;
  program: string;
  version: string;
  /** Names one run of the process: `seq` counts within it. */
  run: string;
  openedAt: Instant;
  /** As the program works by it, defaults filled in; for the reader, each machine's own is in its first turn. */
  configuration: unknown;
}>;

/**
 * A turn as the journal keeps it: without the snapshots, but for `before` in a shoot's first line of each chapter and
 * after each gap, so that a replay can begin there.
 */
export type JournalTurn = Readonly<
  Omit<ShootTurn, 'from' | 'before' | 'after'> & { from?: NonNullable<ShootTurn['from']>; before?: PlainSnapshot }
>;

export function headerLine(header: JournalHeader): string {
  return `${hideSecrets(JSON.stringify(header))}\n`;
}

/** The two forms of a turn's line: `bare` for a chapter that knows the shoot already, `withBefore` for one that does not. */
export function turnLines(turn: ShootTurn): Readonly<{ bare: string; withBefore: () => string }> {
  const { seq, at, shoot, event, from, to, commands, notes, before } = turn;
  const text = JSON.stringify({ seq, at, shoot, event, from, to, commands, notes });
  return {
    bare: `${hideSecrets(text)}\n`,
    withBefore: () =>
      before === undefined
        ? `${hideSecrets(text)}\n`
        : `${hideSecrets(`${text.slice(0, -1)},"before":${JSON.stringify(before)}}`)}\n`,
  };
}
