import type { Instant, Millis } from '../../../domain/time.ts';
import { counted, lengthWords } from '../../words/plain-words.ts';
import { type Episode, type EpisodeKind, type EpisodeOdd, gravityRank, listWords } from './episode.ts';
import { runbookPlace, stepOf, type RunbookStep } from './runbook-steps.ts';

/** What a reader should know first of what happened, and what is to be done now (SPEC 9.19). Plain JSON. */
export type Headline = Readonly<{
  /** One sentence; whose names are links where it is shown on a page. */
  parts: readonly HeadlinePart[];
  /** What is worth a word beside it, each as a phrase. */
  besides: readonly string[];
  /** Of the worst of it; null where nothing happened. */
  weight: Episode['weight'] | null;
  /** The gravest first; none where nothing is to be done. */
  steps: readonly HeadlineStep[];
}>;

export type HeadlinePart = string | Pick<Episode, 'subject' | 'turn'>;

/** `those`: whom it is to be done for. */
export type HeadlineStep = RunbookStep & Readonly<{ those: readonly Pick<Episode, 'subject' | 'turn'>[] }>;

/** What comes to several within so long, one after the other, has one cause. */
export const oneCause: Millis = 10_000;

/** So many of the worst are named, and so many things to do. */
const mostNamed = 2;
const mostSteps = 3;

/** The headline of these episodes, in any order, as they stand at `now`. */
export function headlineOf(episodes: Iterable<Episode>, now: Instant): Headline {
  const all = [...episodes].toSorted(worstFirst);
  const [first, ...others] = summaryWords(all);
  const clauses = [...(first === undefined ? [] : [[first]]), ...worstClauses(all)];
  return {
    parts:
      clauses.length === 0
        ? [all.length === 0 ? 'Nothing happened' : 'Nothing grave happened']
        : clauses.flatMap((clause, index) => (index === 0 ? clause : ['; ', ...clause])),
    besides: [...closestWords(all), ...others],
    weight: all[0]?.weight ?? null,
    steps: stepsOf(all, now),
  };
}

const oneDay: Millis = 24 * 60 * 60_000;

/** Those that went on in the last 24 hours: what is older asks for nothing now. */
export function ofLastDay(episodes: readonly Episode[], now: Instant): readonly Episode[] {
  return episodes.filter(({ endedAt }) => endedAt === null || endedAt >= now - oneDay);
}

/** In one line of text: `4 outages, 20 shoots brought back. Nothing to do.` */
export function headlineText({ parts, besides, steps }: Headline): string {
  const sentence = parts.map((part) => (typeof part === 'string' ? part : part.subject)).join('');
  return [sentence, ...besides, ...(steps.length === 0 ? ['Nothing to do'] : [])].map((one) => `${one}.`).join(' ');
}

/** What to do now, a line each: `shoot--a: in the shoot, kubectl get nodes … (docs/runbooks.md#shootcutoff)`. */
export function stepLines({ steps }: Headline): readonly string[] {
  return steps.map(({ step, alert, those: [first, ...more] }) => {
    const subjects = [first, ...more].flatMap((one) => one?.subject ?? []);
    // Its namespace is the shoot's name; of several it is the first one's.
    const told = step.replaceAll('NAMESPACE', first?.subject ?? 'NAMESPACE');
    return `${listWords(subjects, mostNamed + 1)}: ${told} (${runbookPlace({ alert })})`;
  });
}

/** For programs. */
export function headlineJson(headline: Headline): object {
  const toDo = headline.steps.map(({ step, alert, those }) => ({
    for: those.map(({ subject }) => subject),
    step,
    runbook: runbookPlace({ alert }),
  }));
  return { headline: headlineText(headline), toDo };
}

function worstFirst(one: Episode, other: Episode): number {
  const [a, b] = [rankOf(one), rankOf(other)];
  return a.gravity - b.gravity || a.over - b.over || b.by - a.by || one.beganAt - other.beganAt;
}

function rankOf({ weight, endedAt, odds = [] }: Episode) {
  return { gravity: gravityRank(weight), over: endedAt === null ? 0 : 1, by: odds[0]?.by ?? 0 };
}

/** What there was in all: `4 outages, 20 shoots brought back`. */
function summaryWords(all: readonly Episode[]): readonly string[] {
  const outages = all.filter(({ kind }) => kind === 'outage');
  // One that is down again is told of below.
  const recoveries = all.filter(({ kind, data }) => kind === 'recovery' && data['downAgainAt'] === undefined);
  return [
    outages.length === 0 ? '' : outagesWords(outages),
    recoveries.length === 0 ? '' : recoveriesWords(recoveries),
  ].filter(Boolean);
}

function outagesWords(outages: readonly Episode[]): string {
  const ends = Map.groupBy(outages, endOf);
  const told = (Object.keys(endWords) as OutageEnd[]).flatMap((end) => {
    const those = ends.get(end);
    return those === undefined ? [] : [`${counted(subjectsOf(those), 'shoot')} ${endWords[end]}`];
  });
  return [counted(causesOf(outages), 'outage'), ...told, ...inTimeWords(outages)].join(', ');
}

/** `all in time`; `19 in time`. */
function inTimeWords(outages: readonly Episode[]): readonly string[] {
  const late = outages.filter(({ odds = [] }) => odds.some(({ what }) => what === 'tooLate' || what === 'notDown'));
  const inTime = outages.filter((one) => !late.includes(one) && one.stages.some(({ name }) => name === 'protected'));
  if (late.length > 0) return [`${subjectsOf(inTime)} in time`];
  if (inTime.length === 0) return [];
  if (inTime.length < outages.length) return [`${subjectsOf(inTime)} in time`];
  return [outages.length === 1 ? 'in time' : 'all in time'];
}

/** Where all were in time: how nearly. */
function closestWords(all: readonly Episode[]): readonly string[] {
  const margins = all.flatMap(({ data }) => (typeof data['marginMs'] === 'number' ? data['marginMs'] : []));
  const least = Math.min(...margins);
  return least < 0 || margins.length === 0
    ? []
    : [`The closest was ${lengthWords(least)} before a node could be marked`];
}

function subjectsOf(episodes: readonly Episode[]): number {
  return new Set(episodes.map(({ subject }) => subject)).size;
}

/** How an outage stands, the worst first. */
type OutageEnd = 'cutOff' | 'returning' | 'back' | 'notScaled' | 'left';

const endWords: Readonly<Record<OutageEnd, string>> = {
  cutOff: 'still cut off',
  returning: 'on the way back',
  back: 'brought back',
  notScaled: 'connected again before anything was scaled',
  left: 'left alone since',
};

function endOf({ endedAt, stages }: Episode): OutageEnd {
  const had = (name: string) => stages.some((stage) => stage.name === name);
  if (endedAt === null) return had('connected again') ? 'returning' : 'cutOff';
  if (had('ended')) return 'left';
  return had('brought back') || had('decided') ? 'back' : 'notScaled';
}

function causesOf(episodes: readonly Episode[]): number {
  const began = episodes.map(({ beganAt }) => beganAt).toSorted((one, other) => one - other);
  return began.filter((at, index) => index === 0 || at - (began[index - 1] ?? at) > oneCause).length;
}

function recoveriesWords(recoveries: readonly Episode[]): string {
  const pods = recoveries.reduce(
    (sum, { data }) => sum + (typeof data['deletedCount'] === 'number' ? data['deletedCount'] : 0),
    0,
  );
  const services = counted(subjectsOf(recoveries), 'service');
  return `${services} came back${pods === 0 ? '' : `, ${counted(pods, 'pod')} restarted`}`;
}

/** What is told of the worst, kind by kind: whose it is, what befell it, and how many more it befell. */
function worstClauses(all: readonly Episode[]): readonly (readonly HeadlinePart[])[] {
  const told = new Set<string>();
  const odd = all.flatMap((episode) => {
    // What befell one that is told of already is behind it.
    if (told.has(episode.subject)) return [];
    const odds = oddsIn(episode).map((one) => ({ episode, one }));
    if (odds.length > 0) told.add(episode.subject);
    return odds;
  });
  return [...Map.groupBy(odd, ({ one }) => one.what).values()].flatMap((those) => {
    const named = those.slice(0, those.length > mostNamed ? 1 : mostNamed);
    const rest = subjectsOf(those.slice(named.length).map(({ episode }) => episode));
    return named.map(({ episode: { subject, turn }, one }, index) => [
      { subject, turn },
      `${rest > 0 && index === 0 ? ` (and ${rest} more)` : ''} ${one.words}`,
    ]);
  });
}

/** What befell a subject, where its episode weighs enough and says no more: once it is over, and while it goes on. */
const befell: Readonly<Record<Exclude<EpisodeKind, 'outage' | 'recovery'>, readonly [over: string, goesOn: string]>> = {
  partial: ['was cut off in part', 'is cut off in part'],
  pause: ['was not watched, since its Cluster could not be read', 'is not watched, since its Cluster cannot be read'],
  refusal: ['was refused by the seed what it had to write', 'is refused by the seed what it has to write'],
  bug: ['met a bug of the watchdog', 'met a bug of the watchdog'],
  oddLeases: ['had leases that something was wrong with', 'has leases that something is wrong with'],
  unreachable: ['did not answer', 'does not answer'],
};

function befellWords({ kind, endedAt, data }: Episode): string {
  if (kind === 'outage') return '';
  if (kind !== 'recovery') return befell[kind][endedAt === null ? 1 : 0];
  if (data['downAgainAt'] !== undefined) return endedAt === null ? 'is down again' : 'went down again';
  return `was left with ${data['left'] === 1 ? 'a pod that crash-loops' : 'pods that crash-loop'}`;
}

function oddsIn(episode: Episode): readonly Readonly<{ what: EpisodeOdd['what'] | EpisodeKind; words: string }>[] {
  const { kind, weight, odds = [] } = episode;
  if (kind === 'outage') return odds;
  return weight === 'notable' ? [] : [{ what: kind, words: befellWords(episode) }];
}

function stepsOf(all: readonly Episode[], now: Instant): readonly HeadlineStep[] {
  const due = all.flatMap((episode) => {
    const step = stepOf(episode, now);
    return step === undefined ? [] : [{ episode, step }];
  });
  return [...Map.groupBy(due, ({ step }) => step)].slice(0, mostSteps).map(([step, those]) => ({
    ...step,
    those: [...new Map(those.map(({ episode: { subject, turn } }) => [subject, { subject, turn }])).values()],
  }));
}
