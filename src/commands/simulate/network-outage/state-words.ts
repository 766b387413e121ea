import type { ShootState } from '../../../machines/shoot-language.ts';
import type { Tone } from '../../terminal/painted-line.ts';
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
