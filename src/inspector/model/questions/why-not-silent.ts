import { isEnded } from '../../../adapters/turns/runtime-events.ts';
import { shootEventWords } from '../../../adapters/words/shoot-words.ts';
import { counted, seconds } from '../../../adapters/words/plain-words.ts';
import { judgeLifecycle } from '../../../domain/prober/cluster-view.ts';
import { probeDueAt } from '../../../machines/probe-plan.ts';
import { judgedFacts, pathStateWords, type Fact } from '../explanation/explanation.ts';
import type { Asked, Obstacle } from './why-not-obstacle.ts';
import { isAwaited } from './what-if-recorded.ts';
import type { PathVerdict } from '../../../domain/prober/shoot-path.ts';
import type { Instant } from '../../../domain/time.ts';
import type { AskedProbe, ShootContext } from '../../../machines/shoot-context.ts';
import type { LastVerdict } from './why-not-judged.ts';

/** Nothing is asked of a shoot that is paused, or was not seen yet (SPEC 3). */
export function restObstacle({ context, direction, shield, turns, index }: Asked): Obstacle | undefined {
  if (shield !== 'idle') return undefined;
  const { pause, cluster } = context;
  if (pause === null) {
    const sentence = 'No Cluster of the shoot had been seen yet, so it was not probed.';
    return { kind: 'notSeen', sentence, saw: [], rules: ['3.2'] };
  }
  const stays = direction === 'up' ? ' Whatever is down then stays down: gardenlet scales now.' : '';
  const lifecycle = cluster === null ? undefined : judgeLifecycle(cluster);
  const isTheirs = lifecycle !== undefined && lifecycle.kind !== 'start' && lifecycle.reason === pause.because;
  const told = turns.slice(0, index + 1).findLast(({ turn: { event } }) => event.type === 'cluster.gone');
  const rule = isTheirs ? (lifecycle.kind === 'stop' ? '3.1' : '3.2') : told === undefined ? '3.4' : '3.1';
  const saw: readonly Fact[] = [{ name: 'paused because', value: pause.because }];
  return { kind: 'paused', sentence: `The shoot was paused: ${pause.because}.${stays}`, saw, rules: [rule] };
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
  if (sent !== null && probe === 'readingCluster')
    return { unanswered: [...failed, clusterUnderWay(asked, sent)], underWay: [] };
  if (sent !== null && (probe === 'asking' || probe === 'looking')) {
    const saw = [{ name: 'counts as failed after', value: `${seconds(sent.deadlineAt - at)} more` }];
    const { number, askedAt } = sent;
    if (probe === 'looking') {
      const sentence = `Nodes and Machines had been asked for, to tell which leases of probe ${number} count, and had not been answered yet.`;
      return { unanswered: [...failed, { kind: 'lookUnderWay', sentence, saw, rules: ['5.4'] }], underWay: [] };
    }
    const sentence = `Probe ${number} had been under way for ${seconds(at - askedAt)}, and had not been answered yet.`;
    return { unanswered: failed, underWay: [{ kind: 'probeUnderWay', sentence, saw, rules: ['4.3'] }] };
  }
  if (judged || failed.length > 0) return { unanswered: failed, underWay: [] };
  const dueAt = probeDueAt(context);
  const due = dueAt === undefined ? '' : ` The first one was due in ${seconds(dueAt - at)}.`;
  const sentence = `No probe had been answered yet.${due}`;
  return { unanswered: [{ kind: 'notAsked', sentence, saw: [], rules: ['2', '4.6'] }], underWay: [] };
}

function failureObstacle(asked: Asked, failures: number): Obstacle {
  const { context, one, turns, index } = asked;
  const { at } = one.turn;
  const { heldUntil } = context.probe;
  const failed = turns.slice(0, index + 1).findLast(isFailure);
  const why = failed === undefined || isEnded(failed.turn.event) ? '' : `: ${shootEventWords(failed.turn.event)}`;
  const dueAt = probeDueAt(context);
  const saw: readonly Fact[] = [
    { name: 'failures in a row', value: String(failures) },
    ...(dueAt === undefined ? [] : [{ name: 'next probe', value: `due in ${seconds(dueAt - at)}` }]),
  ];
  const isHeld = heldUntil !== null && heldUntil > at;
  if (isHeld && isLeftAlone(context)) return leftAlone(asked, heldUntil, why, saw);
  const many = failures === 1 ? 'The last probe told nothing' : `The last ${counted(failures, 'probe')} told nothing`;
  const sentence = `${many}${why}. Silence scales nothing; what the last verdict began goes on.`;
  return {
    kind: isHeld ? 'throttled' : 'noAnswer',
    sentence,
    saw,
    rules: [
      ...(isHeld ? (['4.5'] as const) : []),
      '4.4',
      ...(context.paths === undefined ? [] : (['4.9'] as const)),
      'S1',
    ],
  };
}

/** Whether a turn tells why a probe told nothing. A path's failure that led to a verdict, or that nobody waited for, does not. */
function isFailure(one: Asked['one']): boolean {
  const { event, notes } = one.turn;
  if (event.type === 'path.answered')
    return event.failure !== undefined && isAwaited(one) && !notes.some(({ kind }) => kind === 'verdict');
  return event.type === 'probe.failed' || event.type === 'candidates.failed';
}

/** What the verdict of two paths has against it: the external one carried, or did not (SPEC 4.9). */
export function pathObstacle({ context }: LastVerdict, verdict: PathVerdict): Obstacle {
  const { kind } = verdict;
  const saw: readonly Fact[] = [
    ...judgedFacts(context, verdict),
    ...(verdict.kind === 'cutOff'
      ? [
          {
            name: 'first failed question',
            value: `${seconds((context.probe.asked?.askedAt ?? verdict.crossedAt) - verdict.crossedAt)} before the last one`,
            at: verdict.crossedAt,
          },
        ]
      : []),
  ];
  const sentence =
    kind === 'cutOff'
      ? 'The shoot was cut off: its API server answered on the internal path, and not on the external one.'
      : 'The shoot was connected: its API server answered on both paths.';
  return { kind, sentence, saw, rules: ['4.9'] };
}

/** The paths were asked, and not all that is needed was answered yet. */
function pathsUnderWay({ context, one }: Asked, { number, askedAt, deadlineAt }: AskedProbe): Obstacle {
  const { at } = one.turn;
  const { internal, external } = context.paths?.asked ?? { internal: 'notAsked', external: 'notAsked' };
  return {
    kind: 'probeUnderWay',
    sentence: `Probe ${number} had been under way for ${seconds(at - askedAt)}, and not both paths had told yet.`,
    saw: [
      { name: 'internal path', value: pathStateWords[internal] },
      { name: 'external path', value: pathStateWords[external] },
      { name: 'counts as failed after', value: `${seconds(deadlineAt - at)} more` },
    ],
    rules: ['4.3', '4.9'],
  };
}

/** Both paths told, and the shoot may hibernate unseen (SPEC 3.5). */
function clusterUnderWay({ one }: Asked, { number, deadlineAt }: AskedProbe): Obstacle {
  return {
    kind: 'clusterUnderWay',
    sentence: `The Cluster had been asked for, since its stream was out and probe ${number} may lead to a scaling, and had not been answered yet.`,
    saw: [{ name: 'counts as failed after', value: `${seconds(deadlineAt - one.turn.at)} more` }],
    rules: ['3.5', '4.9'],
  };
}

/** The internal path has failed so often that nothing is asked for a while (SPEC 4.9). */
function isLeftAlone({ paths, config }: ShootContext): boolean {
  return paths !== undefined && paths.internalFailures >= config.failureThreshold;
}

function leftAlone({ context, one }: Asked, until: Instant, why: string, saw: readonly Fact[]): Obstacle {
  const { at } = one.turn;
  const { internalFailures } = context.paths ?? { internalFailures: 0 };
  const times = counted(internalFailures, 'time');
  return {
    kind: 'leftAlone',
    sentence: `The internal path had failed ${times} in a row${why}. The shoot was left alone for ${seconds(until - at)} more. Silence scales nothing; what the last verdict began goes on.`,
    saw,
    rules: ['4.9', '4.4', 'S1'],
  };
}
