import { downDependants, type DownDependant } from '../../../domain/prober/down-dependants.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { StandingState } from '../../../domain/prober/standing.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import { standingAfter } from '../facts/shoot-standing.ts';
import { counted } from '../../words/plain-words.ts';
import { downWords, shortName } from '../words/write-words.ts';
import { shootStandings } from '../words/standing-words.ts';
import { foundLine, standingLine, type Roll, type RollLine } from './roll.ts';

/** What a machine shows after a turn. The event is left out: it may hold thousands of leases. */
type Shown = Pick<ShootTurn, 'subject' | 'to' | 'after'>;

type KnownShoot = Readonly<{
  shown: Shown;
  /** A bug ended its machine, and it has not begun again. */
  ended: boolean;
  /** It was said how it was found. */
  met: boolean;
}>;

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
    const down = downOf(shown).filter(({ by }) => by === 'ours' || shown.to !== 'idle');
    if (down.length === 0) return undefined;
    const ours = down.filter(({ by }) => by === 'ours');
    if (ours.length > 0) foundOurs += 1;
    else foundOthers += 1;
    return foundDownLine(
      shown,
      ours,
      down.filter(({ by }) => by === 'others'),
    );
  }

  function found(): RollLine | undefined {
    return foundLine('shoot', shoots.size, [
      ['foundOurs', foundOurs, 'found scaled down by the watchdog'],
      ['foundOthers', foundOthers, 'found scaled down, but not by the watchdog'],
    ]);
  }

  function standing(): RollLine | undefined {
    const all = [...shoots].map(([shoot, known]) => [shoot, standingOf(known)] as const);
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

function downOf({ after }: Shown): readonly DownDependant[] {
  return downDependants(after?.context.known ?? {});
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
      ...(ours.length === 0 ? {} : { ours: ours.map(({ key }) => key) }),
      ...(others.length === 0 ? {} : { others: others.map(({ key }) => key) }),
    },
  };
}

/** What stays scaled down by us, and what may still be scaled down by a write that nobody has answered. */
function leftLine(shown: Shown): RollLine | undefined {
  const { subject: shoot, after } = shown;
  const down = downOf(shown).filter(({ by }) => by === 'ours');
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

function standingOf({ shown, ended }: KnownShoot): StandingState {
  return ended ? 'unprotected' : standingAfter(shown.to, shown.after?.context);
}
