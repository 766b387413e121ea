import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { Rule } from './explanation/rules.ts';

/**
 * What something looks like. Colour is for consequences alone: `cutOff`, `down` and `refused`. `busy` is under way, `failed` told nothing,
 * `unknown` was not seen.
 */
export type Tone = 'calm' | 'quiet' | 'busy' | 'failed' | 'unknown' | 'cutOff' | 'down' | 'refused';

/** A shape of 12 by 12 that tells its meaning without colour. */
export type Shape = 'ring' | 'pause' | 'warning' | 'fall' | 'floor' | 'rise' | 'diamond' | 'dot' | 'cross' | 'check';

/** `word`: the state's name, spelled apart: `scaling down`. `meaning` completes "the shoot (the service) is …". `rule`: which tells of it. */
export type StateLook = Readonly<{ word: string; meaning: string; tone: Tone; shape: Shape; rule?: Rule }>;

type Row = readonly [tone: Tone, shape: Shape, meaning: string, rule: Rule];

const rows: { readonly [Kind in keyof Languages]: Readonly<Record<Languages[Kind]['State'], Row>> } = {
  shoot: {
    idle: ['quiet', 'pause', 'paused, or not seen yet', '3.1'],
    probing: ['calm', 'ring', 'connected, as far as it was asked', '4.6'],
    leaseFailed: ['cutOff', 'warning', 'cut off, and not often enough yet', '5.3'],
    scalingDown: ['cutOff', 'fall', 'cut off, and being scaled down', '6.4'],
    scaledDown: ['down', 'floor', 'cut off and scaled down', '6.4'],
    scalingUp: ['down', 'rise', 'connected again, and being scaled up', '6.5'],
  },
  weeder: {
    down: ['down', 'floor', 'not available, and nobody looks after its dependants', '7.1'],
    recovering: ['busy', 'rise', 'available again; its window is open', '7.2'],
    relapsed: ['down', 'fall', 'down again within its window', '7.2'],
    settled: ['calm', 'ring', 'available; its window is over', '7.1'],
  },
};

/** Of the probe beside it: what it is at. */
const probeRows: Readonly<Record<string, readonly [meaning: string, rule: Rule]>> = {
  off: ['not probed', '3.1'],
  resting: ['not asked for anything until its next probe', '4.6'],
  asking: ['asked for its leases, and has not answered yet', '4.3'],
  looking: ['asked for its nodes and Machines, since some leases are expired', '5.4'],
  askingPaths: ['asked on both paths', '4.9'],
  readingCluster: ['judged once its Cluster is read', '3.5'],
};

/** What a state of either region means, and its rule; undefined where no machine has it. */
export function stateMeaning(
  kind: keyof Languages,
  state: string,
): Readonly<{ meaning: string; rule: Rule }> | undefined {
  const [meaning, rule] = (kind === 'shoot' && Object.hasOwn(probeRows, state) ? probeRows[state] : undefined) ?? [];
  if (meaning !== undefined && rule !== undefined) return { meaning, rule };
  const look = stateLook(kind, state);
  return look.rule === undefined ? undefined : { meaning: look.meaning, rule: look.rule };
}

/** Each state's word, shape and tone: the same on every view. A state that no machine has is shown as it is written. */
export function stateLook(kind: keyof Languages, state: string): StateLook {
  const known: Readonly<Record<string, Row>> = rows[kind];
  const row = Object.hasOwn(known, state) ? known[state] : undefined;
  if (row === undefined) return { word: state, meaning: '', tone: 'calm', shape: 'ring' };
  const [tone, shape, meaning, rule] = row;
  const word = state.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { word, meaning, tone, shape, rule };
}
