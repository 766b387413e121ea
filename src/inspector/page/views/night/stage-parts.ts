import type { Episode } from '../../../../adapters/episodes/episode.ts';
import type { Instant, Millis } from '../../../../domain/time.ts';

/** The time between two stages, as a part of the whole bar. `to`: null from the last stage until now. */
export type StagePart = Readonly<{
  from: string;
  to: string | null;
  length: Millis;
  /** Where it begins and how wide it is, 0 to 1 of the bar. */
  at: number;
  share: number;
  goesOn: boolean;
}>;

/** The way down takes a second of an outage of minutes, and is what matters most: no part is narrower than this share of the bar. */
export const leastShare = 0.03;

/** The parts of an episode's bar, proportionate as far as they can still be seen. `now`: for one that goes on. */
export function stageParts(
  { stages, endedAt }: Pick<Episode, 'stages' | 'endedAt'>,
  now: Instant,
): readonly StagePart[] {
  const parts = stages.slice(1).map((stage, index) => {
    const before = stages[index] ?? stage;
    return { from: before.name, to: stage.name, length: Math.max(0, stage.at - before.at), goesOn: false };
  });
  const last = stages.at(-1);
  return sharedOut(
    last === undefined || endedAt !== null
      ? parts
      : [...parts, { from: last.name, to: null, length: Math.max(0, now - last.at), goesOn: true }],
  );
}

function sharedOut(parts: readonly Omit<StagePart, 'share' | 'at'>[]): readonly StagePart[] {
  const whole = parts.reduce((sum, { length }) => sum + length, 0);
  const rest = 1 - leastShare * parts.length;
  let at = 0;
  return parts.map((part) => {
    const share = whole === 0 || rest <= 0 ? 1 / parts.length : leastShare + rest * (part.length / whole);
    at += share;
    return { ...part, share, at: at - share };
  });
}
