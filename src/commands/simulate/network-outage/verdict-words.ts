import type { LeaseVerdictNote, PathVerdictNote } from '../../../machines/shoot-language.ts';
import { piece, type Piece } from '../../terminal/painted-line.ts';

/** As much of a verdict as is shown: of leases, or in the older generation of the external path (SPEC 4.9). */
export type ShownVerdict =
  | (Pick<LeaseVerdictNote, 'expired' | 'candidates'> & Readonly<{ external?: never }>)
  | Pick<PathVerdictNote, 'verdict' | 'external' | 'reason'>;

/** `3/5 expired`, `external path failed 2/3, timeout`, `external path answers`. */
export function verdictShare(verdict: ShownVerdict): string {
  const { external } = verdict;
  if (external === undefined) return `${verdict.expired}/${verdict.candidates} expired`;
  if (verdict.verdict === 'connected') return 'external path answers';
  const why = verdict.reason === undefined ? '' : `, ${verdict.reason}`;
  return `external path failed ${external.count}/${external.of}${why}`;
}

/** The same in a column of the table: `3/5`, `2/3`, `answers`. */
export function verdictCell(verdict: ShownVerdict | null): Piece {
  if (verdict === null) return piece('-');
  const { external } = verdict;
  if (external === undefined)
    return piece(`${verdict.expired}/${verdict.candidates}`, verdict.expired > 0 ? 'warning' : 'plain');
  if (verdict.verdict === 'connected') return piece('answers');
  return piece(`${external.count}/${external.of}`, 'warning');
}
