import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { shootCommandWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import { nameOf } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { probeDueAt } from 'dependency-watchdog/machines/probe-plan.ts';
import { isAnythingDue } from 'dependency-watchdog/machines/shield.ts';
import type { ScaleDirection } from 'dependency-watchdog/machines/shoot-language.ts';
import { fact } from '../explanation/explanation.ts';
import { dependantAnswers } from './why-not-dependants.ts';
import {
  isScaleIn,
  hindered,
  obstacle,
  orUnreadable,
  placeUnknown,
  type Asked,
  type Obstacle,
  type ShootTurnTaken,
  type WhyNot,
} from './why-not-obstacle.ts';
import { verdictObstacles, lastVerdict, type LastVerdict } from './why-not-judged.ts';
import { restObstacle, silenceObstacles } from './why-not-silent.ts';

/**
 * "Why was this not scaled down (up) then?" of the turn at `index`: what stood in the way where that turn had ended, as the machine's own
 * guards and the domain's judgements have it. Never throws; a place that nothing tells of is an obstacle too.
 */
export function whyNotScaled(turns: readonly ShootTurnTaken[], index: number, direction: ScaleDirection): WhyNot {
  return orUnreadable(() => answered(turns, index, direction));
}

function answered(turns: readonly ShootTurnTaken[], index: number, direction: ScaleDirection): WhyNot {
  const one = turns[index];
  if (one?.after === undefined) return hindered([placeUnknown('shoot', one)], []);
  const { context, value } = one.after;
  const { probe, shield } = value as Readonly<{ probe: string; shield: string }>;
  const asked: Asked = { turns, index, direction, one, context, probe, shield };

  const rest = restObstacle(asked);
  if (rest !== undefined) return hindered([rest], []);
  const verdict = lastVerdict(turns, index);
  const aim = direction === 'down' ? 'down' : isForOursOnly(verdict) ? 'upOurs' : 'upAll';
  const parts = dependantAnswers(asked, aim);
  const words = one.turn.commands
    .filter((each) => isScaleIn(each, direction))
    .map((each) => shootCommandWords(each, one.turn.at));
  if (words.length > 0) return { outcome: 'did', answer: `It was: ${words.join('; ')}.`, obstacles: [], parts };

  const isUnderWay = context.flow !== null && (context.flow.aim === 'down') === (direction === 'down');
  if (isUnderWay) return { outcome: 'underWay', answer: onItsWay(parts, direction), obstacles: [], parts };
  const against = verdict === undefined ? [] : dated(verdictObstacles(verdict, direction), asked, verdict.index);
  const { unanswered, underWay } = silenceObstacles(asked, verdict !== undefined);
  const before = [...unanswered, ...against, ...underWay];
  if (isAnythingDue(context, aim)) return hindered(before.length > 0 ? before : [nextVerdict(asked)], parts);
  // Where the verdict itself would have it so, it is no matter what was asked meanwhile.
  const isFor = verdict !== undefined && against.length === 0;
  return hindered(isFor ? [nothingDue(direction), ...before] : [...before, nothingDue(direction)], parts);
}

/** What has no mark would have to wait for another verdict. One without a GET of the Cluster found nothing of that kind (SPEC 3.5). */
function isForOursOnly(verdict: LastVerdict | undefined): boolean {
  if (verdict?.event.aim !== 'upOurs') return false;
  return verdict.event.verdict.kind !== 'connected' || verdict.context.probe.asked?.cluster !== undefined;
}

/** Names the turn of a verdict that was not reached in this one. */
function dated(obstacles: readonly Obstacle[], { turns, index, one }: Asked, of: number): readonly Obstacle[] {
  const turn = turns[of]?.turn;
  if (of === index || turn === undefined) return obstacles;
  const saw = { name: 'reached', value: `${seconds(one.turn.at - turn.at)} before this turn`, at: turn.at };
  return obstacles.map((each) => ({ ...each, saw: [saw, ...each.saw], turn: nameOf(turn, turn.run) }));
}

function nothingDue(direction: ScaleDirection): Obstacle {
  const sentence = direction === 'down' ? 'Nothing was left to scale down.' : 'Nothing was there to scale up.';
  return obstacle('nothingDue', sentence, ['6.2']);
}

/** What somebody undid, or what came back, waits for another verdict (SPEC 6.9). */
function nextVerdict({ context, one }: Asked): Obstacle {
  const dueAt = probeDueAt(context);
  const saw = dueAt === undefined ? [] : [fact('next probe', `due in ${seconds(dueAt - one.turn.at)}`)];
  return obstacle('nextVerdict', 'Something was due, and waited for the next verdict.', ['6.1', '6.9'], saw);
}

function onItsWay(parts: WhyNot['parts'], direction: ScaleDirection): string {
  const first = parts.find(({ is }) => is === 'underWay' || is === 'waiting' || is === 'hindered');
  const way = `It was on its way ${direction}`;
  return first === undefined ? `${way}.` : `${way}. ${first.name}: ${first.sentence}`;
}
