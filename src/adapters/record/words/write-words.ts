import type { DependantKey, DependantRef } from '../../../domain/prober/dependant.ts';
import type { DownDependant } from '../../../domain/prober/down-dependants.ts';
import { readRecord } from '../../../domain/prober/due-change.ts';
import type {
  PresentResource,
  ResourceChange,
  ResourceView,
  WriteAnswer,
} from '../../../domain/prober/resource-view.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ShootCommands, ShootNote } from '../../../machines/shoot-language.ts';
import { counted, seconds } from '../../words/plain-words.ts';

type ScaleWrite = Pick<ShootCommands['scale'], 'seen' | 'change'>;

/** `from 2 to 0`; of a write that changes replicas. */
export function moveWords({ seen, change }: ScaleWrite): string {
  return `from ${seen.replicas} to ${change.replicas}`;
}

/** What the record of a scale-down promises: `comes back with 2 replicas`; without a readable one it is 1. */
export function comesBackWords({ seen, change }: ScaleWrite): string {
  return `comes back with ${counted(change.record ?? readRecord(seen.record) ?? 1, 'replica')}`;
}

/** What a turn commands, without the counts of before: `to 0: machine-controller-manager, cluster-autoscaler; without the mark: kube-controller-manager`. */
export function targetWords(writes: readonly Pick<ShootCommands['scale'], 'key' | 'change'>[]): string {
  const groups = Map.groupBy(writes, ({ change: { replicas, mark } }) =>
    replicas === undefined ? `${mark === false ? 'without' : 'with'} the mark` : `to ${replicas}`,
  );
  return [...groups].map(([what, those]) => `${what}: ${those.map(({ key }) => shortName(key)).join(', ')}`).join('; ');
}

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
export function changeWords(name: string, write: ScaleWrite): string {
  if (write.change.replicas === undefined) return `${annotationWords(write.change, 'command').join(', ')} ${name}`;
  return scaleWords(name, write, 'command');
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
  if (replicas !== undefined) return scaleWords(name, { seen, change: { replicas } }, 'command');
  if (mark === true) return `set our mark on ${name}`;
  return typeof record === 'number' ? `record ${record} on ${name}` : removeWords(name, change, 'command');
}

/** A write that was done: `scaled kube-controller-manager from 2 to 0 (marked, 2 recorded)`, `… from 0 to 1: kubectl had scaled it to 0`. */
export function doneWords(name: string, write: ScaleWrite): string {
  const { change } = write;
  const { replicas, mark, record } = change;
  if (replicas !== undefined) {
    const hand = otherHandWords(write);
    return `${scaleWords(name, write, 'done')}${hand === undefined ? '' : `: ${hand}`}`;
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

/** A write that came to nothing: `could not scale kube-controller-manager from 2 to 0: …`; undefined where it was done. */
export function undoneWords(name: string, write: ScaleWrite, answer: WriteAnswer): string | undefined {
  switch (answer.outcome) {
    case 'failed':
    case 'undone':
      return `could not ${toDoWords(name, write)}: ${whyNotWritten(write, answer)}`;
    case 'conflict':
    case 'missing':
    case 'withdrawn':
      return `did not ${toDoWords(name, write)}: ${nothingWords[answer.outcome]}`;
    case 'written':
      return undefined;
  }
}

const nothingWords = {
  conflict: 'somebody else changed it meanwhile, and it is read again',
  missing: 'it does not exist any more',
  withdrawn: 'the write was taken back before it was sent',
};

/** What somebody else scaled to 0: `kube-controller-manager was scaled from 2 to 0 by kubectl, and not by the watchdog`. */
export function loweredByOthersWords(
  name: string,
  was: PresentResource,
  { replicas, scaledBy }: PresentResource,
): string {
  const who = scaledBy === undefined ? ', but' : ` by ${scaledBy}, and`;
  return `${name} was scaled ${moveWords({ seen: was, change: { replicas } })}${who} not by the watchdog`;
}

/** What somebody else raised: `kube-controller-manager was scaled to 1 replica by kubectl, while the nodes are cut off; the next verdict scales it down again`. */
export function raisedByOthersWords(
  name: string,
  { to, by = 'somebody else' }: Pick<Extract<ShootNote, { kind: 'raised' }>, 'to' | 'by'>,
): string {
  return `${name} was scaled to ${counted(to, 'replica')} by ${by}, while the nodes are cut off; the next verdict scales it down again`;
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
  seen: PresentResource,
  ref: DependantRef,
  { replicas, mark }: ResourceChange,
  tense: Tense,
): string {
  const { remove } = tenses[tense];
  if (replicas === undefined) return `${remove} the mark from ${refWords(ref)}`;
  const guessed = readRecord(seen.record) === undefined ? ', since nothing readable tells what it had' : '';
  const unmarked = mark === false ? ` and ${remove} the mark` : '';
  return `${scaleWords(refWords(ref), { seen, change: { replicas } }, tense)}${guessed}${unmarked}`;
}

function scaleWords(name: string, write: ScaleWrite, tense: Tense): string {
  const also = annotationWords(write.change, tense);
  const words = `${tenses[tense].scale} ${name} ${moveWords(write)}`;
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

/** Why a release broke off, and what it had raised by then. */
export function brokenOffWords(detail: string, raisedTo: number | undefined): string {
  return `${detail}${raisedTo === undefined ? '' : `; it has ${counted(raisedTo, 'replica')} again`}`;
}

/** `Deployment kube-controller-manager`. */
export function refWords({ kind, name }: DependantRef): string {
  return `${kind} ${name}`;
}

/** How a dependant stands: `2 replicas wanted, 1 ready, marked, record "2"`. */
export function viewWords(view: ResourceView): string {
  if (!view.found) return 'missing';
  const { replicas, readyReplicas, marked, record, ignored, observed } = view;
  return [
    `${counted(replicas, 'replica')} wanted, ${readyReplicas} ready`,
    !observed && 'status not yet up to date',
    marked && 'marked',
    record !== undefined && `record "${record}"`,
    ignored && 'ignored',
  ]
    .filter((word) => word !== false)
    .join(', ');
}

/** `kube-controller-manager (2 replicas recorded), cluster-autoscaler`. */
export function downWords(down: readonly DownDependant[]): string {
  return down
    .map(({ key, recorded }) =>
      recorded === undefined ? shortName(key) : `${shortName(key)} (${counted(recorded, 'replica')} recorded)`,
    )
    .join(', ');
}

/** `apps/v1/Deployment/kube-controller-manager` as people call it: its name; its kind too where that is no Deployment. */
export function shortName(key: DependantKey): string {
  const [name = key, kind] = key.split('/').toReversed();
  return kind === undefined || kind === 'Deployment' ? name : `${kind}/${name}`;
}
