import { leftOutWords, unjudgedWords } from 'dependency-watchdog/adapters/record/words/lease-words.ts';
import { expiredWords } from 'dependency-watchdog/adapters/record/words/probe-words.ts';
import { counted, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { lookOf } from 'dependency-watchdog/domain/prober/candidates.ts';
import { accountLook } from 'dependency-watchdog/domain/prober/odd-leases.ts';
import { neededFor, type Verdict } from 'dependency-watchdog/domain/prober/verdict.ts';
import { crossingOf } from 'dependency-watchdog/machines/candidate-look.ts';
import { leasePolicy, type MachineEvent, type ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { ScaleDirection, ShootEventOf } from 'dependency-watchdog/machines/shoot-language.ts';
import { shootGuards } from 'dependency-watchdog/machines/shoot-guards.ts';
import { fact, type Fact } from '../explanation/explanation.ts';
import { shootExplainer } from '../explanation/explain-shoot.ts';
import { verdictFacts } from '../explanation/shoot-guard-facts.ts';
import { obstacle, type Obstacle, type ShootTurnTaken } from './why-not-obstacle.ts';
import { pathObstacle } from './why-not-silent.ts';
import { isEnded, isStarted } from 'dependency-watchdog/adapters/record/facts/turns.ts';

/** What the verdict itself has against it (SPEC 5.3), asked of the machine's own guards. */
export function verdictObstacles(verdict: LastVerdict, direction: ScaleDirection): readonly Obstacle[] {
  const { context, event } = verdict;
  const { failureThreshold, successThreshold } = context.config;
  const cutOff = shootGuards.isCutOff({ context, event });
  const nobodyKnows = event.verdict.kind === 'unjudged' && !event.verdict.reached;
  const against = nobodyKnows || (direction === 'up' ? cutOff : !cutOff);
  if (against) return [obstacleOf(verdict)];
  if (direction === 'down' && !shootGuards.verdictMeetsFailureThreshold({ context, event }))
    return [belowThreshold('failureThreshold', context.streak.count, failureThreshold)];
  if (direction === 'up' && !shootGuards.verdictMeetsSuccessThreshold({ context, event }))
    return [belowThreshold('successThreshold', context.streak.count, successThreshold)];
  return [];
}

/** What was judged the other way. */
function obstacleOf(last: LastVerdict): Obstacle {
  const { verdict } = last.event;
  if ('external' in verdict) return pathObstacle(last, verdict);
  return verdict.kind === 'cutOff' ? cutOffObstacle(last, verdict) : notCutOff(last, verdict);
}

function notCutOff(verdict: LastVerdict, { kind, ...counts }: Verdict): Obstacle {
  const { candidates } = counts;
  const saw = leaseFacts(verdict);
  if (kind === 'tooFew') {
    const sentence = `Too few leases counted to tell: ${expiredWords.phrase(counts)}, and fewer than two never lead down.`;
    return obstacle(kind, sentence, ['5.3', 'S7'], saw);
  }
  if (kind === 'unjudged') {
    const { looked = null } = verdict.context.seen ?? {};
    const why = looked === null ? '' : `: ${unjudgedWords({ ...looked, leases: candidates })}`;
    return obstacle(kind, `Nobody could tell whether the shoot was cut off${why}.`, ['5.8', '5.9'], saw);
  }
  if (candidates === 0)
    return obstacle('noCandidates', 'No lease counted, so nothing spoke for an outage.', ['5.2', '5.3'], saw);
  const { failureFraction } = leasePolicy(verdict.context);
  const sentence = `The shoot was connected: ${expiredWords.sentence(counts, 'expired', 'then')}; it takes ${neededFor(candidates, failureFraction)} (a share of ${failureFraction}).`;
  return obstacle('connected', sentence, ['5.1', '5.3'], saw);
}

function cutOffObstacle(verdict: LastVerdict, counts: Verdict): Obstacle {
  const { failureFraction } = leasePolicy(verdict.context);
  const sentence = `The shoot was cut off: ${expiredWords.sentence(counts, 'expired', 'then')} (from a share of ${failureFraction} on).`;
  return obstacle('cutOff', sentence, ['5.1', '5.3'], leaseFacts(verdict));
}

function belowThreshold(key: 'failureThreshold' | 'successThreshold', count: number, threshold: number): Obstacle {
  const verdicts = key === 'failureThreshold' ? 'cut off' : 'connected';
  const sentence = `Only ${counted(count, 'verdict')} in a row said ${verdicts}; ${key} asks for ${threshold}.`;
  return obstacle(key, sentence, ['2'], [fact('verdicts in a row', `${count} of ${threshold}`)]);
}

function leaseFacts(verdict: LastVerdict): readonly Fact[] {
  const { context } = verdict;
  const { seen } = context;
  if (seen === null) return [];
  const { askedAt } = seen;
  const crossing = crossingOf(context, askedAt);
  return [
    ...verdictFacts(verdict),
    ...leftOutFacts(verdict),
    ...(crossing === undefined
      ? []
      : [fact('would have met the fraction', `${seconds(crossing - askedAt)} later, had no kubelet renewed`)]),
  ];
}

function leftOutFacts({ context, look }: LastVerdict): readonly Fact[] {
  const { seen } = context;
  if (seen === null || seen.nonCandidates.length === 0 || look === undefined) return [];
  const { leftOut } = accountLook(seen.leases, lookOf(look, context));
  const named = leftOut.first.map((one) => `${one.node} (${leftOutWords(one)})`);
  const more = leftOut.count - named.length;
  const names = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [fact('why left out', names)];
}

/** The verdict that a shoot went by: the event that the probe raised, and what the machine remembered when the guards were asked. */
export type LastVerdict = Readonly<{
  index: number;
  event: Extract<MachineEvent, { type: 'verdict.reached' }>;
  context: ShootContext;
  /** The look that tells which leases count: of this verdict, or the last one before it that is recorded. */
  look: ShootEventOf<'candidates.answered'> | undefined;
}>;

/** The verdict that holds after the turn at `index`; undefined where none was reached since the shoot was seen or paused, or none is recorded. */
export function lastVerdict(turns: readonly ShootTurnTaken[], index: number): LastVerdict | undefined {
  for (let at = index; at >= 0; at -= 1) {
    const one = turns[at];
    if (one?.after === undefined || !holdsVerdict(one.after.context)) return undefined;
    const { turn, before } = one;
    if (!turn.notes.some(({ kind }) => kind === 'verdict')) continue;
    if (before === undefined || isStarted(turn.event) || isEnded(turn.event)) return undefined;
    // The chart asks its guards of each verdict, so the trace has heard it.
    const { asked } = shootExplainer.trace(before, turn.event);
    const reached = asked.find(({ heard }) => heard.type === 'verdict.reached');
    if (reached === undefined) return unjudgedVerdict(turns, at, one.after.context);
    const event = reached.heard as LastVerdict['event'];
    return { index: at, event, context: reached.context as ShootContext, look: lookBefore(turns, at) };
  }
  return undefined;
}

/** Where nobody can tell, nothing is handed to the shield (SPEC 5.8, 5.9); it stands against both directions all the same. */
function unjudgedVerdict(
  turns: readonly ShootTurnTaken[],
  index: number,
  context: ShootContext,
): LastVerdict | undefined {
  const turn = turns[index]?.turn;
  const note = turn?.notes.find((each) => each.kind === 'verdict');
  if (turn === undefined || note?.verdict !== 'unjudged') return undefined;
  const { expired, candidates } = note;
  const verdict: Verdict = { kind: 'unjudged', expired, candidates, reached: false };
  const event = { type: 'verdict.reached', at: turn.at, verdict, aim: 'upOurs' } as const;
  return { index, event, context, look: lookBefore(turns, index) };
}

/** A pause forgets what was judged, and no verdict holds over it. */
function holdsVerdict({ paths, seen, streak }: ShootContext): boolean {
  return paths === undefined ? seen !== null : streak.count > 0;
}

/** A look tells of one stretch of probing, which a pause or a start ends. */
function lookBefore(turns: readonly ShootTurnTaken[], index: number): LastVerdict['look'] {
  for (let at = index; at >= 0; at -= 1) {
    const one = turns[at];
    if (one?.after === undefined || one.after.context.seen === null) return undefined;
    if (one.turn.event.type === 'candidates.answered') return one.turn.event;
  }
  return undefined;
}
