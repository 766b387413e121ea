import type { ShootTurn, Turn, Turns, WeederTurn } from '../../../effects/turn.ts';
import { byKind } from '../facts/turns.ts';
import type { Occurrence } from './event-object.ts';
import { waitWords, whyNotDeleted } from '../words/weeder-words.ts';
import { serviceOf } from '../../../domain/weeder/service-ref.ts';
import type { DependantKey, DependantRef } from '../../../domain/prober/dependant.ts';
import type { LeaseCount, ShootCommands, ShootNote } from '../../../machines/shoot-language.ts';
import type { Instant } from '../../../domain/time.ts';
import { expiredIn } from '../facts/lease-witness.ts';
import { partialOutageWords, silentWords } from '../words/lease-words.ts';
import { expiredWords, externalWords } from '../words/probe-words.ts';
import { seconds } from '../../words/plain-words.ts';
import { comesBackWords, moveWords, otherHandWords, raisedByOthersWords, whyNotWritten } from '../words/write-words.ts';

/** Picks from the turns what the owner of an object wants to know. */
export const occurrences: (turn: Turn) => readonly Occurrence[] = byKind<Turns, readonly Occurrence[]>({
  shoot: shootOccurrences,
  weeder: weederOccurrences,
});

/** What happened to pods at the weeder's hand. */
function weederOccurrences({ subject, event }: WeederTurn): readonly Occurrence[] {
  if (event.type !== 'deletion.answered') return [];
  const { namespace, service } = serviceOf(subject);
  const { pod, waits } = event.asked;
  const about = { namespace, ref: { apiVersion: 'v1', kind: 'Pod', name: pod.name }, uid: pod.uid };
  const why = `service ${service}, which it needs, is available again; ${waitWords(waits)}`;
  if (event.answer.outcome === 'deleted')
    return [
      { ...about, type: 'Normal', reason: 'Weeded', message: `Deleted, so that a new pod starts at once: ${why}` },
    ];
  if (event.answer.outcome !== 'failed') return [];
  const message = `Could not be deleted: ${whyNotDeleted(event.answer)}. It is tried again while the window is open: ${why}`;
  return [{ ...about, type: 'Warning', reason: 'WeedingFailed', message }];
}

/** What happened to scaled resources at the prober's hand. */
export function shootOccurrences(turn: ShootTurn): readonly Occurrence[] {
  return [...ofWrite(turn), ...turn.notes.flatMap((note) => ofNote(turn, note))];
}

function ofWrite(turn: ShootTurn): readonly Occurrence[] {
  const { subject: namespace, event } = turn;
  if (event.type !== 'scale.answered' || event.asked.change.replicas === undefined) return [];
  const { asked, answer } = event;
  const { uid } = asked.seen;
  const about = { namespace, ref: asked.ref, ...(uid === undefined ? {} : { uid }) };
  const move = `${moveWords(asked)} replicas`;
  if (answer.outcome === 'written') {
    const [reason, why] =
      asked.change.replicas === 0
        ? (['ScaledDown', causeWords(turn, asked)] as const)
        : (['ScaledUp', raisedWords(turn, asked)] as const);
    return [{ ...about, type: 'Normal', reason, message: `Scaled ${move}: ${why}` }];
  }
  const why = whyNotWritten(asked, answer);
  if (why === undefined) return [];
  const message = `Could not be scaled ${move}; it is tried again: ${why}`;
  return [{ ...about, type: 'Warning', reason: 'ScalingFailed', message }];
}

/** Why a dependant went down, and when it comes back: by leases, or by the two paths of the older generation (SPEC 4.9). */
function causeWords(turn: ShootTurn, write: ShootCommands['scale']): string {
  const { leases, external } = write;
  const back = `It ${comesBackWords(write)} once`;
  const paths = turn.after?.context.paths;
  if (paths === undefined)
    return `too many of the shoot's nodes do not reach their API server${leasesOf(turn, leases)}. ${back} they do`;
  // The path may answer again by the time of a later try.
  const failed = external === undefined ? 'failed' : externalWords.failed(external);
  const why = paths.reason === null ? '' : ` (${paths.reason})`;
  return `the external path to the shoot's API server ${failed}${why}, while the internal one answered. ${back} the external path answers`;
}

function raisedWords({ after }: ShootTurn, write: ShootCommands['scale']): string {
  const hand = otherHandWords(write);
  const way =
    after?.context.paths === undefined
      ? "the shoot's nodes reach their API server"
      : "the external path to the shoot's API server answers";
  return hand === undefined ? `${way} again` : `${hand}, and ${way}`;
}

/** `; 3 of 5 leases are expired (node-a silent for 31.2 s and 2 more)`. */
function leasesOf(turn: ShootTurn, leases: LeaseCount | undefined): string {
  if (leases === undefined) return '';
  const expired = expiredIn(turn);
  // By the time of a later try, other leases may be expired than those that the write was decided by.
  const named = expired?.count === leases.expired ? ` (${silentWords(expired)})` : '';
  return `; ${expiredWords.sentence(leases)}${named}`;
}

function ofNote({ subject: namespace, at, after }: ShootTurn, note: ShootNote): readonly Occurrence[] {
  const told = (noteEvents[note.kind] as NoteEvent<ShootNote> | undefined)?.(note, at);
  const { key = after?.context.config.dependants[0]?.key } = told ?? {};
  if (told === undefined || key === undefined) return [];
  const { reason, message } = told;
  const view = after?.context.known[key]?.view;
  // With the UID, by which `kubectl describe` looks for the events of an object.
  const uid = view?.found === true && view.uid !== undefined ? { uid: view.uid } : {};
  return [{ namespace, ref: refOf(key), ...uid, type: 'Warning', reason, message }];
}

function refOf(key: DependantKey): DependantRef {
  const [name = '', kind = '', ...group] = key.split('/').toReversed();
  return { apiVersion: group.toReversed().join('/'), kind, name };
}

/** Without a key it is of all dependants, and stands at the first. */
type NoteEvent<Note extends ShootNote> = (
  note: Note,
  at: Instant,
) => Pick<Occurrence, 'reason' | 'message'> & Readonly<{ key?: DependantKey }>;

/** What the owner of a dependant wants to know (SPEC 9.5). */
const noteEvents: { readonly [Kind in ShootNote['kind']]?: NoteEvent<Extract<ShootNote, { kind: Kind }>> } = {
  partialOutage: (note, at) => ({
    reason: 'PartlyCutOff',
    message: `Of the shoot's nodes, ${partialOutageWords(note, at)}`,
  }),
  stepTimedOut: ({ key, direction, timeout }) => ({
    key,
    reason: 'ScalingTimedOut',
    message:
      direction === 'down'
        ? `Pods are still there ${seconds(timeout)} after it was scaled to 0 replicas`
        : `No pod is ready ${seconds(timeout)} after it was scaled up`,
  }),
  recordUnreadable: ({ key, record }) => ({
    key,
    reason: 'ReplicasRecordUnreadable',
    message: `The annotation that says how many replicas it had cannot be read: ${JSON.stringify(record)}. It gets 1`,
  }),
  raised: (note) => ({ key: note.key, reason: 'RaisedDuringOutage', message: raisedByOthersWords('It', note) }),
};
