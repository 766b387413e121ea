import { shootMachine } from 'dependency-watchdog/machines/shoot.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { leasePolicy, type Answered, type ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import { flowFacts, judgedLeases, judgementFacts, nextProbeFact } from './explain-verdict.ts';
import { fact, instantFact, pathStateFacts, type Explainer, type Fact } from './explanation.ts';
import { shootGuardWords } from './shoot-guard-words.ts';
import { tracedMachine, type Trace } from './traced-machine.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';

type Event = ShootLanguage['Event'];

export const shootExplainer: Explainer<ShootLanguage> = {
  trace: tracedMachine<ShootLanguage>(shootMachine),
  decides: (state) => state.startsWith('shield'),
  guards: shootGuardWords,
  decision(event, trace) {
    const { context } = trace.after;
    const judged = judgedIn(trace);
    return [
      ...(judged === undefined ? [] : judgementFacts(judged, event)),
      ...(hasVerdict(trace) ? judgedPathsFacts(context, event.at) : probeFacts(event, context)),
      ...(context.flow === null || flowWasAsked(trace) ? [] : flowFacts(context, event.at)),
    ];
  },
  leases(event, trace) {
    const judged = judgedIn(trace);
    return judged === undefined ? { leases: [], leftOut: 0 } : judgedLeases(judged, event);
  },
};

/** Its guard has shown the flow already. */
function flowWasAsked({ asked }: Trace<ShootLanguage>): boolean {
  return asked.some(({ guard }) => guard === 'isFlowFinished');
}

/** The context by which the verdict of this turn was reached; undefined where there is none, or none by leases. */
function judgedIn(trace: Trace<ShootLanguage>): Answered | undefined {
  const { after } = trace;
  const { seen } = after.context;
  return hasVerdict(trace) && seen !== null ? { ...after.context, seen } : undefined;
}

function hasVerdict({ asked }: Trace<ShootLanguage>): boolean {
  return asked.some(({ heard }) => heard.type === 'verdict.reached');
}

/** What a turn without a verdict makes of the probe: a failure counts no verdict, and plans the next one (SPEC 4.4, 4.5). */
function probeFacts(event: Event, context: ShootContext): readonly Fact[] {
  const { failuresInRow, heldUntil } = context.probe;
  if (event.type === 'path.answered') return toldPathsFacts(context, event.at);
  const next = nextProbeFact(context, event.at);
  if (event.type === 'probe.failed' || event.type === 'candidates.failed')
    return [
      fact('failed in a row', String(failuresInRow)),
      ...(heldUntil !== null && heldUntil > event.at ? [instantFact('left alone until', heldUntil, event.at)] : []),
      next,
    ];
  return plansProbe.has(event.type)
    ? [...(context.pause === null ? [] : [fact('paused', context.pause.because)]), next]
    : [];
}

/** Beside answers of a probe, events that tell when the next one is due. */
const plansProbe: ReadonlySet<Event['type']> = new Set([
  'cluster.changed',
  'cluster.gone',
  'cluster.answered',
  'probe.reserved',
]);

/** How the verdict of two paths was reached: when they were asked, and when a node may be marked (SPEC 4.9). Empty where leases are judged. */
function judgedPathsFacts(context: ShootContext, at: Instant): readonly Fact[] {
  const { paths, probe, outage, config } = context;
  if (paths === undefined) return [];
  return [
    instantFact('paths asked', probe.asked?.askedAt, at),
    ...pathStateFacts(paths),
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
function toldPathsFacts(context: ShootContext, at: Instant): readonly Fact[] {
  const { paths, probe, config } = context;
  if (paths === undefined) return [];
  const { failuresInRow, heldUntil } = probe;
  const { internalFailures } = paths;
  return [
    ...pathStateFacts(paths),
    ...(internalFailures === 0
      ? []
      : [fact('internal path failed in a row', `${internalFailures}, left alone from ${config.failureThreshold} on`)]),
    ...(failuresInRow === 0 ? [] : [fact('probes without a verdict in a row', String(failuresInRow))]),
    ...(heldUntil !== null && heldUntil > at ? [instantFact('left alone until', heldUntil, at)] : []),
    nextProbeFact(context, at),
  ];
}
