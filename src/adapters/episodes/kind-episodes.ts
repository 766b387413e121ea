import type { LanguageMap, Languages, ShootLanguage, WeederLanguage } from '../../machines/kinds.ts';
import type { Language } from '../../machines/pure-machine.ts';
import { follow, followAll, type Course } from './course.ts';
import type { EpisodeKind } from './episode.ts';
import { failingDeletionsEpisode, nextFailingDeletions } from './failing-deletions.ts';
import { failingCourse } from './failing-probes.ts';
import { bugEpisode, nextBugs } from './machine-bugs.ts';
import { nextOddSpells, oddSpellEpisode } from './odd-lease-spells.ts';
import { outageCourse } from './outage-course.ts';
import { recoveryEpisode, recoveryLines } from './recovery-words.ts';
import { refusalEpisode } from './refusal-words.ts';
import { nextPause, pauseEpisode } from './shoot-pauses.ts';
import { nextRefusals } from './shoot-refusals.ts';
import { recoveriesOf, tellsSomething } from './weeder-recoveries.ts';

type EpisodesOf<Spoken extends Language, Kind extends string> = Readonly<{
  /** Which of its episodes a replay sums up at its end, and what several of them are called. */
  summed: Kind;
  plural: string;
  /** Begins to follow one machine. */
  begin(): Course<Spoken, Kind>;
}>;

/** What may happen to the machines of each kind. */
export type KindEpisodes<Spoken extends LanguageMap<Spoken>, Kind extends string = EpisodeKind> = {
  readonly [Machine in keyof Spoken]: EpisodesOf<Spoken[Machine], Kind>;
};

export const kindEpisodes: KindEpisodes<Languages> = {
  shoot: {
    summed: 'outage',
    plural: 'outages',
    begin: () =>
      followAll<ShootLanguage, EpisodeKind>([
        outageCourse(),
        follow({ kind: 'pause', next: nextPause, words: pauseEpisode }),
        follow({
          kind: 'refusal',
          next: nextRefusals,
          words: refusalEpisode,
          key: ({ key, asked }) => `${asked === null ? 'read' : 'write'} ${key}`,
        }),
        failingCourse(),
        follow({ kind: 'oddLeases', next: nextOddSpells, words: oddSpellEpisode, key: ({ note }) => note.kind }),
        follow({ kind: 'bug', next: nextBugs, words: bugEpisode, key: ({ what }) => what.kind }),
      ]),
  },
  weeder: {
    summed: 'recovery',
    plural: 'recoveries',
    begin: () =>
      followAll<WeederLanguage, EpisodeKind>([
        follow({
          kind: 'recovery',
          next: recoveriesOf(),
          tells: tellsSomething,
          beganAt: ({ downAt, backAt }) => downAt ?? backAt,
          words: recoveryEpisode,
          summary: recoveryLines,
        }),
        follow({ kind: 'refusal', next: nextFailingDeletions, words: failingDeletionsEpisode }),
        follow({ kind: 'bug', next: nextBugs, words: bugEpisode }),
      ]),
  },
};
