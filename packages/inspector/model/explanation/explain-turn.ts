import { isEnded, isStarted } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { Language } from 'dependency-watchdog/machines/pure-machine.ts';
import { contextChanges } from './context-changes.ts';
import type { AskedGuard, Explanation, Explainer } from './explanation.ts';
import { shootExplainer } from './explain-shoot.ts';
import { serviceExplainer } from './explain-service.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';
import type { Asked, Trace } from './traced-machine.ts';

export const explainers: { readonly [Kind in keyof Languages]: Explainer<Languages[Kind]> } = {
  shoot: shootExplainer,
  weeder: serviceExplainer,
};

/** What a turn was decided by: the same event is given to the same machine once more, and each guard tells what it sees. */
export function explainTurn<Kind extends keyof Languages>(
  kind: Kind,
  replayedTurn: ReplayedTurn<Languages[Kind]>,
): Explanation<Languages[Kind]> {
  return explained(explainers[kind], replayedTurn);
}

function explained<Spoken extends Language>(
  explainer: Explainer<Spoken>,
  { turn, before, after }: ReplayedTurn<Spoken>,
): Explanation<Spoken> {
  const { event } = turn;
  if (isStarted(event)) {
    const begun = { ...nothing, before: undefined, after };
    if (after === undefined)
      return { ...begun, missing: 'The machine begins here, and comes out otherwise than recorded.' };
    // What it was started with stands in the event.
    const { changes, leftOut } = contextChanges(event.input, after.context);
    return { ...begun, changes, changesLeftOut: leftOut, missing: 'The machine begins here: no guard is asked.' };
  }
  if (isEnded(event)) {
    const why = event.because === 'gone' ? 'What it was for is gone' : 'A bug of ours ended it';
    const missing = `${why}: the runtime ends the machine, and no guard is asked.`;
    return { ...nothing, before, after: undefined, missing };
  }
  if (before === undefined) return { ...nothing, before, after, missing: withoutBeginning };

  let trace: Trace<Spoken>;
  try {
    trace = explainer.trace(before, event);
  } catch (error) {
    const missing = `The machine of this program fails at this event: ${errorWords(error)}.`;
    return { ...nothing, before, after, missing };
  }
  const { changes, leftOut } = contextChanges(before.context, trace.after.context);
  const leases = explainer.leases(event, trace);
  const decides = ({ answer, to, state }: Asked) => answer && to !== undefined && explainer.decides(state);
  const conditions = explainer.conditions?.(event, before, trace) ?? [];
  return {
    guards: [...trace.asked.map((asked) => inWords(explainer, asked)), ...conditions],
    decidedBy: [...trace.asked.map(decides), ...conditions.map(({ decides }) => decides)].flatMap((decides, index) =>
      decides ? [index] : [],
    ),
    taken: trace.taken,
    before,
    after: after ?? trace.after,
    changes,
    changesLeftOut: leftOut,
    decision: explainer.decision(event, trace),
    leases: leases.leases,
    leasesLeftOut: leases.leftOut,
  };
}

const withoutBeginning =
  'The journal does not tell where the machine stood before this turn, so no guard can be asked again. Later turns can, from the next snapshot on.';

const nothing = {
  guards: [],
  decidedBy: [],
  taken: [],
  changes: [],
  changesLeftOut: 0,
  decision: [],
  leases: [],
  leasesLeftOut: 0,
} as const;

/** The chart gives each of its guards the context and event of its own machine. */
function inWords<Spoken extends Language>({ guards }: Explainer<Spoken>, asked: Asked): AskedGuard {
  const { context, heard, ...name } = asked;
  const words = guards[name.guard];
  if (words === undefined) throw new Error(`no words for the guard ${name.guard}`);
  return { ...name, question: words.question, rules: words.rules, saw: words.saw({ context, event: heard }) };
}
