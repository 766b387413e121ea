import type { ShootState, LeaseVerdictNote, PathVerdictNote } from '../../../machines/shoot-language.ts';
import { piece, type Tone, type Piece } from '../../terminal/painted-line.ts';
import type { ShootRow } from './network-model.ts';

/** What a state of the machine means, for people. None is longer than `coming back`. */
const words: Readonly<Record<ShootState, string>> = {
  idle: 'not probed',
  probing: 'connected',
  leaseFailed: 'cut off',
  scalingDown: 'going down',
  scaledDown: 'down',
  scalingUp: 'coming back',
};

const tones: Readonly<Record<ShootState, Tone>> = {
  idle: 'dim',
  probing: 'good',
  leaseFailed: 'warning',
  scalingDown: 'warning',
  scaledDown: 'bad',
  scalingUp: 'news',
};

export const stateWidth = 'coming back'.length;

type Shown = Pick<ShootRow, 'state' | 'verdict'> & Partial<Pick<ShootRow, 'leftAlone'>>;

/** What the prober thinks of a shoot. Before the first verdict it does not know, nor while its internal path fails. */
export function stateWord({ state, verdict, leftAlone = false }: Shown): string {
  if (state !== 'probing') return words[state];
  if (leftAlone) return 'not asked';
  return verdict === null ? 'probing' : words[state];
}

export function stateTone({ state, verdict, leftAlone = false }: Shown): Tone {
  if (state !== 'probing') return tones[state];
  if (leftAlone) return 'warning';
  return verdict === null ? 'dim' : tones[state];
}

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
