import { shootNoteWords, shortName } from '../../../adapters/words/shoot-words.ts';
import { counted } from '../../../adapters/words/plain-words.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import { lengthText } from '../story/figures.ts';
import type { Tone } from '../../terminal/painted-line.ts';
import type { TimelineEntry } from '../story/screen.ts';
import { isAsBefore, type NetworkModel, type ShootRow } from './network-model.ts';
import type { Observation } from './observation.ts';
import { stateWord, verdictShare } from './state-words.ts';

/** The timeline entries for an observation. `before` and `after` are the model before and after it. */
export function networkTimeline(
  before: NetworkModel,
  seen: Observation,
  after: NetworkModel,
): readonly TimelineEntry[] {
  const { at } = seen;
  switch (seen.type) {
    case 'phase':
      return [{ at, text: phaseWords(after), tone: 'bold' }];
    case 'turn': {
      const row = after.rows.get(seen.turn.subject);
      if (row === undefined) return [];
      const isBack = before.rows.get(seen.turn.subject)?.leftAlone === true && !row.leftAlone;
      const text = `internal path answers again${row.scaledUnasked ? '' : '; nothing was scaled'}`;
      const back = { at, shoot: row.shoot, text, tone: 'good' } as const;
      return [...(isBack ? [back] : []), ...turnEntries(seen.turn, row)];
    }
    case 'dependant':
      return returnEntries(before.rows.get(seen.shoot), after.rows.get(seen.shoot), after, at);
    case 'marked':
      return [
        { at, shoot: seen.shoot, text: `kube-controller-manager marks ${seen.node} as unreachable`, tone: 'bad' },
      ];
    case 'missed':
      return [{ at, text: seen.what, tone: 'bad' }];
    case 'remark':
      return [{ at, text: seen.text, tone: 'dim' }];
    case 'tick':
      return [];
  }
}

/** What the present phase is about, as a sentence. */
export function phaseWords({ phase, rows, outage, twoPaths }: NetworkModel): string {
  const cutOff = [...rows.values()].filter(({ threat }) => threat !== null).length;
  const unasked = [...rows.values()].filter((row) => row.unasked).length;
  const gateway = twoPaths ? 'load balancer' : 'NAT gateway';
  const share = `${cutOff} of ${counted(rows.size, 'shoot')}`;
  switch (phase) {
    case 'calm':
      return `All is calm. The nodes of ${counted(rows.size, 'shoot')} renew their leases.`;
    case 'internalOutage':
      return `The internal path to ${unasked} of ${counted(rows.size, 'shoot')} fails. Their nodes are well, so nothing may be scaled.`;
    case 'internalHealing':
      return 'The internal path is back.';
    case 'outage':
      return `A ${gateway} fails, and cuts ${share} off from their nodes.`;
    case 'healing':
      return `The ${gateway} is back. Nodes of ${share} renew their leases.`;
    case 'over':
      return outage === 1 ? 'The story is over.' : `Outage ${outage} is over.`;
  }
}

function turnEntries(turn: ShootTurn, row: ShootRow): readonly TimelineEntry[] {
  const { at, subject: shoot, event, from, to } = turn;
  const entry = (text: string, tone: Tone): TimelineEntry => ({ at, shoot, text, tone });
  const texts = [...pathFailureOf(turn, entry), ...notesOf(turn, row, entry), ...writesOf(turn, entry)];
  if (event.type === 'probe.failed' || event.type === 'candidates.failed') {
    const { stage, reason, detail } = event.failure;
    texts.push(entry(`probe failed: ${stage}, ${reason}: ${detail}`, 'warning'));
  }
  if (event.type === 'scale.answered' && (event.answer.outcome === 'failed' || event.answer.outcome === 'conflict')) {
    const why = event.answer.outcome === 'failed' ? `failed: ${event.answer.detail}` : 'met a conflict';
    texts.push(entry(`the write on ${shortName(event.asked.key)} ${why}`, 'warning'));
  }
  if (event.type === 'ended' && event.because === 'bug') {
    texts.push(entry(`a bug ended its machine: ${event.error ?? ''}`, 'bad'));
  }
  // The return to normal is reported when the seed shows it.
  const isReturn = from === 'scalingUp' && to === 'probing';
  if (texts.length === 0 && from !== undefined && from !== to && !isReturn) {
    texts.push(
      entry(from === 'idle' ? 'will be probed' : `is ${stateWord({ state: to, verdict: row.verdict })} now`, 'plain'),
    );
  }
  return texts;
}

/** A path that gave no answer, where no verdict follows from it. */
function pathFailureOf(
  { event, notes }: ShootTurn,
  entry: (text: string, tone: Tone) => TimelineEntry,
): readonly TimelineEntry[] {
  if (event.type !== 'path.answered' || event.failure === undefined) return [];
  if (notes.some(({ kind }) => kind === 'verdict')) return [];
  const { reason, detail } = event.failure;
  return [entry(`${event.path} path failed, ${reason}: ${detail}`, 'warning')];
}

function notesOf(
  { at, notes, from, to }: ShootTurn,
  { threat, verdict }: ShootRow,
  entry: (text: string, tone: Tone) => TimelineEntry,
): TimelineEntry[] {
  return notes.flatMap((note) => {
    if (note.kind === 'verdict') {
      const share = verdictShare(note);
      // Each failure of the path that is counted is told; of leases one verdict usually is enough.
      const isCounted =
        note.external !== undefined && note.verdict === 'cutOff' && note.external.count <= note.external.of;
      if (from === to && !isCounted) return [];
      if (note.verdict === 'connected') return [entry(`connected (${share})`, 'news')];
      if (note.verdict === 'tooFew') return [entry(`too few leases to tell (${share})`, 'news')];
      if (note.external !== undefined && note.external.count < note.external.of) return [entry(share, 'warning')];
      const since = note.external === undefined ? 'past the threshold' : 'after it broke';
      const delay = threat === null ? '' : `, ${lengthText(at - threat.crossedAt)} ${since}`;
      return [entry(`cut off (${share})${delay}`, 'warning')];
    }
    if (note.kind === 'shielded') {
      // Who knows no leases can only tell when it would be at the earliest. The story knows them.
      const firstMarkAt =
        verdict?.external === undefined ? note.firstMarkAt : (threat?.firstMarkAt ?? note.firstMarkAt);
      const margin = firstMarkAt - at;
      if (margin < 0) return [entry(`all at 0, ${lengthText(-margin)} after a node could be marked`, 'bad')];
      return [entry(`all at 0, ${lengthText(margin)} before a node could be marked`, 'good')];
    }
    // The writes tell of the decision, and the seed shows the return.
    if (note.kind === 'decided' || note.kind === 'restored') return [];
    return [entry(shootNoteWords(note, at), note.kind === 'paused' ? 'plain' : 'warning')];
  });
}

/** The writes that one turn commands, in one line: `scales to 2: kube-controller-manager`. */
function writesOf(
  { commands }: ShootTurn,
  entry: (text: string, tone: Tone) => TimelineEntry,
): readonly TimelineEntry[] {
  const scaled = commands.flatMap(({ type, params }) =>
    type === 'scale' && params.change.replicas !== undefined
      ? [{ name: shortName(params.key), to: params.change.replicas }]
      : [],
  );
  const groups = [...Map.groupBy(scaled, ({ to }) => to)];
  const words = groups.map(([to, those]) => `to ${to}: ${those.map(({ name }) => name).join(', ')}`);
  return words.length === 0 ? [] : [entry(`scales ${words.join('; ')}`, 'plain')];
}

function returnEntries(
  before: ShootRow | undefined,
  after: ShootRow | undefined,
  { phase, phaseAt }: NetworkModel,
  at: Instant,
): readonly TimelineEntry[] {
  if (before === undefined || after === undefined || phase !== 'healing') return [];
  if (isAsBefore(before) || !isAsBefore(after)) return [];
  const since = lengthText(at - phaseAt);
  return [{ at, shoot: after.shoot, text: `everything is as before, ${since} after the healing`, tone: 'good' }];
}
