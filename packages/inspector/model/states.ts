import type { Languages } from 'dependency-watchdog/machines/kinds.ts';

/**
 * What something looks like. Colour is for consequences alone: `cutOff`, `down` and `refused`. `busy` is under way, `failed` told nothing,
 * `unknown` was not seen.
 */
export type Tone = 'calm' | 'quiet' | 'busy' | 'failed' | 'unknown' | 'cutOff' | 'down' | 'refused';

/** A shape of 12 by 12 that tells its meaning without colour. */
export type Shape = 'ring' | 'pause' | 'warning' | 'fall' | 'floor' | 'rise' | 'diamond' | 'dot' | 'cross' | 'check';

/** `word`: the state's name, spelled apart: `scaling down`. `meaning` completes "the shoot (the service) is …". */
export type StateLook = Readonly<{ word: string; meaning: string; tone: Tone; shape: Shape }>;

type Row = readonly [tone: Tone, shape: Shape, meaning: string];

const rows: { readonly [Kind in keyof Languages]: Readonly<Record<Languages[Kind]['State'], Row>> } = {
  shoot: {
    idle: ['quiet', 'pause', 'paused, or not seen yet'],
    probing: ['calm', 'ring', 'connected, as far as it was asked'],
    leaseFailed: ['cutOff', 'warning', 'cut off, and not often enough yet'],
    scalingDown: ['cutOff', 'fall', 'cut off, and being scaled down'],
    scaledDown: ['down', 'floor', 'cut off and scaled down'],
    scalingUp: ['down', 'rise', 'connected again, and being scaled up'],
  },
  weeder: {
    down: ['down', 'floor', 'not available, and nobody looks after its dependants'],
    recovering: ['busy', 'rise', 'available again; its window is open'],
    relapsed: ['down', 'fall', 'down again within its window'],
    settled: ['calm', 'ring', 'available; its window is over'],
  },
};

/** Each state's word, shape and tone: the same on every view. A state that no machine has is shown as it is written. */
export function stateLook(kind: keyof Languages, state: string): StateLook {
  const known: Readonly<Record<string, Row>> = rows[kind];
  const row = Object.hasOwn(known, state) ? known[state] : undefined;
  if (row === undefined) return { word: state, meaning: '', tone: 'calm', shape: 'ring' };
  const [tone, shape, meaning] = row;
  const word = state.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { word, meaning, tone, shape };
}
