import type { DependantRef } from '../../../domain/prober/dependant.ts';
import { readRecord } from '../../../domain/prober/due-change.ts';
import type { PresentResource, ResourceChange, WriteAnswer } from '../../../domain/prober/resource-view.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ShootCommands, ShootNote } from '../../../machines/shoot-language.ts';
import { counted, seconds } from '../../words/plain-words.ts';

type ScaleWrite = Pick<ShootCommands['scale'], 'seen' | 'change'>;

/** How the parts of a write are told: as what is commanded, or as what was done. */
const tenses = {
  command: {
    scale: 'scale',
    remove: 'remove',
    mark: 'mark',
    unmark: 'unmark',
    record: (count: number) => `record ${count}`,
    unrecord: 'drop the record',
  },
  done: {
    scale: 'scaled',
    remove: 'removed',
    mark: 'marked',
    unmark: 'mark removed',
    record: (count: number) => `${count} recorded`,
    unrecord: 'record removed',
  },
} as const;

type Tense = keyof typeof tenses;

/** A write as the machine commands it: `scale kube-controller-manager from 1 to 0 (mark, record 1)`. */
export function changeWords(name: string, from: number, change: ResourceChange): string {
  if (change.replicas === undefined) return `${annotationWords(change, 'command').join(', ')} ${name}`;
  return scaleWords(name, from, change, 'command');
}

/** Whether the write raises what is not at 0 by our hand; then `gardenlet had scaled it to 0` says whose it was (SPEC 6.5). */
export function otherHandWords({ seen, change }: ScaleWrite): string | undefined {
  if (change.replicas === undefined || change.replicas === 0 || seen.marked) return undefined;
  return `${seen.scaledBy ?? 'somebody else'} had scaled it to 0`;
}

/** `it waits for 30.0 s before it is scaled up, since it was scaled down 3 times, each within 10 minutes of the one before`. */
export function waitWords({ until, descents }: Extract<ShootNote, { kind: 'returnWaits' }>, at: Instant): string {
  return `it waits for ${seconds(until - at)} before it is scaled up, since it was scaled down ${descents} times, each within 10 minutes of the one before`;
}

/** A write that is still to be done: `scale kube-controller-manager from 2 to 0`. What else it does is told once it is done. */
export function toDoWords(name: string, { seen, change }: ScaleWrite): string {
  const { replicas, mark, record } = change;
  if (replicas !== undefined) return scaleWords(name, seen.replicas, { replicas }, 'command');
  if (mark === true) return `set our mark on ${name}`;
  return typeof record === 'number' ? `record ${record} on ${name}` : removeWords(name, change, 'command');
}

/** A write that was done: `scaled kube-controller-manager from 2 to 0 (marked, 2 recorded)`, `… from 0 to 1: kubectl had scaled it to 0`. */
export function doneWords(name: string, write: ScaleWrite): string {
  const { seen, change } = write;
  const { replicas, mark, record } = change;
  if (replicas !== undefined) {
    const hand = otherHandWords(write);
    return `${scaleWords(name, seen.replicas, change, 'done')}${hand === undefined ? '' : `: ${hand}`}`;
  }
  if (mark === true) return `set our mark on ${name}${typeof record === 'number' ? ` and recorded ${record}` : ''}`;
  return typeof record === 'number' ? `recorded ${record} on ${name}` : removeWords(name, change, 'done');
}

/** Why a write has to be tried again; undefined where it was done, or nobody wants it as it was. */
export function whyNotWritten({ change }: Pick<ScaleWrite, 'change'>, answer: WriteAnswer): string | undefined {
  switch (answer.outcome) {
    case 'failed':
      return answer.detail;
    case 'undone':
      return `the answer shows ${shownWords(change, answer.view)}`;
    case 'written':
    case 'conflict':
    case 'missing':
    case 'withdrawn':
      return undefined;
  }
}

/** What stands there instead, and who put it there, where the object tells. A webhook is named nowhere. */
function shownWords(
  { replicas, mark }: ResourceChange,
  { replicas: stands, marked, scaledBy }: PresentResource,
): string {
  const by = scaledBy === undefined || scaledBy.startsWith(ownManager) ? '' : ` set by ${scaledBy}`;
  const shown = [
    ...(replicas === undefined || (replicas > 0 && stands >= replicas) ? [] : [`${counted(stands, 'replica')}${by}`]),
    ...(mark === undefined || mark === marked ? [] : [marked ? 'our mark' : 'no mark']),
  ];
  return shown.length === 0 ? 'another record' : shown.join(' and ');
}

/** Our own name in `managedFields`, which the seed gives to what changes a write of ours on its way too. */
const ownManager = 'dependency-watchdog';

/** A write by a person's hand: `scaled Deployment kube-controller-manager from 0 to 2 and removed the mark`. */
export function releaseWords(
  { replicas: from, record }: PresentResource,
  ref: DependantRef,
  { replicas, mark }: ResourceChange,
  tense: Tense,
): string {
  const { remove } = tenses[tense];
  if (replicas === undefined) return `${remove} the mark from ${refWords(ref)}`;
  const guessed = readRecord(record) === undefined ? ', since nothing readable tells what it had' : '';
  const unmarked = mark === false ? ` and ${remove} the mark` : '';
  return `${scaleWords(refWords(ref), from, { replicas }, tense)}${guessed}${unmarked}`;
}

function scaleWords(name: string, from: number, change: ResourceChange, tense: Tense): string {
  const also = annotationWords(change, tense);
  const words = `${tenses[tense].scale} ${name} from ${from} to ${change.replicas}`;
  return also.length === 0 ? words : `${words} (${also.join(', ')})`;
}

function annotationWords({ mark, record }: ResourceChange, tense: Tense): readonly string[] {
  const words = tenses[tense];
  return [
    ...(mark === undefined ? [] : [mark ? words.mark : words.unmark]),
    ...(record === undefined ? [] : [record === null ? words.unrecord : words.record(record)]),
  ];
}

function removeWords(name: string, { mark, record }: ResourceChange, tense: Tense): string {
  const own = mark === false && record === null ? 'mark and record' : mark === false ? 'mark' : 'record';
  return `${tenses[tense].remove} our ${own} from ${name}`;
}

/** `Deployment kube-controller-manager`. */
export function refWords({ kind, name }: DependantRef): string {
  return `${kind} ${name}`;
}
