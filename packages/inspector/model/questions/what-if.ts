import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import { isEnded, isStarted } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { ShootEvent } from 'dependency-watchdog/machines/shoot-language.ts';
import { leaseAges, type LeaseAge } from '../judged-leases.ts';
import {
  assumedLook,
  hasAges,
  imaginedConfig,
  imaginedContext,
  imaginedEvent,
  imaginedLook,
  imaginedProbe,
  refusal,
  Unimaginable,
  type Changes,
  type Refusal,
} from './what-if-changes.ts';
import { compareBranches, firstStep, nextStep, type Comparison, type Branch, type Step } from './what-if-branch.ts';
import { followLook, followPaths } from './what-if-followed.ts';
import { beginning, recordedSteps, isOfLook, isOfPaths } from './what-if-recorded.ts';
import type { ShootTurnTaken } from './why-not-obstacle.ts';

/** What the same machine would have decided, beside what it did. None of `would` ever happened. */
export type WhatIf = Imagined | Readonly<{ ok: false; refused: readonly Refusal[] }>;

type Imagined = Comparison &
  Readonly<{
    ok: true;
    did: readonly Step[];
    would: readonly Step[];
    /** What is not recorded, and was taken for granted; a sentence each. */
    assumed: readonly string[];
    /** What it would remember then. */
    context: ShootContext;
  }>;

/**
 * "What if?": the event of the turn at `index` is changed, and the same machine takes it. Where it then asks for nodes and Machines, the
 * recorded answer of the same number follows, or, where there is none, one by which every node with a lease counts; so until a verdict.
 * Never throws: what cannot be imagined is refused.
 */
export function whatIf(turns: readonly ShootTurnTaken[], index: number, changes: Changes): WhatIf {
  try {
    return imagined(turns, index, changes);
  } catch (error) {
    if (error instanceof Unimaginable) return { ok: false, refused: [error.refusal] };
    // A recorded place may be none of this machine's. The reader learns it; nothing else depends on it.
    const because = `the machine cannot take this turn: ${errorWords(error)}. Choose another turn`;
    return { ok: false, refused: [refusal('turn', because)] };
  }
}

function imagined(turns: readonly ShootTurnTaken[], index: number, changes: Changes): Imagined {
  const begin = beginning(turns, index);
  const one = turns[begin];
  if (one === undefined) throw new Unimaginable('turn', 'there is no such turn. Choose one of the list');
  const { event } = one.turn;
  if (isEnded(event))
    throw new Unimaginable('turn', 'the machine ended here, and decided nothing. Choose the turn before it');
  if (isStarted(event)) {
    refuseMisplaced(event, changes);
    const input = { ...event.input, config: imaginedConfig(event.input.config, changes) };
    return beside(firstStep({ ...event, input }), [], turns, begin);
  }
  if (one.before === undefined)
    throw new Unimaginable(
      'turn',
      'nothing that is recorded tells where the machine stood before it. Choose a later turn',
    );

  const { context, assumed } = imaginedContext(one.before.context, changes);
  const place = { ...one.before, context };
  const way = { turns, begin, index, changes };
  const { answer: _, ...ofProbe } = changes;
  // What is answered, or fails, is the turn that is shown. Its probe came before it.
  const ofFirst = begin === index || isOfPaths(event) ? changes : ofProbe;
  refuseMisplaced(event, ofFirst);
  const followed = isOfPaths(event)
    ? followPaths(place, way)
    : followLook(nextStep({ steps: [], place }, imaginedFirst(event, context, ofFirst)), way);
  return beside(followed.branch, [...assumed, ...followed.assumed], turns, begin);
}

function beside(branch: Branch, assumed: readonly string[], turns: readonly ShootTurnTaken[], begin: number): Imagined {
  const { steps: would, place } = branch;
  const did = recordedSteps(turns, begin);
  const other =
    turns[begin]?.replayed.outcome === 'differs'
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

function imaginedFirst(event: ShootEvent, context: ShootContext, changes: Changes): ShootEvent {
  if (event.type === 'probe.answered' || event.type === 'probe.failed') return imaginedProbe(event, context, changes);
  if (!isOfLook(event)) return imaginedEvent(event, changes);
  const assumed = assumedLook(event.number, context, event.at);
  return imaginedEvent(imaginedLook(event, changes, assumed), changes);
}

/** Only an answer brings leases, and only an answer can fail. Throws Unimaginable. */
function refuseMisplaced(event: ShootTurnTaken['turn']['event'], changes: Changes): void {
  const { type } = event;
  const isOfProbe = type === 'probe.answered' || type === 'probe.failed';
  if (hasAges(changes) && isOfLook(event))
    throw new Unimaginable(
      'allAges',
      'the leases came with the probe of this look, which is not among the turns. Load the turns before it',
    );
  if (hasAges(changes) && !isOfProbe)
    throw new Unimaginable('allAges', 'this turn brings no leases. Choose a turn in which a probe is answered');
  if (changes.answer !== undefined && !isOfProbe && !isOfLook(event)) {
    const because = 'this turn is no answer of a probe. Choose a turn in which a probe is answered or fails';
    throw new Unimaginable('answer', because);
  }
  const path = (['internal', 'external'] as const).find((each) => changes[each] !== undefined);
  if (path === undefined || isOfPaths(event)) return;
  throw new Unimaginable(path, 'this turn is no answer of a path. Choose a turn in which a path answers or fails');
}

/** One node's lease, as it was judged, and as it would be; undefined where there is none. */
export type LeaseBeside = Readonly<{ node: string; did: LeaseAge | undefined; would: LeaseAge | undefined }>;

/** The leases of both, the oldest first. */
export function leasesBeside(did: ShootContext | undefined, would: WhatIf): readonly LeaseBeside[] {
  const [then, now] = [did, would.ok ? would.context : undefined].map(
    (context) => new Map(context === undefined ? [] : leaseAges(context).map((age) => [age.node, age])),
  );
  const nodes = [...new Set([...(then?.keys() ?? []), ...(now?.keys() ?? [])])];
  const ageThen = (node: string) => then?.get(node)?.silent ?? -Infinity;
  return nodes
    .toSorted((one, other) => ageThen(other) - ageThen(one) || naturalOrder(one, other))
    .map((node) => ({ node, did: then?.get(node), would: now?.get(node) }));
}
