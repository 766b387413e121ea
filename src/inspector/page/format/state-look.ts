import type { ShootState } from '../../../machines/shoot-language.ts';
import type { WeederState } from '../../../machines/weeder-language.ts';

/** How grave something is, and so its colour. `calm` has none. */
export type Tone = 'calm' | 'accent' | 'cutOff' | 'down' | 'refused';

/** A shape of 12 by 12 that tells its meaning without colour. */
export type Shape = 'ring' | 'pause' | 'warning' | 'fall' | 'floor' | 'rise' | 'diamond' | 'dot' | 'cross' | 'check';

export type StateLook = Readonly<{ word: string; shape: Shape; tone: Tone }>;

type StateLooks = Readonly<{ shoot: Record<ShootState, StateLook>; weeder: Record<WeederState, StateLook> }>;

/** Each state's word, shape and tone: the same on every view. The words are the chart's own names, spelled apart. */
const stateLooks: StateLooks = {
  shoot: {
    idle: { word: 'idle', shape: 'pause', tone: 'calm' },
    probing: { word: 'probing', shape: 'ring', tone: 'calm' },
    leaseFailed: { word: 'lease failed', shape: 'warning', tone: 'cutOff' },
    scalingDown: { word: 'scaling down', shape: 'fall', tone: 'cutOff' },
    scaledDown: { word: 'scaled down', shape: 'floor', tone: 'down' },
    scalingUp: { word: 'scaling up', shape: 'rise', tone: 'down' },
  },
  weeder: {
    down: { word: 'down', shape: 'floor', tone: 'down' },
    recovering: { word: 'recovering', shape: 'rise', tone: 'accent' },
    relapsed: { word: 'relapsed', shape: 'fall', tone: 'down' },
    settled: { word: 'settled', shape: 'ring', tone: 'calm' },
  },
};

/** The look of a state by its name; one that no machine has is shown as it is written. */
export function stateLook(kind: keyof StateLooks, state: string): StateLook {
  const looks: Readonly<Record<string, StateLook>> = stateLooks[kind];
  return (Object.hasOwn(looks, state) ? looks[state] : undefined) ?? { word: state, shape: 'ring', tone: 'calm' };
}
