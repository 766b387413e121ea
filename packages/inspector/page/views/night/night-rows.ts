import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { counted, lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Shape, Tone } from '../../../model/states.ts';
import { calmText, countText } from '../../format/texts.ts';
import type { NightItem } from './night-storms.ts';

/** What came of it, in a few words: `in time`. */
type Outcome = Readonly<{ words: string; shape: Shape; tone: Tone }>;

/** An entry of the night as a row. A figure that it does not have is empty. */
export type NightFigures = Readonly<{ outcome: Outcome; margin: string; down: string; back: string }>;

/** The same of one episode, before several are put together. */
type Figures = Readonly<{ outcome: Outcome; margin?: Millis; down?: Millis; back?: Millis; goesOn: boolean }>;

const good = (words: string): Outcome => ({ words, shape: 'check', tone: 'calm' });
const plain = (words: string): Outcome => ({ words, shape: 'ring', tone: 'calm' });
const grave = (words: string): Outcome => ({ words, shape: 'warning', tone: 'down' });
const bad = (words: string): Outcome => ({ words, shape: 'diamond', tone: 'cutOff' });

/** The figures of an entry. `now`: for what goes on. */
export function nightFigures({ episodes }: Pick<NightItem, 'episodes'>, now: Instant): NightFigures {
  const all = episodes.map((one) => figuresOf(one, now));
  const goesOn = all.some((one) => one.goesOn);
  const of = (name: 'margin' | 'down' | 'back') => all.flatMap((one) => one[name] ?? []);
  return {
    outcome: outcomeOf(episodes, all),
    margin: rangeText(of('margin')),
    // It counts up before somebody's eyes.
    down: goesOn ? calmText(Math.max(0, ...of('down'))) : rangeText(of('down')),
    back: rangeText(of('back')),
  };
}

function outcomeOf(episodes: readonly Episode[], all: readonly Figures[]): Outcome {
  const [first = plain('')] = all.map(({ outcome }) => outcome);
  if (all.length === 1) return first;
  const pods = episodes.reduce(
    (sum, { kind, data }) => sum + (kind === 'recovery' ? (numberIn(data, 'deletedCount') ?? 0) : 0),
    0,
  );
  if (pods > 0) return { ...first, words: podsWords(pods) };
  const alike = [...Map.groupBy(all, ({ outcome }) => outcome.words)];
  if (alike.length === 1) return { ...first, words: `all ${first.words}` };
  return { ...first, words: alike.map(([words, those]) => `${those.length} ${words}`).join(', ') };
}

function figuresOf({ kind, weight, beganAt, endedAt, stages, odds = [], data }: Episode, now: Instant): Figures {
  const goesOn = endedAt === null;
  const atStage = (name: string) => stages.findLast((stage) => stage.name === name)?.at;
  const lasted = { goesOn, down: (endedAt ?? now) - beganAt };
  switch (kind) {
    case 'outage': {
      const margins = [numberIn(data, 'marginMs'), numberIn(data, 'marginAgainMs')].filter((one) => one !== undefined);
      const margin = margins.length === 0 ? undefined : Math.min(...margins);
      const back = numberIn(data, 'broughtBackAfterMs');
      return {
        outcome: inTime(margin, odds, { goesOn, decided: atStage('decided') !== undefined, weight }),
        goesOn: goesOn && atStage('connected again') === undefined,
        down: (atStage('connected again') ?? endedAt ?? now) - beganAt,
        ...(margin === undefined ? {} : { margin }),
        ...(back === undefined ? {} : { back }),
      };
    }
    case 'recovery': {
      const back = atStage('back');
      const last = atStage('last pod deleted') ?? atStage('first pod deleted');
      return {
        outcome: recovered(data, goesOn),
        goesOn: back === undefined,
        ...(back !== undefined && atStage('down') === undefined ? {} : { down: (back ?? now) - beganAt }),
        ...(back === undefined || last === undefined ? {} : { back: last - back }),
      };
    }
    case 'partial':
      if (data['mayHaveMarked'] !== true) return { ...lasted, outcome: grave('not scaled') };
      return {
        ...lasted,
        outcome: (weight === 'bad' ? bad : grave)(`nodes may ${goesOn ? 'be' : 'have been'} marked`),
      };
    case 'refusal': {
      const never = data['endedBy'] === 'needless';
      const late = weight === 'bad' ? bad(never ? 'never done' : 'done too late') : undefined;
      const over = late ?? (never ? grave('never done') : good('done'));
      return { ...lasted, outcome: goesOn ? { words: 'refused', shape: 'cross', tone: 'refused' } : over };
    }
    case 'pause':
      return {
        ...lasted,
        outcome: weight === 'notable' ? { ...plain('not probed'), shape: 'pause' } : grave('unreadable'),
      };
    case 'unreachable':
      return { ...lasted, outcome: goesOn ? grave('does not answer') : plain('answers again') };
    case 'bug':
      return { ...lasted, outcome: bad('a bug of ours') };
    case 'oddLeases':
      return { ...lasted, outcome: plain(goesOn ? 'so still' : 'over') };
  }
}

type OutageStanding = Pick<Episode, 'weight'> & Readonly<{ goesOn: boolean; decided: boolean }>;

function inTime(
  margin: Millis | undefined,
  odds: NonNullable<Episode['odds']>,
  { goesOn, decided, weight }: OutageStanding,
): Outcome {
  if (margin !== undefined && margin < 0) return bad(`${lengthWords(Math.abs(margin))} too late`);
  if (weight === 'bad') return bad('not down in time');
  if (margin === undefined)
    return decided && goesOn ? grave('on its way down') : plain(decided ? 'not all down' : 'nothing scaled');
  if (odds.some(({ what }) => what === 'raised')) return grave('in time, interfered');
  if (odds.length > 0) return grave('in time, not ready');
  return goesOn ? grave('in time, still down') : good('in time');
}

function recovered(data: Episode['data'], goesOn: boolean): Outcome {
  const left = numberIn(data, 'left') ?? 0;
  const pods = numberIn(data, 'deletedCount') ?? 0;
  if (goesOn && data['downAgainAt'] !== undefined) return grave('down again');
  if (left > 0) return grave(`${countText(left, 'pod')} left`);
  return pods === 0 ? plain('no pod restarted') : good(podsWords(pods));
}

function podsWords(pods: number): string {
  return `${counted(pods, 'pod')} restarted`;
}

function numberIn(data: Episode['data'], name: string): number | undefined {
  const value = data[name];
  return typeof value === 'number' ? value : undefined;
}

/** `3 to 8.2 s`: the unit of both is said once. */
export function rangeText(lengths: readonly Millis[]): string {
  if (lengths.length === 0) return '';
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)].map((length) =>
    lengthWords(length).replace('-', '−'),
  );
  if (least === undefined || most === undefined || least === most) return least ?? '';
  return least.endsWith(' s') && most.endsWith(' s') ? `${least.slice(0, -2)} to ${most}` : `${least} to ${most}`;
}
