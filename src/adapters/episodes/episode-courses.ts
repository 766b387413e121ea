import type { LanguageMap, Languages } from '../../machines/kinds.ts';
import { byKind } from '../turns/by-kind.ts';
import type { Course, ToldTurns } from './course.ts';
import type { EpisodeKind } from './episode.ts';
import { episodeLedger, episodeLimits, type EpisodeLedger, type EpisodeLimits } from './episode-ledger.ts';
import { kindEpisodes, type KindEpisodes } from './kind-episodes.ts';

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
