import type { Dependant, DependantKey } from '../domain/prober/dependant.ts';
import type { ResourceView } from '../domain/prober/resource-view.ts';
import { isUpToDate, mayBeRead, refusedAgain, type KnownDependant, type Reading } from '../domain/prober/scale-step.ts';
import { failed, seenAfter } from '../domain/prober/tries.ts';
import { isOlder } from '../domain/resource-version.ts';
import { type Instant, earliest, type Millis } from '../domain/time.ts';
import { advance } from './shield.ts';
import { note, remember, type Decision, type ShootContext } from './shoot-context.ts';
import type { ShootCommand, ShootEventOf, ShootNote } from './shoot-language.ts';

export function recordView(
  context: ShootContext,
  { at, key, view, rewound }: ShootEventOf<'dependant.changed'>,
): Decision {
  return advanceTold(context, key, learn(context, key, view, { at, isVoid: rewound === true }), at);
}

/** Goes on with what is told of a dependant, and says whether somebody else raised what we brought down (SPEC 6.9). */
function advanceTold(before: ShootContext, key: DependantKey, after: ShootContext, at: Instant): Decision {
  const raised = raisedByOthers(before, key, after.known[key]?.view);
  if (raised === undefined || before.outage === null) return advance(after, at);
  // Only where everything was down does everything come down anew.
  const outage = before.flow === null ? { raisedAt: at, ...before.outage } : before.outage;
  const { commands, ...moved } = advance({ ...after, outage }, at);
  return { ...moved, commands: [note(raised), ...commands] };
}

/** Where a write of ours is under way, or its answer was lost, nobody can say whose hand it was. What is ignored is raised on purpose, and stays up. */
function raisedByOthers(
  { known }: ShootContext,
  key: DependantKey,
  now: ResourceView | null | undefined,
): ShootNote | undefined {
  const before = known[key];
  if (!isUpToDate(before) || before.writing !== null || !now?.found || now.ignored || now.replicas === 0)
    return undefined;
  const { view } = before;
  if (!view.found || !view.marked || view.replicas > 0) return undefined;
  return { kind: 'raised', key, to: now.replicas, ...(now.scaledBy === undefined ? {} : { by: now.scaledBy }) };
}

export function recordWatch(context: ShootContext, { at, key, live }: ShootEventOf<'dependant.watched'>): Decision {
  return advance(
    withKnown(context, key, (one) => ({ ...one, live })),
    at,
  );
}

/** A late answer has an old number. Nothing waits for it any more. */
export function applyWriteAnswer(
  context: ShootContext,
  { at, asked, answer }: ShootEventOf<'scale.answered'>,
): Decision {
  const { key, number } = asked;
  if (context.known[key]?.writing !== number) return remember(context);
  const after = withKnown(context, key, (one) => ({ ...one, writing: null }));
  switch (answer.outcome) {
    case 'written':
      return advance(learn(after, key, answer.view, { at }), at);
    case 'undone':
      return advance(learn(withFailure(after, key, at, 'undone'), key, answer.view, { at }), at);
    case 'missing':
      return advance(learn(after, key, { found: false }, { at }), at);
    case 'withdrawn':
      // A write of the last flow was taken back for this one, which goes on at once. A write of this flow was not permitted:
      // to ask again at once would be an endless loop.
      return advance(isTried(after, key) ? withFailure(after, key, at, 'write') : unsent(after, key), at);
    case 'conflict':
      return advance(outdated(withFailure(after, key, at, 'conflict'), key), at);
    case 'failed':
      // It may have been written all the same: what stands there has to be seen before the next try.
      return advance(outdated(withFailure(after, key, at, answer.perhapsWritten ? 'perhaps' : 'write'), key), at);
  }
}

export function applyReadAnswer(context: ShootContext, { at, asked, answer }: ShootEventOf<'read.answered'>): Decision {
  const { key, number } = asked;
  const known = context.known[key];
  if (known?.reading?.number !== number) return remember(context);
  const { overtaken } = known.reading;
  const after = withKnown(context, key, (one) => ({ ...upToDate(one), reading: null, heardAt: at }));
  switch (answer.outcome) {
    case 'read':
      // A GET tells how it is. Where that is older than what was known when it was asked, the seed was restored from a backup.
      return advanceTold(context, key, learn(after, key, answer.view, { at, isVoid: !overtaken }), at);
    case 'refused': {
      const refusal = refusedAgain(known, at);
      const moved = advance(
        withKnown(after, key, (one) => ({ ...one, refusal })),
        at,
      );
      const refused = note({ kind: 'dependantRefused', key, detail: answer.detail });
      return known.refusal === null ? { ...moved, commands: [refused, ...moved.commands] } : moved;
    }
    case 'failed':
      // An old view still serves: a write that goes by it is refused if it is too old.
      return advance(known.view === null ? withFailure(after, key, at, 'read') : after, at);
  }
}

/** Counts a failed try, for as long as a flow needs it. */
function withFailure(
  context: ShootContext,
  key: DependantKey,
  at: Instant,
  failure: Parameters<typeof failed>[3],
): ShootContext {
  const { flow } = context;
  return withKnown(context, key, (one) => {
    const direction = failure === 'read' ? (flow?.aim === 'down' ? 'down' : 'up') : (one.tries?.direction ?? 'up');
    return { ...one, tries: failed(one.tries, direction, at, failure) };
  });
}

function unsent(context: ShootContext, key: DependantKey): ShootContext {
  return withKnown(context, key, (one) => ({ ...one, tries: one.tries && { ...one.tries, holds: false } }));
}

function isTried({ flow }: ShootContext, key: DependantKey): boolean {
  const step = flow?.steps[key];
  return (step?.is === 'asking' || step?.is === 'pending') && step.write === 'own';
}

/** Takes the view unless a newer one is known: our own answers may be ahead of the watch (SPEC 6.6). `isVoid`: what is known does not count. */
function learn(
  context: ShootContext,
  key: DependantKey,
  view: ResourceView,
  { at, isVoid = false }: Readonly<{ at: Instant; isVoid?: boolean }>,
): ShootContext {
  return withKnown(context, key, (one) => {
    const seen = one.view;
    const isOld = seen !== null && !isVoid && isOlder(view.resourceVersion, seen.resourceVersion);
    // While a write is under way, what is seen may be from before it.
    const tries = one.writing === null && one.tries ? seenAfter(one.tries, isOld ? seen : view, at) : one.tries;
    if (isOld) return { ...one, tries };
    const moved = view.resourceVersion === undefined || view.resourceVersion !== seen?.resourceVersion;
    const reading = one.reading && { ...one.reading, overtaken: true };
    const isOutdated = !moved && one.view !== null && one.outdated;
    // The watch has said so already, and is believed.
    const now = isMissingUnwatched(view) && seen?.found === false ? seen : view;
    return { ...one, view: now, outdated: isOutdated, reading, heardAt: at, refusal: null, tries };
  });
}

function outdated(context: ShootContext, key: DependantKey): ShootContext {
  return withKnown(context, key, (one) => (one.view === null ? one : { ...one, outdated: true }));
}

function upToDate(known: KnownDependant): KnownDependant {
  return known.view === null ? known : { ...known, outdated: false };
}

function withKnown(
  context: ShootContext,
  key: DependantKey,
  change: (known: KnownDependant) => KnownDependant,
): ShootContext {
  const known = context.known[key];
  // A dependant that is not configured is none of ours.
  return known === undefined ? context : { ...context, known: { ...context.known, [key]: change(known) } };
}

/** How long a watch's word stands for what is believed to be at 0 while the shoot is cut off (SPEC 6.6). */
const believedFor: Millis = 60_000;

/** When something that is believed to be down must be read again; undefined where nothing is, or all of it is being read. */
export function recheckAt(context: ShootContext): Instant | undefined {
  // Asked after each turn.
  let first: Instant | undefined;
  for (const { key } of context.config.dependants) {
    const known = context.known[key];
    if (known !== undefined && isBelievedDown(known)) first = earliest([first, (known.heardAt ?? 0) + believedFor]);
  }
  return first;
}

/** A seed that was restored from a backup may have all of it running, and a silent watch cannot tell. */
export function recheck(context: ShootContext, at: Instant): Decision {
  const due = believedDown(context).filter(({ known }) => at >= (known.heardAt ?? 0) + believedFor);
  // Hundreds of shoots may be cut off for hours: their scale-ups must not stand in one queue with this.
  return askToRead(context, due, 'urgent');
}

/** Asks for every dependant whose watch tells nothing, or not yet that it is missing (SPEC 6.6, 6.8). */
export function readUnwatched(context: ShootContext, at: Instant): Decision {
  const unwatched = dependantsOf(context).filter(
    ({ known: { view, live, reading, writing, refusal } }) =>
      (!live || isMissingUnwatched(view)) && reading === null && writing === null && mayBeRead({ refusal }, at),
  );
  return askToRead(context, unwatched, 'ordinary');
}

/** An answer told that there is none, and no watch or list has. It may hold one, and say nothing more of it for ever. */
function isMissingUnwatched(view: ResourceView | null): boolean {
  return view?.found === false && view.resourceVersion === undefined;
}

type ConfiguredDependant = Readonly<{ dependant: Dependant; known: KnownDependant }>;

function dependantsOf({ config, known }: ShootContext): readonly ConfiguredDependant[] {
  return config.dependants.flatMap((dependant) => {
    const one = known[dependant.key];
    return one === undefined ? [] : [{ dependant, known: one }];
  });
}

function believedDown(context: ShootContext): readonly ConfiguredDependant[] {
  return dependantsOf(context).filter(({ known }) => isBelievedDown(known));
}

/** What waits in the lane of what can wait may wait for as long as the seed asks for patience: it is no answer. */
function isBelievedDown({ view, reading, writing }: KnownDependant): boolean {
  const isAwaited = reading?.bucket === 'urgent' || writing !== null;
  return view?.found === true && !view.ignored && view.replicas === 0 && !isAwaited;
}

/** Numbers the reads, and remembers that they are under way. */
function askToRead(context: ShootContext, wanted: readonly ConfiguredDependant[], bucket: Reading['bucket']): Decision {
  let { numbered } = context;
  const known = { ...context.known };
  const commands: ShootCommand[] = [];
  for (const { dependant, known: one } of wanted) {
    const { key, ref } = dependant;
    if (one.reading !== null) commands.push({ type: 'withdraw', params: { number: one.reading.number } });
    known[key] = { ...one, reading: { number: ++numbered, bucket, overtaken: false } };
    commands.push({ type: 'read', params: { number: numbered, key, ref, urgent: bucket === 'urgent' } });
  }
  return { context: { ...context, numbered, known }, commands };
}
