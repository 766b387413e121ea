import { isEnded, isStarted } from '../../../adapters/turns/runtime-events.ts';
import { errorWords } from '../../../adapters/words/plain-words.ts';
import type { ShootContext } from '../../../machines/shoot-context.ts';
import type { ShootEvent } from '../../../machines/shoot-language.ts';
import { refusal, imaginedConfig, imaginedContext, type Changes, type Refusal } from './what-if-changes.ts';
import { compareBranches, firstStep, nextStep, type Comparison, type Branch, type Step } from './what-if-branch.ts';
import { followLook, followPaths } from './what-if-followed.ts';
import { beginning, recordedSteps, isOfPaths } from './what-if-recorded.ts';
import { assumedLook, hasAges, imaginedEvent, imaginedLook, imaginedProbe } from './what-if-imagined.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

/** What the same machine would have decided, beside what it did. None of `would` ever happened. */
export type WhatIf =
  | (Comparison &
      Readonly<{
        ok: true;
        did: readonly Step[];
        would: readonly Step[];
        /** What is not recorded, and was taken for granted; a sentence each. */
        assumed: readonly string[];
        /** What it would remember then. */
        context: ShootContext;
      }>)
  | Readonly<{ ok: false; refused: readonly Refusal[] }>;

/**
 * "What if?": the event of the turn at `index` is changed, and the same machine takes it. Where it then asks for nodes and Machines, the
 * recorded answer of the same number follows, or, where there is none, one by which every node with a lease counts; so until a verdict.
 * Never throws: what cannot be imagined is refused.
 */
export function whatIf(turns: readonly ShootTurnTaken[], index: number, changes: Changes): WhatIf {
  try {
    return imagined(turns, index, changes);
  } catch (error) {
    // A recorded place may be none of this machine's. The reader learns it; nothing else depends on it.
    return refused('turn', `the machine cannot take this turn: ${errorWords(error)}. Choose another turn`);
  }
}

function imagined(turns: readonly ShootTurnTaken[], index: number, changes: Changes): WhatIf {
  const begin = beginning(turns, index);
  const one = turns[begin];
  if (one === undefined) return refused('turn', 'there is no such turn. Choose one of the list');
  const { event } = one.turn;
  if (isEnded(event)) return refused('turn', 'the machine ended here, and decided nothing. Choose the turn before it');
  if (isStarted(event)) {
    const misplaced = misplacedChange(event, changes);
    if (misplaced !== undefined) return { ok: false, refused: [misplaced] };
    const config = imaginedConfig(event.input.config, changes);
    if ('field' in config) return { ok: false, refused: [config] };
    return beside(firstStep({ ...event, input: { ...event.input, config } }), [], turns, begin);
  }
  if (one.before === undefined)
    return refused('turn', 'nothing that is recorded tells where the machine stood before it. Choose a later turn');

  const imaginedPlace = imaginedContext(one.before.context, changes);
  if ('field' in imaginedPlace) return { ok: false, refused: [imaginedPlace] };
  const { context, assumed } = imaginedPlace;
  if (isOfPaths(event)) {
    const misplaced = misplacedChange(event, changes);
    if (misplaced !== undefined) return { ok: false, refused: [misplaced] };
    const followed = followPaths({ ...one.before, context }, { turns, begin, changes });
    return beside(followed.branch, [...assumed, ...followed.assumed], turns, begin);
  }
  const { answer: _, ...ofProbe } = changes;
  // What is answered, or fails, is the turn that is shown. Its probe came before it.
  const first = imaginedFirst(event, context, begin === index ? changes : ofProbe);
  if ('field' in first) return { ok: false, refused: [first] };
  const begun = nextStep({ steps: [], place: { ...one.before, context } }, first);
  const followed = followLook(begun, { turns, begin, index, changes });
  return beside(followed.branch, [...assumed, ...followed.assumed], turns, begin);
}

function beside(branch: Branch, assumed: readonly string[], turns: readonly ShootTurnTaken[], begin: number): WhatIf {
  const { steps: would, place } = branch;
  const did = recordedSteps(turns, begin);
  const { outcome } = turns[begin]?.replayed ?? { outcome: 'same' };
  const other =
    outcome === 'differs'
      ? ['The machine of this page does not come to what is recorded here: another version wrote it.']
      : [];
  return {
    ok: true,
    ...compareBranches(did, would),
    did,
    would,
    assumed: [...assumed, ...other],
    context: place.context,
  };
}

function imaginedFirst(event: ShootEvent, context: ShootContext, changes: Changes): ShootEvent | Refusal {
  const ofPaths = pathChange(event, changes);
  if (ofPaths !== undefined) return ofPaths;
  switch (event.type) {
    case 'probe.answered':
    case 'probe.failed':
      return imaginedProbe(event, context, changes);
    case 'candidates.answered':
    case 'candidates.failed': {
      const missing =
        'the leases came with the probe of this look, which is not among the turns. Load the turns before it';
      if (hasAges(changes)) return refusal('allAges', missing);
      const assumed = assumedLook({ number: event.number, cluster: false }, context, event.at);
      return imaginedEvent(imaginedLook(event, changes, assumed), changes);
    }
    case 'cluster.changed':
    case 'cluster.gone':
    case 'cluster.watched':
    case 'dependant.changed':
    case 'dependant.watched':
    case 'woken':
    case 'probe.reserved':
    case 'path.answered':
    case 'cluster.answered':
    case 'scale.answered':
    case 'read.answered':
      return misplacedChange(event, changes) ?? imaginedEvent(event, changes);
  }
}

/** Only an answer brings leases, and only an answer can fail. */
function misplacedChange({ type }: Readonly<{ type: string }>, changes: Changes): Refusal | undefined {
  if (hasAges(changes))
    return refusal('allAges', `${type} brings no leases. Choose a turn in which a probe is answered`);
  if (changes.answer !== undefined)
    return refusal('answer', `${type} is no answer of a probe. Choose a turn in which a probe is answered or fails`);
  return pathChange({ type }, changes);
}

function pathChange({ type }: Readonly<{ type: string }>, { internal, external }: Changes): Refusal | undefined {
  if (type === 'path.answered' || type === 'cluster.answered') return undefined;
  if (internal === undefined && external === undefined) return undefined;
  const field = internal === undefined ? 'external' : 'internal';
  return refusal(field, `${type} is no answer of a path. Choose a turn in which a path answers or fails`);
}

function refused(field: string, sentence: string): WhatIf {
  return { ok: false, refused: [refusal(field, sentence)] };
}
