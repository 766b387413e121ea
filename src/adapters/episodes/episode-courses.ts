import type { LanguageMap, Languages, ShootLanguage, WeederLanguage } from '../../machines/kinds.ts';
import { byKind } from '../turns/by-kind.ts';
import { follow, followAll, type Course, type ToldTurns } from './course.ts';
import type { EpisodeKind } from './episode.ts';
import { episodeLedger, episodeLimits, type EpisodeLedger, type EpisodeLimits } from './episode-ledger.ts';
import type { Language } from '../../machines/pure-machine.ts';
import { failingDeletionsEpisode, nextFailingDeletions } from './failing-deletions.ts';
import { failingCourse } from './failing-probes.ts';
import { bugEpisode, nextBugs } from './machine-bugs.ts';
import { nextOddLeases, oddLeasesEpisode } from './odd-leases.ts';
import { outageCourse } from './outage-course.ts';
import { recoveryEpisode, recoveryLines } from './recovery-words.ts';
import { refusalEpisode, nextRefusals } from './shoot-refusals.ts';
import { nextPause, pauseEpisode } from './shoot-pauses.ts';
import { recoveriesOf, tellsSomething } from './weeder-recoveries.ts';

export type EpisodeCourses<Spoken extends LanguageMap<Spoken> = Languages, Kind extends string = EpisodeKind> = Omit<
  EpisodeLedger<Kind, Spoken[keyof Spoken]['Kind']>,
  'put'
> &
  Readonly<{
    /** Every turn of every machine must pass, in order, as it is taken or from a journal. `run`: of the process that took it. */
    take(turn: ToldTurns<Spoken>[keyof Spoken], run: string): void;
  }>;

/**
 * Tells from the turns of all machines what happened, by its consequence: an outage with its way down and up is one episode. A turn that brings
 * nothing new costs some calls; nothing is put into words before somebody asks.
 */
export function episodeCourses(limits: Partial<EpisodeLimits> = {}): EpisodeCourses {
  return coursesOf(kindEpisodes, limits);
}

/** The same for any kinds of machines. */
export function coursesOf<Spoken extends LanguageMap<Spoken>, Kind extends string>(
  kinds: KindEpisodes<Spoken, Kind>,
  limits: Partial<EpisodeLimits> = {},
): EpisodeCourses<Spoken, Kind> {
  const { put, ...ledger } = episodeLedger<Kind, Spoken[keyof Spoken]['Kind']>({ ...episodeLimits, ...limits });
  let run = '';
  const take = byKind<ToldTurns<Spoken>, void>(kinds, (kind) => {
    const courses = new Map<string, Course<Spoken[typeof kind], Kind>>();
    return (turn) => {
      const { subject, event } = turn;
      let course = courses.get(subject);
      if (course === undefined) courses.set(subject, (course = kinds[kind].begin()));
      for (const happening of course(turn, run)) put(happening);
      // Its machine is no more. One that a bug ended begins afresh.
      if (event.type === 'ended' && 'because' in event && event.because === 'gone') courses.delete(subject);
    };
  });
  return {
    ...ledger,
    take(turn, of) {
      run = of;
      take(turn);
    },
  };
}

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
        follow({ kind: 'oddLeases', next: nextOddLeases, words: oddLeasesEpisode, key: ({ note }) => note.kind }),
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
