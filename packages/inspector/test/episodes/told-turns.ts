import { expect } from 'vitest';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { followEpisodes } from '../../episodes/all-episodes.ts';
import type { EpisodeLimits } from '../../episodes/episode-ledger.ts';
import type { JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';

const run = 'a-run';

/** The episodes that these turns tell, oldest first. A journal, which has no snapshots, tells the same of them. */
export function episodesOf(turns: readonly Turn[], limits: Partial<EpisodeLimits> = {}): readonly Episode[] {
  const [live, kept] = [followEpisodes(limits), followEpisodes(limits)];
  for (const turn of turns) {
    live.take(turn, run);
    kept.take(asJournaled(turn), run);
  }
  const told = live.episodes().toReversed();
  expect(kept.episodes().toReversed()).toEqual(told);
  // Plain JSON, as it goes over the wire.
  expect(JSON.parse(JSON.stringify(told))).toEqual(told.map((one) => JSON.parse(JSON.stringify(one))));
  return told;
}

function asJournaled(turn: Turn): JournalTurns['shoot' | 'weeder'] {
  const { before: _, after: __, ...kept } = turn;
  return JSON.parse(JSON.stringify(kept)) as JournalTurns['shoot' | 'weeder'];
}

/** Every episode in a line: what, how bad, its sentence. */
export function linesOf(episodes: readonly Episode[]): readonly string[] {
  return episodes.map(
    ({ kind, weight, sentence, endedAt }) => `${kind} ${weight}${endedAt === null ? ' goes on' : ''}: ${sentence}`,
  );
}
