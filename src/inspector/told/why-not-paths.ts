import { counted, seconds } from '../../adapters/words/plain-words.ts';
import type { PathVerdict } from '../../domain/prober/shoot-path.ts';
import type { Instant } from '../../domain/time.ts';
import type { AskedProbe, ShootContext } from '../../machines/shoot-context.ts';
import type { Fact } from './explanation.ts';
import { judgedFacts, pathStateWords } from './path-words.ts';
import type { Asked, Obstacle } from './why-not-obstacle.ts';
import type { LastVerdict } from './why-not-verdict.ts';

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
export function pathsUnderWay({ context, one }: Asked, { number, askedAt, deadlineAt }: AskedProbe): Obstacle {
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
export function clusterUnderWay({ one }: Asked, { number, deadlineAt }: AskedProbe): Obstacle {
  return {
    kind: 'clusterUnderWay',
    sentence: `The Cluster had been asked for, since its stream was out and probe ${number} may lead to a scaling, and had not been answered yet.`,
    saw: [{ name: 'counts as failed after', value: `${seconds(deadlineAt - one.turn.at)} more` }],
    rules: ['3.5', '4.9'],
  };
}

/** The internal path has failed so often that nothing is asked for a while (SPEC 4.9). */
export function isLeftAlone({ paths, config }: ShootContext): boolean {
  return paths !== undefined && paths.internalFailures >= config.failureThreshold;
}

export function leftAlone({ context, one }: Asked, until: Instant, why: string, saw: readonly Fact[]): Obstacle {
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
