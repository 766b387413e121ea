import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { clockWords, counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import {
  gravityRank,
  type Episode,
  type EpisodeDraft,
  type EpisodeWeight,
} from 'dependency-watchdog/adapters/record/episodes/episode.ts';

export type EpisodeLimits = Readonly<{
  /** So many are kept in all. Beyond that the oldest that ended goes; where none has, the oldest. */
  most: number;
  /** What begins again and again becomes one: from the third time on, each within so long after the one before it. 0: never. */
  foldWithin: Millis;
}>;

/** A thousand shoots may be cut off in one night, and each of them be refused something. One takes 3 to 5 KiB, so all of them 10 MiB at most. */
export const episodeLimits: EpisodeLimits = { most: 2_000, foldWithin: 10 * 60_000 };

type Entry = {
  readonly id: string;
  readonly beganAt: Instant;
  last: EpisodeDraft;
  times: number;
  /** Of the times before the last one. */
  weight: EpisodeWeight;
  revision: number;
  told: Episode | undefined;
};

/** The last two times of what happens to one machine again. */
type Chain = Readonly<{ entry: string; current: string; began: Instant; beganBefore: Instant }>;

/** What happened, as far as it is kept. */
export function episodeLedger({ most, foldWithin }: EpisodeLimits) {
  /** In the order in which they began. */
  const entries = new Map<string, Entry>();
  const chains = new Map<string, Chain>();
  let [revision, dropped] = [0, 0];

  /** Keeps one that began, or changed. */
  function put(draft: EpisodeDraft): void {
    revision += 1;
    const { chain: name, id, beganAt } = draft;
    const chain = chains.get(name);
    const entry = chain === undefined ? undefined : entries.get(chain.entry);
    if (chain !== undefined && entry !== undefined && chain.current === id) {
      Object.assign(entry, { last: draft, revision, told: undefined });
      return;
    }
    if (chain !== undefined && entry !== undefined && isAgain(chain, entry, beganAt)) {
      const weight = worse(entry.weight, entry.last.episode().weight);
      Object.assign(entry, { last: draft, times: entry.times + 1, weight, revision, told: undefined });
      chains.set(name, { entry: entry.id, current: id, began: beganAt, beganBefore: chain.began });
      return;
    }
    entries.set(id, { id, beganAt, last: draft, times: 1, weight: 'notable', revision, told: undefined });
    chains.set(name, { entry: id, current: id, began: beganAt, beganBefore: chain?.began ?? -Infinity });
    if (entries.size > most) dropOne();
  }

  /** The third time within so long, or one more of what became one already. */
  function isAgain({ began, beganBefore }: Chain, { times }: Entry, at: Instant): boolean {
    return at - began < foldWithin && (times > 1 || at - beganBefore < foldWithin);
  }

  function dropOne(): void {
    let gone = [...entries.values()].find(({ last }) => last.endedAt !== null);
    gone ??= entries.values().next().value;
    if (gone === undefined) return;
    entries.delete(gone.id);
    if (chains.get(gone.last.chain)?.entry === gone.id) chains.delete(gone.last.chain);
    dropped += 1;
  }

  function told(entry: Entry): Episode {
    return (entry.told ??= folded(entry));
  }

  /** Not yet in words, and oldest first. */
  function drafts(): readonly EpisodeDraft[] {
    return [...entries.values()]
      .map((entry) => ({ ...entry.last, id: entry.id, beganAt: entry.beganAt, episode: () => told(entry) }))
      .toSorted((one, other) => one.beganAt - other.beganAt);
  }

  return {
    put,
    drafts,
    /** Newest first, by when they began. */
    episodes: (): readonly Episode[] =>
      drafts()
        .toReversed()
        .map(({ episode }) => episode()),
    /** Those that began or changed after that revision, in no order, and the revision of now. The first revision is 0. */
    changedSince: (since: number) => ({
      revision,
      episodes: [...entries.values()].filter((entry) => entry.revision > since).map(told),
    }),
    /** How many went, since there were more than are kept. */
    dropped: () => dropped,
  };
}

/** What happened again and again, told by its last time. */
function folded({ id, beganAt, last, times, weight }: Entry): Episode {
  const episode = last.episode();
  if (times === 1) return episode;
  return {
    ...episode,
    id,
    beganAt,
    weight: worse(weight, episode.weight),
    sentence: `${counted(times, 'time')} since ${clockWords(beganAt)}, the last time: ${episode.sentence}`,
    data: { ...episode.data, times },
  };
}

function worse(one: EpisodeWeight, other: EpisodeWeight): EpisodeWeight {
  return gravityRank(one) <= gravityRank(other) ? one : other;
}
