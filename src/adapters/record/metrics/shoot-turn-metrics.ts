import type { Gauge } from 'prom-client';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { ProbeStage } from '../../../domain/prober/probe-failure.ts';
import type { ResourceChange } from '../../../domain/prober/resource-view.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ScaleDirection, ShootEventOf, ShootNote } from '../../../machines/shoot-language.ts';
import { flapWatch } from '../facts/flap-watch.ts';
import type { Instruments } from './metric-list.ts';

const probeNames = {
  version: 'apiserver',
  leases: 'lease',
  nodes: 'node',
  machines: 'machine',
  internal: 'internal',
  external: 'external',
} as const satisfies Record<ProbeStage, string>;

/** A Prometheus that comes once a minute sees also what was over within seconds. */
const marginLasts: Millis = 120_000;

type Paths = NonNullable<NonNullable<ShootTurn['after']>['context']['paths']>;

type FailureLabels = Readonly<{ shoot: string; probe: string; reason: string }>;

/**
 * Counts what the prober's turns tell (SPEC 9.2), and removes a shoot's series when the shoot goes. It remembers only what
 * no turn tells: which series there are, and which shoots are counted in a gauge over all shoots.
 */
export function shootTurnMetrics(metrics: Instruments): (turn: ShootTurn) => void {
  /** The series that bear a shoot's name: prom-client removes a series only by its labels. */
  const failures = new Map<ShootNamespace, Map<string, FailureLabels>>();
  /** What was said of its leases, and is not over. */
  const partial = countedShoots(metrics.partialOutages, 'partialOutage', 'partialOutageOver');
  const late = countedShoots(metrics.lateShoots, 'renewalsLate', 'renewalsLateOver');
  const states = new Map<ShootNamespace, ShootTurn['to']>();
  /** Since when a margin shows. */
  const margins = new Map<ShootNamespace, Instant>();
  const flaps = flapWatch();
  const ofProbes = [
    metrics.internalPathFailed,
    metrics.leasesAhead,
    metrics.leasesNotRenewed,
    metrics.unjudgedShoots,
  ] as const;
  const ofMachine = [metrics.clockDifference, metrics.unreadableClusters, metrics.shootsFlapping] as const;

  return (turn) => {
    countEvent(turn);
    if (turn.event.type === 'ended') return;
    recordState(turn);
    // Of what goes down, perhaps in the next outage, nothing is known yet.
    const isOver = turn.to === 'probing' || turn.to === 'scalingDown';
    if (isOver && turn.at - (margins.get(turn.subject) ?? turn.at) >= marginLasts) removeMargin(turn.subject);
    const { flapped, flaps: flapsNow } = flaps.after(turn);
    if (flapped !== flapsNow) showIfOdd(metrics.shootsFlapping, turn.subject, flapsNow ? 1 : 0);
    for (const note of turn.notes) countNote(note, turn);
  };

  function countEvent(turn: ShootTurn): void {
    const { subject: shoot, event, at, to, before } = turn;
    if (event.type === 'started') end(shoot);
    if (event.type === 'ended') {
      metrics.shootState.remove({ shoot, state: to });
      end(shoot);
      if (event.because === 'gone') removeSeries(shoot);
    }
    if (event.type === 'cluster.changed') showIfOdd(metrics.unreadableClusters, shoot, event.reading.readable ? 0 : 1);
    const isProbe = event.type === 'probe.answered' || event.type === 'probe.failed';
    // An answer that comes after its probe was given up does not count.
    if (isProbe && before?.context.probe.asked?.number === event.number) timeProbe(at - event.askedAt);
    if (event.type === 'probe.failed' || event.type === 'candidates.failed') countFailure(shoot, event.failure);
    if (event.type === 'path.answered') countPath(turn, event);
    if (event.type === 'scale.answered')
      metrics.scaleOperations.inc({ direction: directionOf(event.asked.change), result: event.answer.outcome });
    if (event.type === 'probe.reserved' && event.probeAt !== event.asked.wanted) metrics.heldProbes.inc();
  }

  /** What the two paths of the older generation tell (SPEC 4.9), each probe once, at its end. */
  function countPath({ subject: shoot, at, before, after }: ShootTurn, event: ShootEventOf<'path.answered'>): void {
    const paths = after?.context.paths;
    const asked = before?.context.probe.asked ?? undefined;
    if (paths === undefined || asked === undefined) return;
    // An answer that nobody waits for any more changes nothing.
    const isHeard = before?.context.paths?.asked[event.path] === 'asked' && paths.asked[event.path] !== 'asked';
    if (!isHeard || !isOver(paths)) return;
    timeProbe(at - asked.askedAt);
    if (paths.internalFailures === 0) metrics.internalPathFailed.remove({ shoot });
    // Where the internal path failed, its own answer has ended the probe.
    const stage = paths.asked.internal === 'answered' ? 'external' : 'internal';
    const failed = stage === 'internal' ? event.failure?.reason : paths.reason;
    // The internal path took most of the time as well, so this tells nothing.
    const reason = paths.asked[stage] === 'untold' && failed === 'timeout' ? 'slow' : failed;
    if (reason && paths.asked[stage] !== 'answered') countFailure(shoot, { stage, reason });
  }

  function timeProbe(took: Millis): void {
    metrics.probeDuration.observe(Math.max(0, took) / 1_000);
  }

  function countNote(note: ShootNote, { subject: shoot, at, before }: ShootTurn): void {
    countOf(note)?.(metrics, note, at, shoot);
    partial.observe(shoot, note);
    late.observe(shoot, note);
    if (note.kind === 'partialOutage') late.forget(shoot);
    if (note.kind === 'probeLost') countFailure(shoot, { stage: lostStage(before?.context.paths), reason: 'lost' });
    if (note.kind === 'shielded') margins.set(shoot, at);
    // Two paths show no lease, and no date.
    if (note.kind !== 'verdict' || note.external !== undefined) return;
    if (note.verdict === 'cutOff') late.forget(shoot);
    showIfOdd(metrics.clockDifference, shoot, Math.abs(note.clockAhead ?? 0) / 1_000);
    showIfOdd(metrics.leasesAhead, shoot, note.ahead ?? 0);
    showIfOdd(metrics.leasesNotRenewed, shoot, note.notRenewed ?? 0);
  }

  function recordState({ subject: shoot, from, to }: ShootTurn): void {
    if (from === to) return;
    if (from !== undefined) metrics.shootState.remove({ shoot, state: from });
    metrics.shootState.set({ shoot, state: to }, 1);
    moveTo(shoot, to);
    if (to !== 'idle') return;
    removeMargin(shoot);
    forgetProbes(shoot);
  }

  function moveTo(shoot: ShootNamespace, state: ShootTurn['to'] | undefined): void {
    const former = states.get(shoot);
    if (former !== undefined) metrics.shoots.dec({ state: former });
    if (former !== undefined && former !== 'idle') metrics.probesActive.dec();
    if (state === undefined) states.delete(shoot);
    else {
      states.set(shoot, state);
      metrics.shoots.inc({ state });
      if (state !== 'idle') metrics.probesActive.inc();
    }
  }

  function countFailure(
    shoot: ShootNamespace,
    { stage, reason }: Readonly<{ stage: ProbeStage; reason: string }>,
  ): void {
    const labels = { shoot, probe: probeNames[stage], reason };
    const own = failures.get(shoot) ?? new Map<string, FailureLabels>();
    failures.set(shoot, own.set(`${labels.probe} ${reason}`, labels));
    metrics.probeFailures.inc(labels);
  }

  /** A machine's share of the gauges ends with it. Its shoot's series survive a bug, but not the shoot. */
  function end(shoot: ShootNamespace): void {
    for (const gauge of ofMachine) gauge.remove({ shoot });
    removeMargin(shoot);
    forgetProbes(shoot);
    flaps.forget(shoot);
    moveTo(shoot, undefined);
  }

  function removeMargin(shoot: ShootNamespace): void {
    margins.delete(shoot);
    metrics.shootMargin.remove({ shoot });
  }

  /** No probe tells any more. */
  function forgetProbes(shoot: ShootNamespace): void {
    for (const gauge of ofProbes) gauge.remove({ shoot });
    for (const each of [partial, late]) each.forget(shoot);
  }

  function removeSeries(shoot: ShootNamespace): void {
    for (const labels of failures.get(shoot)?.values() ?? []) metrics.probeFailures.remove(labels);
    failures.delete(shoot);
  }
}

/** What a probe waited for that was never answered. */
function lostStage(paths: Paths | undefined): ProbeStage {
  if (paths === undefined) return 'version';
  return paths.asked.internal === 'asked' ? 'internal' : 'external';
}

/** The internal path gave no answer, or both have told. */
function isOver({ asked: { internal, external } }: Paths): boolean {
  if (internal === 'failed' || internal === 'untold') return true;
  return internal === 'answered' && external !== 'asked' && external !== 'notAsked';
}

/** A gauge over all shoots of which `begins` was said, and not yet `ends`. */
function countedShoots(gauge: Gauge, begins: ShootNote['kind'], ends: ShootNote['kind']) {
  const shoots = new Set<ShootNamespace>();
  const forget = (shoot: ShootNamespace): void => {
    shoots.delete(shoot);
    gauge.set(shoots.size);
  };
  const observe = (shoot: ShootNamespace, { kind }: ShootNote): void => {
    if (kind === begins) gauge.set(shoots.add(shoot).size);
    if (kind === ends) forget(shoot);
  };
  return { observe, forget };
}

/** A shoot has a series of such a gauge only while there is something to tell. */
function showIfOdd(gauge: Gauge<'shoot'>, shoot: ShootNamespace, value: number): void {
  if (value === 0) gauge.remove({ shoot });
  else gauge.set({ shoot }, value);
}

/** A write that only clears our annotations belongs to the way up; one that only sets them, to the way down. */
function directionOf({ replicas, mark, record }: ResourceChange): ScaleDirection {
  if (replicas !== undefined) return replicas === 0 ? 'down' : 'up';
  return mark === true || typeof record === 'number' ? 'down' : 'up';
}

type NoteCount<Note extends ShootNote> = (metrics: Instruments, note: Note, at: Instant, shoot: ShootNamespace) => void;

/** What some kinds of notes are counted by, whatever came before them. */
const noteCounts: { readonly [Kind in ShootNote['kind']]?: NoteCount<Extract<ShootNote, { kind: Kind }>> } = {
  dependantMissing: (metrics, { direction }) => metrics.missingDependants.inc({ direction }),
  dependantRefused: (metrics) => metrics.refusedDependants.inc(),
  clockDiffers: (metrics) => metrics.clockDifferences.inc(),
  leasesAhead: (metrics) => metrics.shootsWithLeasesAhead.inc(),
  leasesNotRenewed: (metrics) => metrics.shootsWithLeasesNotRenewed.inc(),
  leasesLeftOut: (metrics) => metrics.shootsWithLeasesLeftOut.inc(),
  earlyProbesSpent: (metrics) => metrics.spentEarlyProbes.inc(),
  stepTimedOut: (metrics, { direction }) => metrics.timedOutSteps.inc({ direction }),
  recordUnreadable: (metrics) => metrics.unreadableRecords.inc(),
  decided: (metrics, { crossedAt }, at) => metrics.decisionDelay.observe((at - crossedAt) / 1_000),
  shielded(metrics, { firstMarkAt }, at, shoot) {
    metrics.kcmMargin.observe((firstMarkAt - at) / 1_000);
    metrics.shootMargin.set({ shoot }, (firstMarkAt - at) / 1_000);
  },
  unjudged: (metrics, _, _at, shoot) => metrics.unjudgedShoots.set({ shoot }, 1),
  unjudgedOver: (metrics, _, _at, shoot) => metrics.unjudgedShoots.remove({ shoot }),
  internalFailed: (metrics, _, _at, shoot) => metrics.internalPathFailed.set({ shoot }, 1),
  returnWaits: (metrics) => metrics.heldReturns.inc(),
};

function countOf({ kind }: ShootNote): NoteCount<ShootNote> | undefined {
  return noteCounts[kind] as NoteCount<ShootNote> | undefined;
}
