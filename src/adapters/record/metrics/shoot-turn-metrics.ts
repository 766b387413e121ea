import type { Gauge } from 'prom-client';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { ProbeStage } from '../../../domain/prober/probe-failure.ts';
import type { ResourceChange } from '../../../domain/prober/resource-view.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ScaleDirection, ShootNote } from '../../../machines/shoot-language.ts';
import { flapWatch } from '../facts/flap-watch.ts';
import type { Instruments } from './metric-list.ts';
import { lostStage, pathTurnMetrics } from './path-turn-metrics.ts';

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

type FailureLabels = Readonly<{ shoot: string; probe: string; reason: string }>;

/**
 * Counts what the prober's turns tell (SPEC 9.2), and removes a shoot's series when the shoot goes. It remembers only what
 * no turn tells: which series there are, and which shoots are counted in a gauge over all shoots.
 */
export function shootTurnMetrics(metrics: Instruments): (turn: ShootTurn) => void {
  /** The series that bear a shoot's name: prom-client removes a series only by its labels. */
  const failures = new Map<ShootNamespace, Map<string, FailureLabels>>();
  const active = new Set<ShootNamespace>();
  /** What was said of its leases, and is not over. */
  const partial = countedShoots(metrics.partialOutages, 'partialOutage', 'partialOutageOver');
  const late = countedShoots(metrics.lateShoots, 'renewalsLate', 'renewalsLateOver');
  const states = new Map<ShootNamespace, ShootTurn['to']>();
  /** Since when a margin shows. */
  const margins = new Map<ShootNamespace, Instant>();
  const flaps = flapWatch();
  const paths = pathTurnMetrics(metrics, countFailure);

  return (turn) => {
    countEvent(turn);
    if (turn.event.type === 'ended') return;
    recordState(turn);
    if (turn.to === 'probing' && turn.at - (margins.get(turn.subject) ?? turn.at) >= marginLasts)
      removeMargin(turn.subject);
    recordFlapping(turn);
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
    if (isProbe && before?.context.probe.asked?.number === event.number)
      metrics.probeDuration.observe(Math.max(0, at - event.askedAt) / 1_000);
    if (event.type === 'probe.failed' || event.type === 'candidates.failed') countFailure(shoot, event.failure);
    if (event.type === 'path.answered') paths.answered(turn);
    if (event.type === 'scale.answered') countWrite(event.asked.change, event.answer.outcome);
    if (event.type === 'probe.reserved' && event.probeAt !== event.asked.wanted) metrics.heldProbes.inc();
  }

  function countWrite(change: ResourceChange, result: string): void {
    metrics.scaleOperations.inc({ direction: directionOf(change), result });
  }

  function countNote(note: ShootNote, { subject: shoot, at, before }: ShootTurn): void {
    countOf(note)?.(metrics, note, at);
    partial.observe(shoot, note);
    late.observe(shoot, note);
    if (note.kind === 'partialOutage') late.forget(shoot);
    if (note.kind === 'probeLost') countFailure(shoot, { stage: lostStage(before?.context.paths), reason: 'lost' });
    if (note.kind === 'unjudged' || note.kind === 'unjudgedOver')
      showIfOdd(metrics.unjudgedShoots, shoot, note.kind === 'unjudged' ? 1 : 0);
    if (note.kind === 'internalFailed') paths.internalFailed(shoot);
    if (note.kind === 'shielded') {
      metrics.shootMargin.set({ shoot }, (note.firstMarkAt - at) / 1_000);
      margins.set(shoot, at);
    }
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
    if (to === 'idle') {
      removeMargin(shoot);
      active.delete(shoot);
      forgetProbes(shoot);
    } else active.add(shoot);
    metrics.probesActive.set(active.size);
  }

  function moveTo(shoot: ShootNamespace, state: ShootTurn['to'] | undefined): void {
    const former = states.get(shoot);
    if (former !== undefined) metrics.shoots.dec({ state: former });
    if (state === undefined) states.delete(shoot);
    else {
      states.set(shoot, state);
      metrics.shoots.inc({ state });
    }
  }

  function recordFlapping(turn: ShootTurn): void {
    const { flapped, flaps: flapsNow } = flaps.after(turn);
    if (flapped !== flapsNow) showIfOdd(metrics.shootsFlapping, turn.subject, flapsNow ? 1 : 0);
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
    showIfOdd(metrics.clockDifference, shoot, 0);
    showIfOdd(metrics.unreadableClusters, shoot, 0);
    removeMargin(shoot);
    forgetProbes(shoot);
    active.delete(shoot);
    flaps.forget(shoot);
    showIfOdd(metrics.shootsFlapping, shoot, 0);
    moveTo(shoot, undefined);
    metrics.probesActive.set(active.size);
  }

  function removeMargin(shoot: ShootNamespace): void {
    margins.delete(shoot);
    metrics.shootMargin.remove({ shoot });
  }

  /** No probe tells any more. */
  function forgetProbes(shoot: ShootNamespace): void {
    paths.forget(shoot);
    partial.forget(shoot);
    late.forget(shoot);
    showIfOdd(metrics.leasesAhead, shoot, 0);
    showIfOdd(metrics.leasesNotRenewed, shoot, 0);
    showIfOdd(metrics.unjudgedShoots, shoot, 0);
  }

  function removeSeries(shoot: ShootNamespace): void {
    for (const labels of failures.get(shoot)?.values() ?? []) metrics.probeFailures.remove(labels);
    failures.delete(shoot);
  }
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

type NoteCount<Note extends ShootNote> = (metrics: Instruments, note: Note, at: Instant) => void;

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
  shielded: (metrics, { firstMarkAt }, at) => metrics.kcmMargin.observe((firstMarkAt - at) / 1_000),
  returnWaits: (metrics) => metrics.heldReturns.inc(),
};

function countOf({ kind }: ShootNote): NoteCount<ShootNote> | undefined {
  return noteCounts[kind] as NoteCount<ShootNote> | undefined;
}
