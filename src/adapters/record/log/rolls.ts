import { counted } from '../../words/plain-words.ts';
import { countStandings, serviceStandings, shootStandings } from '../words/standing-words.ts';
import type { LogFields } from './log.ts';
import { type DownDependant, downDependants } from '../../../domain/prober/down-dependants.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { ShootTurn, WeederTurn } from '../../../effects/turn.ts';
import { standingAfter } from '../facts/shoot-standing.ts';
import { downWords, shortName } from '../words/write-words.ts';
import { type ServiceKey, serviceOf } from '../../../domain/weeder/service-ref.ts';
import type { WeederState } from '../../../machines/weeder-language.ts';
import { serviceWords } from './weeder-turn-log.ts';

/** A line of the log, to be said at the level that whoever asked for it finds right. */
type RollLine = Readonly<{ message: string; fields: LogFields }>;

/** How all subjects of one kind of machine stand. Every turn must pass through it, in order. */
export type Roll<SomeTurn> = Readonly<{
  /** Takes a turn. Gives a line where this one first shows how its subject was found, and that is not as it should be. */
  take(turn: SomeTurn): RollLine | undefined;
  /** How all that were met so far were found; undefined where there are none. */
  found(): RollLine | undefined;
  /** How many are how, now; undefined where there are none. */
  standing(): RollLine | undefined;
  /** What stays as it is when the process ends: a line for each subject, and one for all of them; `named`: for how many of them there is room. */
  left(named: number): Readonly<{ each: readonly RollLine[]; all: RollLine | undefined }>;
}>;

/** How many were found how: `243 shoots: 2 found scaled down by the watchdog`. Undefined where there are none. */
function foundLine(
  noun: string,
  all: number,
  found: readonly (readonly [field: string, count: number, words: string])[],
): RollLine | undefined {
  if (all === 0) return undefined;
  const some = found.filter(([, count]) => count > 0).map(([, count, words]) => `${count} ${words}`);
  const message = `${counted(all, noun)}: ${some.length === 0 ? 'none was found down' : some.join(', ')}`;
  const counts = Object.fromEntries(found.map(([field, count]) => [field, count]));
  return { message, fields: { line: 'found', [`${noun}s`]: all, ...counts } };
}

/** How many of one standing are named; the others are counted. */
const mostNamed = 10;

/**
 * How many are how: `243 shoots: 1 scaled down, 2 left alone, 240 watched`, the worst first. `standings`: the name of the log's field and the words.
 * `usual`: those in which nobody is named, since most stand so.
 */
function standingLine<Standing extends string>(
  noun: string,
  standings: readonly (readonly [field: Standing, words: string])[],
  usual: readonly Standing[],
  all: readonly (readonly [name: string, standing: Standing])[],
): RollLine | undefined {
  if (all.length === 0) return undefined;
  const counts = countStandings(standings, all);
  const unusual = counts.filter(({ standing }) => !usual.includes(standing));
  return {
    message: `${counted(all.length, noun)}: ${counts.map(({ words }) => words).join(', ')}`,
    fields: {
      line: 'roll call',
      [`${noun}s`]: all.length,
      ...Object.fromEntries(standings.map(([field]) => [field, 0])),
      ...Object.fromEntries(counts.map(({ standing, those }) => [standing, those.length])),
      ...(unusual.length === 0
        ? {}
        : { which: Object.fromEntries(unusual.map(({ standing, those }) => [standing, those.slice(0, mostNamed)])) }),
    },
  };
}

/** What a machine shows after a turn. The event is left out: it may hold thousands of leases. */
type Shown = Pick<ShootTurn, 'subject' | 'to' | 'after'>;

/** `ended`: a bug ended its machine, and it has not begun again. `met`: it was said how it was found. */
type KnownShoot = Readonly<{ shown: Shown; ended: boolean; met: boolean }>;

/** The prober's shoots. Nothing but a look at their last turns: it costs nothing until somebody asks. */
export function shootRoll(): Roll<ShootTurn> {
  const shoots = new Map<ShootNamespace, KnownShoot>();
  let foundOurs = 0;
  let foundOthers = 0;

  return { take, found, standing, left };

  function take(turn: ShootTurn): RollLine | undefined {
    const { subject: shoot, event, to, after } = turn;
    if (event.type === 'ended' && event.because === 'gone') {
      shoots.delete(shoot);
      return undefined;
    }
    const met = shoots.get(shoot)?.met === true;
    const shown = { subject: shoot, to, after };
    const isMet = met || showsAll(shown);
    shoots.set(shoot, { shown, ended: event.type === 'ended', met: isMet });
    return isMet && !met ? meet(shown) : undefined;
  }

  /** What others took down is Gardener's own doing while the shoot is paused: where it hibernates, say. */
  function meet(shown: Shown): RollLine | undefined {
    const ours = downBy('ours', shown);
    const others = shown.to === 'idle' ? [] : downBy('others', shown);
    if (ours.length === 0 && others.length === 0) return undefined;
    if (ours.length > 0) foundOurs += 1;
    else foundOthers += 1;
    return foundDownLine(shown, ours, others);
  }

  function found(): RollLine | undefined {
    return foundLine('shoot', shoots.size, [
      ['foundOurs', foundOurs, 'found scaled down by the watchdog'],
      ['foundOthers', foundOthers, 'found scaled down, but not by the watchdog'],
    ]);
  }

  function standing(): RollLine | undefined {
    const all = [...shoots].map(
      ([shoot, { shown, ended }]) =>
        [shoot, ended ? 'unprotected' : standingAfter(shown.to, shown.after?.context)] as const,
    );
    return standingLine('shoot', shootStandings, ['leftAlone', 'watched'], all);
  }

  function left(named: number): ReturnType<Roll<ShootTurn>['left']> {
    const leftDown = [...shoots.values()].flatMap(({ shown }) => leftLine(shown) ?? []);
    const { length } = leftDown;
    if (shoots.size === 0) return { each: [], all: undefined };
    if (length === 0)
      return { each: [], all: { message: 'no shoot stays scaled down', fields: { line: 'left', shoots: 0 } } };
    const more = length > named ? `; ${length - named} more are not named here` : '';
    const rest = `${length === 1 ? 'stays' : 'stay'} scaled down until a prober leads again, or until the command release raises ${length === 1 ? 'it' : 'them'}`;
    const all = { message: `${counted(length, 'shoot')} ${rest}${more}`, fields: { line: 'left', shoots: length } };
    return { each: leftDown.slice(0, named), all };
  }
}

/** Whether the machine has heard of its Cluster, and of each dependant that it may read. */
function showsAll({ after }: Shown): boolean {
  if (after === undefined) return false;
  const { cluster, pause, known } = after.context;
  if (cluster === null && pause === null) return false;
  return Object.values(known).every(({ view, refusal }) => view !== null || refusal !== null);
}

function downBy(hand: DownDependant['by'], { after }: Shown): readonly DownDependant[] {
  return downDependants(after?.context.known ?? {}).filter(({ by }) => by === hand);
}

function foundDownLine(
  { subject: shoot, after }: Shown,
  ours: readonly DownDependant[],
  others: readonly DownDependant[],
): RollLine {
  const hands = [
    ours.length > 0 && `by the watchdog: ${downWords(ours)}`,
    others.length > 0 && `${ours.length > 0 ? '' : 'but '}not by the watchdog: ${downWords(others)}`,
  ].filter((words) => words !== false);
  const pause = after?.context.pause ?? null;
  const next = pause === null ? 'it is scaled up once it is connected' : `nothing is scaled now: ${pause.because}`;
  return {
    message: `${shoot} was found scaled down${ours.length > 0 ? '' : ','} ${hands.join(', and ')}; ${next}`,
    fields: {
      line: 'found down',
      shoot,
      ...(ours.length > 0 && { ours: ours.map(({ key }) => key) }),
      ...(others.length > 0 && { others: others.map(({ key }) => key) }),
    },
  };
}

/** What stays scaled down by us, and what may still be scaled down by a write that nobody has answered. */
function leftLine(shown: Shown): RollLine | undefined {
  const { subject: shoot, after } = shown;
  const down = downBy('ours', shown);
  const writing = Object.entries(after?.context.known ?? {}).flatMap(([key, one]) =>
    one.writing === null ? [] : [key],
  );
  const scaled = after?.context.flow?.aim === 'down' ? writing : [];
  if (down.length === 0 && scaled.length === 0) return undefined;
  const words = [
    down.length > 0 && `stays scaled down: ${downWords(down)}`,
    scaled.length > 0 && `may be left with ${scaled.map(shortName).join(', ')} at 0: a scale-down is under way`,
  ].filter((one) => one !== false);
  return {
    message: `${shoot} ${words.join('; it ')}`,
    fields: { line: 'left down', shoot, resources: [...down.map(({ key }) => key), ...scaled] },
  };
}

/** The weeder's services. */
export function weederRoll(): Roll<WeederTurn> {
  const services = new Map<ServiceKey, WeederState>();
  const met = new Set<ServiceKey>();
  let foundDown = 0;

  return { take, found, standing, left };

  function take({ subject: service, event, to }: WeederTurn): RollLine | undefined {
    if (event.type === 'ended' && event.because === 'gone') {
      services.delete(service);
      met.delete(service);
      return undefined;
    }
    services.set(service, to);
    // Until it has seen the slices, a machine does not know whether its service is down.
    if (event.type !== 'slices.changed' || met.has(service)) return undefined;
    met.add(service);
    if (to !== 'down') return undefined;
    foundDown += 1;
    const message = `${serviceWords(service)} was found down: no pod is deleted until it is available`;
    return { message, fields: { line: 'found down', ...serviceOf(service) } };
  }

  function found(): RollLine | undefined {
    return foundLine('service', services.size, [['foundDown', foundDown, 'found down']]);
  }

  function standing(): RollLine | undefined {
    const all = [...services].map(([service, state]) => [service, serviceStandings[state].field] as const);
    const named = Object.values(serviceStandings).map(({ field, words }) => [field, words] as const);
    return standingLine('service', named, ['available'], all);
  }

  function left(named: number): ReturnType<Roll<WeederTurn>['left']> {
    if (services.size === 0) return { each: [], all: undefined };
    const open = [...services].filter(([, state]) => state === 'recovering' || state === 'relapsed');
    const { length } = open;
    const fields = { line: 'left', services: length };
    if (length === 0) return { each: [], all: { message: 'no window is open', fields } };
    const names = open.slice(0, named).map(([service]) => serviceWords(service));
    const more = length > named ? ` and ${length - named} more` : '';
    const which = `${length === 1 ? 'the window' : `${length} windows`} of ${names.join(', ')}${more}`;
    const message = `${which} ${length === 1 ? 'ends' : 'end'} with this process; the weeder that leads next begins ${length === 1 ? 'it' : 'them'} anew`;
    return { each: [], all: { message, fields } };
  }
}
