import { counted } from '../../../adapters/words/plain-words.ts';
import { weederNoteWords } from '../../../adapters/words/weeder-words.ts';
import type { Millis } from '../../../domain/time.ts';
import { serviceOf } from '../../../domain/weeder/service-ref.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import { lengthText } from '../story/figures.ts';
import type { Tone } from '../../terminal/painted-line.ts';
import type { TimelineEntry } from '../story/screen.ts';
import { isWell, type ControlPlaneModel, type PlaneRow } from './control-plane-model.ts';
import { sides, type DependantStage, type Observation, type Stage } from './observation.ts';

export const stageWords: Readonly<Record<Stage, string>> = {
  etcd: 'etcd',
  apiServers: 'API servers',
  controllers: 'controllers',
};

/** What must be back before a stage can start. */
const whatItNeeds: Readonly<Record<DependantStage, string>> = {
  apiServers: 'etcd is back',
  controllers: 'API is back',
};

/** A back-off of at least this is reported as the longest, 5 min. We see it slightly after it began. */
const longBackOff: Millis = 299_000;

/** The timeline entries for an observation. `before` and `after` are the model before and after it. */
export function etcdTimeline(
  before: ControlPlaneModel,
  seen: Observation,
  after: ControlPlaneModel,
): readonly TimelineEntry[] {
  const { at } = seen;
  switch (seen.type) {
    case 'phase':
      return [{ at, text: etcdPhaseWords(after), tone: 'bold' }];
    case 'stage':
      return stageEntries(before, seen, after);
    case 'deletion':
      return deletionEntries(before, seen, after);
    case 'turn':
      return turnEntries(seen.turn, after);
    case 'missed':
      return [{ at, text: seen.what, tone: 'bad' }];
    case 'remark':
      return [{ at, text: seen.text, tone: 'dim' }];
    case 'service':
    case 'tick':
      return [];
  }
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

function stageEntries(
  before: ControlPlaneModel,
  { at, shoot, side, stage }: Extract<Observation, { type: 'stage' }>,
  { phase, rows }: ControlPlaneModel,
): readonly TimelineEntry[] {
  const [was, row] = [before.rows.get(shoot), rows.get(shoot)];
  if (was === undefined || row === undefined || stage === 'etcd') return [];
  const [one, now] = [was[side][stage], row[side][stage]];
  const entry = (text: string, tone: Tone): readonly TimelineEntry[] => [{ at, shoot, text, tone }];
  // Until etcd is back, the same happens on both seeds.
  if (phase === 'outage' && side === 'weeded') {
    if (one.longestBackOff === 0 && now.longestBackOff > 0)
      return entry(`its ${stageWords[stage]} crash-loop`, 'warning');
    if (one.longestBackOff < longBackOff && now.longestBackOff >= longBackOff)
      return entry(`the back-off of its ${stageWords[stage]} has grown to 5 min`, 'warning');
  }
  if (phase !== 'recovery' || one.wellSince !== null || now.wellSince === null) return [];
  const since = row[side].etcd.servingSince;
  if (since === null) return [];
  const whose = side === 'weeded' ? '' : 'without weeder: ';
  const what = isWell(row, side) ? 'all is well' : `${stageWords[stage]} ready`;
  const text = `${whose}${what} ${lengthText(at - since)} after etcd`;
  return entry(text, side === 'unaided' ? 'plain' : 'good');
}

function deletionEntries(
  before: ControlPlaneModel,
  { at, shoot, stage, pod, fault }: Extract<Observation, { type: 'deletion' }>,
  after: ControlPlaneModel,
): readonly TimelineEntry[] {
  if (fault !== null) return [{ at, shoot, text: `${pod} ${fault}`, tone: 'bad' }];
  if (stage === undefined || stage === 'etcd') return [{ at, shoot, text: `the weeder deletes ${pod}`, tone: 'news' }];
  const reaction = reactionOf(after.rows.get(shoot), stage);
  if (reaction === null || reactionOf(before.rows.get(shoot), stage) !== null) return [];
  const text = `${whatItNeeds[stage]}: ${stageWords[stage]} restarted after ${lengthText(reaction)}`;
  return [{ at, shoot, text, tone: 'news' }];
}

function reactionOf(row: PlaneRow | undefined, stage: DependantStage): Millis | null {
  return row?.weeded[stage].reaction ?? null;
}

/** What the pods do not show: mostly problems. */
function turnEntries(
  { at, subject, event, notes }: WeederTurn,
  { phase }: ControlPlaneModel,
): readonly TimelineEntry[] {
  const { namespace: shoot, service: name } = serviceOf(subject);
  const entry = (text: string, tone: Tone): TimelineEntry => ({ at, shoot, text, tone });
  const entries = notes.flatMap((note) =>
    // While etcd is away, a window may close with pods left over. That is normal.
    note.kind === 'windowOpened' || (note.kind === 'windowClosed' && (note.left === 0 || phase === 'outage'))
      ? []
      : [entry(`${name}: ${weederNoteWords(note, at)}`, 'warning')],
  );
  if (event.type === 'ended' && event.because === 'bug') {
    entries.push(entry(`${name}: a bug ended its machine: ${event.error ?? ''}`, 'bad'));
  }
  if (
    event.type === 'deletion.answered' &&
    (event.answer.outcome === 'failed' || event.answer.outcome === 'throttled')
  ) {
    const why = event.answer.outcome === 'failed' ? `failed: ${event.answer.detail}` : 'was put off by the seed (429)';
    entries.push(entry(`the deletion of ${event.asked.pod.name} ${why}`, 'warning'));
  }
  return entries;
}
