import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import {
  deletionWords,
  weederNoteWords,
  whyNotDeleted,
} from 'dependency-watchdog/adapters/record/words/weeder-words.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { serviceOf } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import type { WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import { jsonSeconds, lengthText } from '../story/figures.ts';
import type { TimelineEntry } from '../story/screen.ts';
import type { StoryEvent } from '../story/story.ts';
import type { Tone } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import {
  isWeederAtWork,
  isWell,
  sides,
  stageWords,
  type ControlPlaneModel,
  type Phase,
  type RequestCounts,
  type Side,
  type OutageStage,
  type StageView,
} from './control-plane-model.ts';

/** One stage of one control plane on one of the seeds. */
type StagePlace = Readonly<{ side: Side; shoot: ShootNamespace; stage: OutageStage }>;

/** The weeder deleted a pod. */
export type Deletion = Readonly<{
  shoot: ShootNamespace;
  /** Undefined for a pod that belongs to no control plane. */
  stage: OutageStage | undefined;
  pod: string;
  /** Since when it waited in CrashLoopBackOff. */
  waitingSince: Instant;
  /** What was wrong with the deletion (S8); null if it was right. */
  fault: string | null;
}>;

/** The stage whose service this one waits for, and what is said once that is back. */
const needs: Readonly<Record<OutageStage, Readonly<{ stage: OutageStage; back: string }> | undefined>> = {
  etcd: undefined,
  apiServers: { stage: 'etcd', back: 'etcd is back' },
  controllers: { stage: 'apiServers', back: 'API is back' },
};

/** A back-off of at least this is reported as the longest, 5 min. We see it slightly after it began. */
const longBackOff: Millis = 299_000;

/** A phase of the story begins. */
export function etcdPhaseEvent(model: ControlPlaneModel, at: Instant, phase: Phase): StoryEvent {
  Object.assign(model, { phase, phaseAt: at });
  const json = { kind: 'phase', phase, outage: model.outage };
  return { at, json, entries: [{ at, text: etcdPhaseWords(model), tone: 'bold' }] };
}

/** What the present phase is about, as a sentence. */
function etcdPhaseWords({ phase, rows, outage }: ControlPlaneModel): string {
  const planes = counted(rows.size, 'control plane');
  switch (phase) {
    case 'calm':
      return `All is calm: ${planes} on two equal seeds, one with a weeder.`;
    case 'outage':
      return `etcd fails in ${planes}. What needs it crash-loops.`;
    case 'recovery':
      return `etcd is started again in ${planes} on both seeds.`;
    case 'over':
      return outage === 1 ? 'The story is over.' : `Outage ${outage} is over.`;
  }
}

/** The same, for the live picture. */
export function etcdPhaseNow(model: ControlPlaneModel): string {
  const rows = [...model.rows.values()];
  if (model.phase !== 'recovery' || rows.some((row) => row.weeded.etcd.servingSince === null)) {
    return etcdPhaseWords(model);
  }
  const [weeded, unaided] = sides.map((side) => rows.filter((row) => isWell(row, side)).length);
  return `etcd is back. Well again: ${weeded} of ${rows.length} with the weeder, ${unaided} without it.`;
}

/** Pods of a stage changed. */
export function stageEvent(
  { rows, phase, startedAt }: ControlPlaneModel,
  at: Instant,
  { side, shoot, stage }: StagePlace,
  view: StageView,
): StoryEvent {
  const { backOffUntil, ...counts } = view;
  const until = backOffUntil !== null && { backOffUntil: jsonSeconds(backOffUntil - startedAt) };
  const json = { kind: 'stage', side, shoot, stage, ...counts, ...until };
  const row = rows.get(shoot);
  if (row === undefined) return { at, json };
  const one = row[side][stage];
  const { wellSince, longestBackOff } = one;
  const isNew = backOffUntil !== null && backOffUntil !== one.now.backOffUntil;
  one.longestBackOff = Math.max(longestBackOff, isNew ? backOffUntil - at : 0);
  one.wellSince = view.ready === one.before && view.pods === one.before ? (wellSince ?? at) : null;
  one.now = view;
  const shown = (text: string, tone: Tone): StoryEvent => ({ at, json, entries: [{ at, shoot, text, tone }] });
  if (stage === 'etcd') return { at, json };
  // Until etcd is back, the same happens on both seeds.
  if (phase === 'outage' && side === 'weeded') {
    if (longestBackOff === 0 && one.longestBackOff > 0) return shown(`its ${stageWords[stage]} crash-loop`, 'warning');
    if (longestBackOff < longBackOff && one.longestBackOff >= longBackOff)
      return shown(`the back-off of its ${stageWords[stage]} has grown to 5 min`, 'warning');
  }
  const since = row[side].etcd.servingSince;
  if (phase !== 'recovery' || wellSince !== null || one.wellSince === null || since === null) return { at, json };
  const whose = side === 'weeded' ? '' : 'without weeder: ';
  const what = isWell(row, side) ? 'all is well' : `${stageWords[stage]} ready`;
  return shown(`${whose}${what} ${lengthText(at - since)} after etcd`, side === 'unaided' ? 'plain' : 'good');
}

/** The service of a stage got its first ready endpoint, or lost its last one. */
export function serviceEvent(
  { rows }: ControlPlaneModel,
  at: Instant,
  { side, shoot, stage }: StagePlace,
  available: boolean,
): StoryEvent {
  const one = rows.get(shoot)?.[side][stage];
  if (one !== undefined) one.servingSince = available ? at : null;
  return { at, json: { kind: 'service', side, shoot, stage, available } };
}

/** The weeder deleted a pod. */
export function deletionEvent(model: ControlPlaneModel, at: Instant, deletion: Deletion): StoryEvent {
  const { shoot, stage, pod, fault, waitingSince } = deletion;
  const json = {
    kind: 'deletion',
    shoot,
    stage,
    pod,
    waitingSince: jsonSeconds(waitingSince - model.startedAt),
    fault,
  };
  const reacted = takeDeletion(model, at, deletion);
  const shown = (text: string, tone: Tone): StoryEvent => ({ at, json, entries: [{ at, shoot, text, tone }] });
  if (fault !== null) return shown(`${pod} ${fault}`, 'bad');
  if (stage === undefined || stage === 'etcd') return shown(`the weeder deletes ${pod}`, 'news');
  if (reacted === undefined) return { at, json };
  return shown(`${needs[stage]?.back}: ${stageWords[stage]} restarted after ${lengthText(reacted)}`, 'news');
}

/** How long the weeder took, if it is the first deletion of its stage after what that waits for is back. */
function takeDeletion(
  { rows, phase }: ControlPlaneModel,
  at: Instant,
  { shoot, stage, pod, fault, waitingSince }: Deletion,
): Millis | undefined {
  const row = rows.get(shoot);
  if (row === undefined) return undefined;
  if (fault !== null) row.faults.push(`${pod} ${fault}`);
  if (stage === undefined) return undefined;
  const one = row.weeded[stage];
  one.deleted += 1;
  const needed = needs[stage];
  const since = needed === undefined ? null : row.weeded[needed.stage].servingSince;
  if (phase !== 'recovery' || fault !== null || since === null || one.reaction !== null) return undefined;
  one.reaction = at - Math.max(since, waitingSince);
  return one.reaction;
}

/** A turn of the weeder. The timeline has what the pods do not show: mostly problems. */
export function weederTurnEvent({ rows, phase }: ControlPlaneModel, turn: WeederTurn): StoryEvent {
  const { at, subject: service, seq, from, to, event, notes } = turn;
  const { namespace: shoot, service: name } = serviceOf(service);
  const row = rows.get(shoot);
  if (event.type === 'ended') row?.services.delete(service);
  else row?.services.add(service);
  const entries = notes.flatMap((note): TimelineEntry[] =>
    // While etcd is away, a window may close with pods left over. That is normal.
    note.kind === 'windowOpened' || (note.kind === 'windowClosed' && (note.left === 0 || phase === 'outage'))
      ? []
      : [{ at, shoot, text: `${name}: ${weederNoteWords(note, at)}`, tone: 'warning' }],
  );
  if (event.type === 'ended' && event.because === 'bug') {
    if (row !== undefined) row.bugs += 1;
    entries.push({ at, shoot, text: `${name}: a bug ended its machine: ${event.error ?? ''}`, tone: 'bad' });
  }
  if (event.type === 'deletion.answered') {
    const { answer, asked } = event;
    if (whyNotDeleted(answer) !== undefined)
      entries.push({ at, shoot, text: deletionWords(asked, answer), tone: 'warning' });
  }
  // In JSON only turns that changed the state. The journal has all of them.
  if (from === to && event.type !== 'ended') return { at, entries };
  return { at, entries, json: { kind: 'state', seq, service, from, to, because: event.type } };
}

/** A tick of the clock; `late` is by how much this machine missed its instant. */
export function takeTick(model: ControlPlaneModel, late: Millis, requests: RequestCounts): void {
  if (model.phase === 'over') return;
  if (isWeederAtWork(model)) model.latest = Math.max(model.latest, late);
  model.requests = requests;
}
