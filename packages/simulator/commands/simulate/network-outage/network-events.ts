import { shootNoteWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { standingAfter } from 'dependency-watchdog/adapters/record/facts/shoot-standing.ts';
import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import type { ShootNote, VerdictNote } from 'dependency-watchdog/machines/shoot-language.ts';
import { lengthText } from '../story/figures.ts';
import type { TimelineEntry } from '../story/screen.ts';
import type { Quiet, StoryEvent } from '../story/story.ts';
import type { Tone } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import {
  hasNone,
  isAsBefore,
  isDown,
  type DependantView,
  type NetworkModel,
  type Phase,
  type ProbeCost,
  type ObservedShoot,
  type Threat,
} from './network-model.ts';
import { besideWords } from './meltdown-events.ts';
import { standingWords } from 'dependency-watchdog/adapters/record/words/standing-words.ts';
import { shortName, targetWords, undoneWords } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import {
  failureWords,
  pathWords,
  verdictKindWords,
  verdictWords,
} from 'dependency-watchdog/adapters/record/words/probe-words.ts';

export type PhaseBegins = Readonly<{
  phase: Phase;
  /** The shoots that the outage hits; empty in every other phase. */
  threats?: ReadonlyMap<ShootNamespace, Threat>;
  /** The shoots whose internal path fails from now on. Comes with the internal outage alone. */
  unasked?: readonly ShootNamespace[];
  /** The requests to the seed while nothing happened. Comes with what ends that time. */
  quiet?: Quiet | undefined;
}>;

/** A phase of the story begins. */
export function phaseEvent(model: NetworkModel, at: Instant, begins: PhaseBegins): StoryEvent {
  const { phase, threats = new Map<ShootNamespace, Threat>(), unasked = [], quiet = model.quiet } = begins;
  Object.assign(model, { phase, phaseAt: at, quiet });
  if (phase === 'healing') model.healedAt = at;
  for (const row of model.rows.values()) {
    row.threat = threats.get(row.shoot) ?? row.threat;
    row.unasked ||= unasked.includes(row.shoot);
  }
  const hit = [...threats.keys(), ...unasked];
  return {
    at,
    json: { kind: 'phase', phase, outage: model.outage, ...(hit.length > 0 && { shoots: hit }) },
    entries: [{ at, text: phaseWords(model), tone: 'bold' }],
  };
}

/** What the present phase is about, as a sentence. */
export function phaseWords({ phase, rows, outage, twoPaths, twin }: NetworkModel): string {
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
      return `A ${gateway} fails, and cuts ${share} off from their nodes${twin === null ? '' : ', and the twin'}.`;
    case 'healing':
      return `The ${gateway} is back. Nodes of ${share} renew their leases.`;
    case 'over':
      return `${outage === 1 ? 'The story is over.' : `Outage ${outage} is over.`}${besideWords({ rows, twin })}`;
  }
}

/** A dependant changed, whoever changed it. */
export function dependantEvent(
  model: NetworkModel,
  at: Instant,
  { shoot, key, view }: Readonly<{ shoot: ShootNamespace; key: DependantKey; view: DependantView }>,
): StoryEvent {
  const json = { kind: 'dependant', shoot, dependant: key, ...view };
  const row = model.rows.get(shoot);
  const one = row?.dependants.get(key);
  if (row === undefined || one === undefined) return { at, json };
  const { phase, phaseAt } = model;
  const wasAsBefore = isAsBefore(row);
  one.now = view;
  one.least = Math.min(one.least, view.replicas);
  if (phase === 'outage' && hasNone(view)) one.downAt ??= at;
  if (phase === 'outage' && isDown(row)) row.downAt ??= at;
  if (phase === 'internalOutage' || phase === 'internalHealing') row.scaledUnasked ||= view.replicas < one.before;
  if (phase !== 'healing' || wasAsBefore || !isAsBefore(row)) return { at, json };
  const text = `everything is brought back, ${lengthText(at - phaseAt)} after the healing`;
  return { at, json, entries: [{ at, shoot, text, tone: 'good' }] };
}

type Texts = (readonly [text: string, tone: Tone])[];

/** A turn of the prober. `cost` is that of the probe that ended with it, if one did. */
export function shootTurnEvent(model: NetworkModel, turn: ShootTurn, cost?: ProbeCost): StoryEvent {
  const { at, subject: shoot, seq, event, from, to, notes } = turn;
  const verdict = notes.find((note) => note.kind === 'verdict');
  // In JSON only turns that changed the state. The journal has all of them.
  const json =
    from === to && event.type !== 'ended'
      ? undefined
      : { kind: 'state', seq, shoot, from, to, because: event.type, ...(verdict && judged(verdict)) };
  const row = model.rows.get(shoot);
  if (row === undefined) return { at, json };
  const wasLeftAlone = row.leftAlone;
  takeTurn(row, model.phase, turn, verdict, cost);
  const texts = turnTexts(turn, row);
  const answers = `internal path answers again${row.scaledUnasked ? '' : '; nothing was scaled'}`;
  if (wasLeftAlone && !row.leftAlone) texts.unshift([answers, 'good']);
  return { at, json, entries: texts.map(([text, tone]): TimelineEntry => ({ at, shoot, text, tone })) };
}

function takeTurn(
  row: ObservedShoot,
  phase: Phase,
  { at, event, to, after, commands, notes }: ShootTurn,
  verdict: VerdictNote | undefined,
  cost: ProbeCost | undefined,
): void {
  const changes = commands.flatMap(({ type, params }) => (type === 'scale' ? [params.change] : []));
  const decides = phase !== 'calm' && changes.some(({ replicas }) => replicas === 0);
  const isHealthy = verdict !== undefined && foundNothing(verdict) && !row.disturbed;
  if (cost !== undefined && isHealthy && phase !== 'over') row.healthyProbes.push(cost);
  const isCalm = (to === 'probing' || to === 'idle') && changes.length === 0;
  // The requests made before a probe ended are counted with that probe.
  row.disturbed = !isCalm || (row.disturbed && verdict === undefined);
  row.state = to;
  row.standing = standingAfter(to, after?.context);
  row.verdict = verdict ?? row.verdict;
  row.leftAlone = verdict === undefined && (row.leftAlone || notes.some(({ kind }) => kind === 'internalFailed'));
  if (decides) row.decidedAt ??= at;
  if (event.type === 'ended' && event.because === 'bug') row.bugs += 1;
}

/** A verdict that cost no more than any of a connected shoot. */
function foundNothing(verdict: VerdictNote): boolean {
  if (verdict.verdict !== 'connected') return false;
  return verdict.external !== undefined || (verdict.expired === 0 && !verdict.looked);
}

/** What the verdict counted: leases, or in the older generation answers of the external path. */
function judged(verdict: VerdictNote): object {
  const { external } = verdict;
  if (external === undefined) return { expired: verdict.expired, candidates: verdict.candidates };
  return { verdict: verdict.verdict, external, reason: verdict.reason };
}

function turnTexts(turn: ShootTurn, row: ObservedShoot): Texts {
  const { event, from, to, notes } = turn;
  const texts = [...pathTexts(turn), ...notes.flatMap((note) => noteTexts(note, turn, row)), ...writeTexts(turn)];
  if (event.type === 'probe.failed' || event.type === 'candidates.failed') {
    texts.push([`probe failed: ${failureWords.line(event.failure)}`, 'warning']);
  }
  if (event.type === 'scale.answered') {
    const { asked, answer } = event;
    const words = undoneWords(shortName(asked.key), asked, answer);
    // That a mark is removed with the second try, since pods came meanwhile, is how it goes.
    const isUsual = answer.outcome === 'conflict' && asked.change.replicas === undefined;
    if (words !== undefined && !isUsual) texts.push([words, 'warning']);
  }
  if (event.type === 'ended' && event.because === 'bug')
    texts.push([`a bug ended its machine: ${event.error ?? ''}`, 'bad']);
  // The return to normal is reported when the seed shows it.
  const isReturn = from === 'scalingUp' && to === 'probing';
  if (texts.length > 0 || from === undefined || from === to || isReturn) return texts;
  return [[from === 'idle' ? 'will be probed' : `is ${standingWords[row.standing]} now`, 'plain']];
}

/** A path that gave no answer, where no verdict follows from it. */
function pathTexts({ event, notes }: ShootTurn): Texts {
  if (event.type !== 'path.answered' || event.failure === undefined) return [];
  if (notes.some(({ kind }) => kind === 'verdict')) return [];
  return [[pathWords.line(event), 'warning']];
}

function noteTexts(note: ShootNote, { at, from, to }: ShootTurn, { threat, verdict }: ObservedShoot): Texts {
  if (note.kind === 'verdict') {
    const share = verdictWords.brief(note);
    // Each failure of the path that is counted is told; of leases one verdict usually is enough.
    const isCounted =
      note.external !== undefined && note.verdict === 'cutOff' && note.external.count <= note.external.of;
    if (from === to && !isCounted) return [];
    const words = `${verdictKindWords[note.verdict]} (${share})`;
    if (note.verdict !== 'cutOff') return [[words, 'news']];
    if (note.external !== undefined && note.external.count < note.external.of) return [[share, 'warning']];
    const since = note.external === undefined ? 'past the threshold' : 'after it broke';
    const delay = threat === null ? '' : `, ${lengthText(at - threat.crossedAt)} ${since}`;
    return [[`${words}${delay}`, 'warning']];
  }
  if (note.kind === 'shielded') {
    // Who knows no leases can only tell when it would be at the earliest. The story knows them.
    const firstMarkAt = verdict?.external === undefined ? note.firstMarkAt : (threat?.firstMarkAt ?? note.firstMarkAt);
    const margin = firstMarkAt - at;
    if (margin < 0) return [[`all at 0, ${lengthText(-margin)} after a node could be marked`, 'bad']];
    return [[`all at 0, ${lengthText(margin)} before a node could be marked`, 'good']];
  }
  // The writes tell of the decision, and the seed shows the return.
  if (note.kind === 'decided' || note.kind === 'restored') return [];
  return [[shootNoteWords(note, at), note.kind === 'paused' ? 'plain' : 'warning']];
}

/** The writes that one turn commands, in one line: `scales to 2: kube-controller-manager`. */
function writeTexts({ commands }: ShootTurn): Texts {
  const scaled = commands.flatMap(({ type, params }) =>
    type === 'scale' && params.change.replicas !== undefined ? [params] : [],
  );
  return scaled.length === 0 ? [] : [[`scales ${targetWords(scaled)}`, 'plain']];
}
