import type { ShootState } from '../../machines/shoot-language.ts';
import type { WeederState } from '../../machines/weeder-language.ts';
import type { SpanFace } from './lanes.ts';

type Faces<State extends string> = Readonly<Record<State, Omit<SpanFace, 'label'>>>;

export const shootStateFaces: Faces<ShootState> = {
  idle: { tone: 'quiet', words: 'paused, or not seen yet' },
  probing: { tone: 'calm', words: 'connected, as far as it was asked' },
  leaseFailed: { tone: 'cutOff', words: 'cut off, and not often enough yet' },
  scalingDown: { tone: 'cutOff', words: 'cut off and going down' },
  scaledDown: { tone: 'down', words: 'cut off and down' },
  scalingUp: { tone: 'down', words: 'connected again and coming up' },
};

export const weederStateFaces: Faces<WeederState> = {
  down: { tone: 'down', words: 'not available, and nobody looks after its dependants' },
  recovering: { tone: 'busy', words: 'available again; its window is open' },
  relapsed: { tone: 'down', words: 'down again within its window' },
  settled: { tone: 'calm', words: 'available; its window is over' },
};

/** The label is the state's name, spelled apart: `scaling down`. */
export function stateFace<State extends string>(faces: Faces<State>, state: State): SpanFace {
  return { label: state.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), ...faces[state] };
}
