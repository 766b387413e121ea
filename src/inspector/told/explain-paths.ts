import type { Instant } from '../../domain/time.ts';
import { leasePolicy, type Paths, type ShootContext } from '../../machines/shoot-context.ts';
import type { Fact } from './explanation.ts';
import { nextProbeFact } from './explain-verdict.ts';
import { fact, instantFact } from './guard-facts.ts';
import { pathStateWords } from './path-words.ts';
import { seconds } from '../../adapters/words/plain-words.ts';

/** How the verdict of two paths was reached: when they were asked, and when a node may be marked (SPEC 4.9). Empty where leases are judged. */
export function judgedPathsFacts(context: ShootContext, at: Instant): readonly Fact[] {
  const { paths, probe, outage, config } = context;
  if (paths === undefined) return [];
  return [
    instantFact('paths asked', probe.asked?.askedAt, at),
    ...stateFacts(paths),
    instantFact('external path answered last', paths.carriedAt, at),
    ...(outage === null
      ? []
      : [
          instantFact('first node would be marked, at the earliest', outage.firstMarkAt, at),
          fact('reckoned by', `a grace of ${seconds(leasePolicy(context).grace)}`),
        ]),
    nextProbeFact(context, at),
    fact('thresholds', `${config.failureThreshold} to go down, ${config.successThreshold} to go up`),
  ];
}

/** What an answer of one path comes to that leads to no verdict: it goes on, or it is over without one (SPEC 4.4, 4.9). */
export function toldPathsFacts(context: ShootContext, at: Instant): readonly Fact[] {
  const { paths, probe, config } = context;
  if (paths === undefined) return [];
  const { failuresInRow, heldUntil } = probe;
  const { internalFailures } = paths;
  return [
    ...stateFacts(paths),
    ...(internalFailures === 0
      ? []
      : [fact('internal path failed in a row', `${internalFailures}, left alone from ${config.failureThreshold} on`)]),
    ...(failuresInRow === 0 ? [] : [fact('probes without a verdict in a row', String(failuresInRow))]),
    ...(heldUntil !== null && heldUntil > at ? [instantFact('left alone until', heldUntil, at)] : []),
    nextProbeFact(context, at),
  ];
}

function stateFacts({ asked }: Paths): readonly Fact[] {
  return (['internal', 'external'] as const).map((path) => fact(`${path} path`, pathStateWords[asked[path]]));
}
