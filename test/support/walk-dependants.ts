import { isUpToDate } from '../../src/domain/prober/scale-step.ts';
import type { Dependant } from '../../src/domain/prober/dependant.ts';
import type { ReadAnswer, WriteAnswer, PresentResource, ResourceView } from '../../src/domain/prober/resource-view.ts';
import { writtenOn } from '@dwd/testing/shoot-driver.ts';
import { present } from '@dwd/testing/views.ts';
import type { Alphabet } from './walk-moves.ts';
import { isOutrun, type Move, type WalkPlace } from './walk-place.ts';

/** What may happen to each dependant: answers to requests under way, what follows from them, and what others do. */
export function dependantMoves(place: WalkPlace, alphabet: Alphabet): readonly Move[] {
  return alphabet.config.dependants.flatMap((dependant) => [
    ...writeMoves(place, dependant, alphabet),
    ...readMoves(place, dependant, alphabet),
    ...newsMoves(place, dependant, alphabet),
  ]);
}

function writeMoves(place: WalkPlace, dependant: Dependant, { failing = [] }: Alphabet): readonly Move[] {
  const {
    snapshot: { context },
    now: at,
    sent,
    takenBack,
  } = place;
  const { key, ref } = dependant;
  const number = context.known[key]?.writing ?? null;
  const write = sent[key];
  if (number === null || write === undefined) return [];
  const move = (name: string, answer: WriteAnswer, when: Move['when']): Move => ({
    type: `${ref.name} ${name}`,
    play: [() => ({ type: 'scale.answered', at, askedAt: at, asked: { ...write, number }, answer })],
    when,
  });
  // The version guards what others, or the replicas, have changed meanwhile; a dependant that is gone is missing.
  const { view } = context.known[key]!;
  const moves = [
    view?.found === false
      ? move('missing', { outcome: 'missing' }, 'always')
      : !isOutrun(place, dependant)
        ? move('written', { outcome: 'written', view: writtenOn(write.seen, write.change) }, 'always')
        : move('outrun', { outcome: 'conflict' }, 'always'),
  ];
  if (takenBack.includes(number)) moves.push(move('withdrawn', { outcome: 'withdrawn' }, 'trouble'));
  if (!failing.includes(dependant)) return moves;
  return [
    ...moves,
    move('conflict', { outcome: 'conflict' }, 'trouble'),
    move('refused', { outcome: 'failed', detail: 'no' }, 'trouble'),
  ];
}

function readMoves(
  { snapshot: { context }, now: at }: WalkPlace,
  dependant: Dependant,
  { failing = [], forbidden = [] }: Alphabet,
): readonly Move[] {
  const { key, ref } = dependant;
  const known = context.known[key]!;
  const { view, reading, refusal } = known;
  if (reading === null) return [];
  const { number } = reading;
  const move = (name: string, answer: ReadAnswer, when: Move['when']): Move => ({
    type: `${ref.name} ${name}`,
    play: [() => ({ type: 'read.answered', at, askedAt: at, asked: { number, key, ref, urgent: false }, answer })],
    when,
  });
  // After a conflict there is something newer; otherwise the view is the truth.
  const found = view?.found === true && !isUpToDate(known) ? newer(view, {}) : (view ?? one);
  const moves = [move('read', { outcome: 'read', view: found }, 'always')];
  if (found.found && hasToFollow(found))
    moves.push(move('read as it followed', { outcome: 'read', view: followed(found) }, 'always'));
  // Twice is enough: each further time is one more hour of the same.
  if (forbidden.includes(dependant) && (refusal?.times ?? 0) < 2)
    moves.push(move('forbidden', { outcome: 'refused', detail: 'no' }, 'trouble'));
  if (failing.includes(dependant)) moves.push(move('not read', { outcome: 'failed', detail: 'no' }, 'trouble'));
  return moves;
}

function newsMoves(
  { snapshot: { context }, now: at }: WalkPlace,
  dependant: Dependant,
  { deleted = [], ignored = [], raised = [], takenDown = [], unwatched = [] }: Alphabet,
): readonly Move[] {
  const { key, ref } = dependant;
  const { view, live, writing } = context.known[key]!;
  const moves: Move[] = [];
  const add = (name: string, seen: ResourceView, when: Move['when']) =>
    moves.push({
      type: `${ref.name} ${name}`,
      play: [() => ({ type: 'dependant.changed', at, key, view: seen })],
      when,
    });
  if (unwatched.includes(dependant))
    moves.push({
      type: `${ref.name} ${live ? 'out of sight' : 'in sight'}`,
      play: [() => ({ type: 'dependant.watched', at, key, live: !live })],
      when: live ? 'trouble' : 'always',
    });
  if (!live) return moves;

  if (view?.found !== true) {
    add('created', { ...one, resourceVersion: '1000000' }, 'always');
    return moves;
  }
  // Before the answer it would cost every write a conflict; others do that where the walk allows it.
  if (hasToFollow(view) && writing === null) add('followed', followed(view), 'always');
  if (deleted.includes(dependant)) add('deleted', { found: false }, 'trouble');
  if (ignored.includes(dependant) && !view.ignored) add('ignored', newer(view, { ignored: true }), 'trouble');
  if (raised.includes(dependant) && view.replicas === 0)
    add('raised', newer(view, { replicas: 1, readyReplicas: 1 }), 'trouble');
  if (takenDown.includes(dependant) && view.replicas > 0)
    add('taken down', newer(view, { replicas: 0, readyReplicas: 0 }), 'trouble');
  return moves;
}

const one = present({ replicas: 1, readyReplicas: 1 });

function newer(view: PresentResource, change: Partial<PresentResource>): PresentResource {
  return { ...view, ...change, resourceVersion: String(Number(view.resourceVersion) + 1) };
}

function followed(view: PresentResource): PresentResource {
  return newer(view, { readyReplicas: view.replicas, observed: true });
}

function hasToFollow({ readyReplicas, replicas, observed }: PresentResource): boolean {
  return !observed || readyReplicas !== replicas;
}
