import { isEnded } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { shootEventWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import { counted, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { judgeLifecycle } from 'dependency-watchdog/domain/prober/cluster-view.ts';
import { probeDueAt } from 'dependency-watchdog/machines/probe-plan.ts';
import { fact, pathStateFacts, type Fact } from '../explanation/explanation.ts';
import { verdictFacts } from '../explanation/shoot-guard-facts.ts';
import { obstacle, type Asked, type Obstacle } from './why-not-obstacle.ts';
import { isAwaited } from './what-if-recorded.ts';
import type { PathVerdict } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { AskedProbe, ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { LastVerdict } from './why-not-judged.ts';

/** Nothing is asked of a shoot that is paused, or was not seen yet (SPEC 3). */
export function restObstacle({ context, direction, shield, turns, index }: Asked): Obstacle | undefined {
  if (shield !== 'idle') return undefined;
  const { pause, cluster } = context;
  if (pause === null)
    return obstacle('notSeen', 'No Cluster of the shoot had been seen yet, so it was not probed.', ['3.2']);
  const stays = direction === 'up' ? ' Whatever is down then stays down: gardenlet scales now.' : '';
  const lifecycle = cluster === null ? undefined : judgeLifecycle(cluster);
  const isTheirs = lifecycle !== undefined && lifecycle.kind !== 'start' && lifecycle.reason === pause.because;
  const gone = turns.slice(0, index + 1).findLast(({ turn: { event } }) => event.type === 'cluster.gone');
  const rule = isTheirs ? (lifecycle.kind === 'stop' ? '3.1' : '3.2') : gone === undefined ? '3.4' : '3.1';
  const saw = [fact('paused because', pause.because)];
  return obstacle('paused', `The shoot was paused: ${pause.because}.${stays}`, [rule], saw);
}

type Silence = Readonly<{
  /** The first to stand in the way: without an answer nothing is judged. */
  unanswered: readonly Obstacle[];
  /** A probe that goes on beside the last verdict. */
  underWay: readonly Obstacle[];
}>;

/** What was not answered, or had not been answered yet (SPEC 4). `judged`: an earlier probe led to a verdict. */
export function silenceObstacles(asked: Asked, judged: boolean): Silence {
  const { context, probe, one } = asked;
  const { at } = one.turn;
  const { failuresInRow, asked: sent } = context.probe;
  const failed = failuresInRow > 0 ? [failureObstacle(asked, failuresInRow)] : [];
  if (sent !== null && probe === 'askingPaths') return { unanswered: failed, underWay: [pathsUnderWay(asked, sent)] };
  if (sent !== null && (probe === 'readingCluster' || probe === 'looking'))
    return { unanswered: [...failed, lookUnderWay(probe, sent, at)], underWay: [] };
  if (sent !== null && probe === 'asking') {
    const sentence = `Probe ${sent.number} had been under way for ${seconds(at - sent.askedAt)}, and had not been answered yet.`;
    return { unanswered: failed, underWay: [obstacle('probeUnderWay', sentence, ['4.3'], [deadlineFact(sent, at)])] };
  }
  if (judged || failed.length > 0) return { unanswered: failed, underWay: [] };
  const dueAt = probeDueAt(context);
  const due = dueAt === undefined ? '' : ` The first one was due in ${seconds(dueAt - at)}.`;
  return { unanswered: [obstacle('notAsked', `No probe had been answered yet.${due}`, ['2', '4.6'])], underWay: [] };
}

function deadlineFact({ deadlineAt }: AskedProbe, at: Instant): Fact {
  return fact('counts as failed after', `${seconds(deadlineAt - at)} more`);
}

function failureObstacle(asked: Asked, failures: number): Obstacle {
  const { context, one, turns, index } = asked;
  const { at } = one.turn;
  const { heldUntil } = context.probe;
  const failed = turns.slice(0, index + 1).findLast(isFailure);
  const why = failed === undefined || isEnded(failed.turn.event) ? '' : `: ${shootEventWords(failed.turn.event)}`;
  const dueAt = probeDueAt(context);
  const saw: readonly Fact[] = [
    fact('failures in a row', String(failures)),
    ...(dueAt === undefined ? [] : [fact('next probe', `due in ${seconds(dueAt - at)}`)]),
  ];
  const goesOn = 'Silence scales nothing; what the last verdict began goes on.';
  const isHeld = heldUntil !== null && heldUntil > at;
  if (isHeld && isLeftAlone(context)) {
    const times = counted(context.paths?.internalFailures ?? 0, 'time');
    const sentence = `The internal path had failed ${times} in a row${why}. The shoot was left alone for ${seconds(heldUntil - at)} more. ${goesOn}`;
    return obstacle('leftAlone', sentence, ['4.9', '4.4', 'S1'], saw);
  }
  const many = failures === 1 ? 'The last probe told nothing' : `The last ${counted(failures, 'probe')} told nothing`;
  return obstacle(
    isHeld ? 'throttled' : 'noAnswer',
    `${many}${why}. ${goesOn}`,
    [...(isHeld ? (['4.5'] as const) : []), '4.4', ...(context.paths === undefined ? [] : (['4.9'] as const)), 'S1'],
    saw,
  );
}

/** Whether a turn tells why a probe told nothing. A path's failure that led to a verdict, or that nobody waited for, does not. */
function isFailure(one: Asked['one']): boolean {
  const { event, notes } = one.turn;
  if (event.type === 'path.answered')
    return event.failure !== undefined && isAwaited(one) && !notes.some(({ kind }) => kind === 'verdict');
  return event.type === 'probe.failed' || event.type === 'candidates.failed';
}

/** What the verdict of two paths has against it: the external one carried, or did not (SPEC 4.9). */
export function pathObstacle(last: LastVerdict, { kind }: PathVerdict): Obstacle {
  const sentence =
    kind === 'cutOff'
      ? 'The shoot was cut off: its API server answered on the internal path, and not on the external one.'
      : 'The shoot was connected: its API server answered on both paths.';
  return obstacle(kind, sentence, ['4.9'], verdictFacts(last));
}

/** The paths were asked, and not all that is needed was answered yet. */
function pathsUnderWay({ context, one }: Asked, sent: AskedProbe): Obstacle {
  const { at } = one.turn;
  const sentence = `Probe ${sent.number} had been under way for ${seconds(at - sent.askedAt)}, and not both paths had told yet.`;
  const saw = [...(context.paths === undefined ? [] : pathStateFacts(context.paths)), deadlineFact(sent, at)];
  return obstacle('probeUnderWay', sentence, ['4.3', '4.9'], saw);
}

/** What is asked for after a probe was answered: which leases count, or whether the shoot hibernates unseen (SPEC 3.5, 5.4). */
function lookUnderWay(probe: 'looking' | 'readingCluster', sent: AskedProbe, at: Instant): Obstacle {
  const saw = [deadlineFact(sent, at)];
  if (probe === 'looking') {
    const sentence = `Nodes and Machines had been asked for, to tell which leases of probe ${sent.number} count, and had not been answered yet.`;
    return obstacle('lookUnderWay', sentence, ['5.4'], saw);
  }
  const sentence = `The Cluster had been asked for, since its stream was out and probe ${sent.number} may lead to a scaling, and had not been answered yet.`;
  return obstacle('clusterUnderWay', sentence, ['3.5', '4.9'], saw);
}

/** The internal path has failed so often that nothing is asked for a while (SPEC 4.9). */
function isLeftAlone({ paths, config }: ShootContext): boolean {
  return paths !== undefined && paths.internalFailures >= config.failureThreshold;
}
