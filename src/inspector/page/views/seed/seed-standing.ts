import type { Shape, Tone } from '../../format/state-look.ts';
import type { ServiceRow, ShootRow } from '../../../model/rows.ts';

/** How a shoot or a service stands, by its consequence: what the seed is sorted, counted and filtered by. */
export type SeedStanding = keyof typeof seedStandings;

type Look = Readonly<{ words: string; shape: Shape; tone: Tone }>;

/** The most grave first. Each completes "the shoot (the service) is …". */
export const seedStandings = {
  cutOff: { words: 'cut off', shape: 'warning', tone: 'cutOff' },
  goingDown: { words: 'going down', shape: 'fall', tone: 'cutOff' },
  down: { words: 'down', shape: 'floor', tone: 'down' },
  partlyDown: { words: 'down in part', shape: 'floor', tone: 'down' },
  healing: { words: 'healing', shape: 'rise', tone: 'down' },
  serviceDown: { words: 'unavailable', shape: 'floor', tone: 'down' },
  relapsed: { words: 'unavailable again', shape: 'fall', tone: 'down' },
  recovering: { words: 'recovering', shape: 'rise', tone: 'accent' },
  refused: { words: 'refused', shape: 'cross', tone: 'refused' },
  downByOthers: { words: 'down by others', shape: 'floor', tone: 'down' },
  notAnswering: { words: 'not answering', shape: 'diamond', tone: 'down' },
  tooFew: { words: 'too small to judge', shape: 'dot', tone: 'calm' },
  waiting: { words: 'not judged yet', shape: 'dot', tone: 'calm' },
  paused: { words: 'paused', shape: 'pause', tone: 'calm' },
  connected: { words: 'connected', shape: 'ring', tone: 'calm' },
  available: { words: 'available', shape: 'ring', tone: 'calm' },
} as const satisfies Readonly<Record<string, Look>>;

const order = Object.keys(seedStandings);

/** 0 for the most grave. */
export function rankOf(standing: SeedStanding): number {
  return order.indexOf(standing);
}

export function shootStanding(row: ShootRow): SeedStanding {
  switch (row.state) {
    case 'leaseFailed':
      return 'cutOff';
    case 'scalingDown':
      return 'goingDown';
    case 'scaledDown':
      return 'down';
    case 'scalingUp':
      return 'healing';
    case 'idle':
    case 'probing':
      return calmStanding(row);
  }
}

/** Of a shoot whose machine neither takes down nor brings back anything. */
function calmStanding({ down, refused, state, failuresInRow, verdict }: ShootRow): SeedStanding {
  if (down.some(({ byUs }) => byUs)) return 'partlyDown';
  if (refused.length > 0) return 'refused';
  // A shoot that is paused, as when it hibernates, is taken down by its gardenlet: that is no news.
  if (state === 'idle') return 'paused';
  if (down.length > 0) return 'downByOthers';
  if (failuresInRow > 0) return 'notAnswering';
  if (verdict === null) return 'waiting';
  return verdict === 'tooFew' ? 'tooFew' : verdict;
}

export function serviceStanding({ state }: ServiceRow): SeedStanding {
  switch (state) {
    case 'down':
      return 'serviceDown';
    case 'relapsed':
      return 'relapsed';
    case 'recovering':
      return 'recovering';
    case 'settled':
      return 'available';
  }
}
