import { shootMachine } from '../../machines/shoot.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { Answered, ShootContext } from '../../machines/shoot-context.ts';
import { flowFacts } from './explain-flow.ts';
import type { MachineTelling } from './explain-telling.ts';
import { judgedLeases, judgementFacts, nextProbeFact } from './explain-verdict.ts';
import type { Fact } from './explanation.ts';
import { judgedPathsFacts, toldPathsFacts } from './explain-paths.ts';
import { fact, instantFact } from './guard-facts.ts';
import { guardWordsIn } from './guard-words.ts';
import { shootGuardWords } from './shoot-guard-words.ts';
import { tracedMachine, type Trace } from './traced-machine.ts';

type Event = ShootLanguage['Event'];

export const shootTelling: MachineTelling<ShootLanguage> = {
  trace: tracedMachine<ShootLanguage>(shootMachine),
  decides: (state) => state.startsWith('shield'),
  words: guardWordsIn(shootGuardWords),
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
  switch (event.type) {
    case 'probe.failed':
    case 'candidates.failed':
      return [
        fact('failed in a row', String(failuresInRow)),
        ...(heldUntil !== null && heldUntil > event.at ? [instantFact('left alone until', heldUntil, event.at)] : []),
        nextProbeFact(context, event.at),
      ];
    case 'path.answered':
      return toldPathsFacts(context, event.at);
    case 'cluster.changed':
    case 'cluster.gone':
    case 'cluster.answered':
    case 'probe.reserved':
      return [
        ...(context.pause === null ? [] : [fact('paused', context.pause.because)]),
        nextProbeFact(context, event.at),
      ];
    case 'cluster.watched':
    case 'dependant.changed':
    case 'dependant.watched':
    case 'woken':
    case 'probe.answered':
    case 'candidates.answered':
    case 'scale.answered':
    case 'read.answered':
      return [];
  }
}
