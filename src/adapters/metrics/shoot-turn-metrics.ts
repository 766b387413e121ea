import type { ShootNamespace } from '../../domain/names.ts';
import type { ProbeStage } from '../../domain/prober/probe-failure.ts';
import type { ResourceChange } from '../../domain/prober/resource-view.ts';
import type { Millis } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { ScaleDirection, ShootNote } from '../../machines/shoot-language.ts';
import { flapWatch } from '../turns/flap-watch.ts';
import { noteRow } from '../turns/shoot-notes.ts';
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

type FailureLabels = Readonly<{ shoot: string; probe: string; reason: string }>;

/**
 * Counts what the prober's turns tell (SPEC 9.2), and removes a shoot's series when the shoot goes. It remembers only what
 * no turn tells: which series there are, and which shoots are counted in a gauge over all shoots.
 */
export function shootTurnMetrics(metrics: Instruments): (turn: ShootTurn) => void {
  /** The series that bear a shoot's name: prom-client removes a series only by its labels. */
  const failures = new Map<ShootNamespace, Map<string, FailureLabels>>();
  const unreadable = new Set<ShootNamespace>();
  const active = new Set<ShootNamespace>();
  const states = new Map<ShootNamespace, ShootTurn['to']>();
  const flaps = flapWatch();
  const flapping = new Set<ShootNamespace>();
  /** Of those whose clocks differ from ours, by how many seconds. */
  const clocks = new Map<ShootNamespace, number>();
  const leasesAhead = sumOver<ShootNamespace>((sum) => metrics.leasesAhead.set(sum));
  const leasesNotRenewed = sumOver<ShootNamespace>((sum) => metrics.leasesNotRenewed.set(sum));
  const paths = pathTurnMetrics(metrics, countFailure);

  return (turn) => {
    countEvent(turn);
    if (turn.event.type === 'ended') return;
    recordState(turn);
    recordFlapping(turn);
    for (const note of turn.notes) countNote(note, turn);
  };

  function countEvent(turn: ShootTurn): void {
    const { subject: shoot, event, at, to, before } = turn;
    switch (event.type) {
      case 'started':
        end(shoot);
        return;
      case 'ended':
        metrics.shootState.remove({ shoot, state: to });
        end(shoot);
        if (event.because === 'gone') removeSeries(shoot);
        return;
      case 'cluster.changed':
        if (event.reading.readable) unreadable.delete(shoot);
        else unreadable.add(shoot);
        metrics.unreadableClusters.set(unreadable.size);
        return;
      case 'probe.answered':
      case 'probe.failed':
        // An answer that comes after its probe was given up does not count.
        if (before?.context.probe.asked?.number === event.number)
          metrics.probeDuration.observe(Math.max(0, at - event.askedAt) / 1_000);
        if (event.type === 'probe.failed') countFailure(shoot, event.failure);
        return;
      case 'candidates.failed':
        countFailure(shoot, event.failure);
        return;
      case 'path.answered':
        paths.answered(turn);
        return;
      case 'scale.answered':
        countWrite(event.asked.change, event.answer.outcome);
        return;
      case 'probe.reserved':
        if (event.probeAt !== event.asked.wanted) metrics.heldProbes.inc();
        return;
      case 'cluster.gone':
      case 'cluster.watched':
      case 'dependant.changed':
      case 'dependant.watched':
      case 'woken':
      case 'candidates.answered':
      case 'cluster.answered':
      case 'read.answered':
        return;
    }
  }

  function countWrite(change: ResourceChange, result: string): void {
    metrics.scaleOperations.inc({ direction: directionOf(change), result });
  }

  function countNote(note: ShootNote, { subject: shoot, at, before }: ShootTurn): void {
    noteRow(note).count?.(metrics, note, at);
    if (note.kind === 'probeLost') countFailure(shoot, { stage: lostStage(before?.context.paths), reason: 'lost' });
    if (note.kind === 'internalFailed') paths.internalFailed(shoot);
    // Two paths show no lease, and no date.
    if (note.kind !== 'verdict' || note.external !== undefined) return;
    recordClock(shoot, note.clockAhead ?? 0);
    leasesAhead.record(shoot, note.ahead ?? 0);
    leasesNotRenewed.record(shoot, note.notRenewed ?? 0);
  }

  function recordClock(shoot: ShootNamespace, ahead: Millis): void {
    const differs = Math.abs(ahead) / 1_000;
    if ((clocks.get(shoot) ?? 0) === differs) return;
    if (differs === 0) clocks.delete(shoot);
    else clocks.set(shoot, differs);
    metrics.clockDifference.set(Math.max(0, ...clocks.values()));
    metrics.shootsWithClockDifference.set(clocks.size);
  }

  function recordState({ subject: shoot, from, to }: ShootTurn): void {
    if (from === to) return;
    if (from !== undefined) metrics.shootState.remove({ shoot, state: from });
    metrics.shootState.set({ shoot, state: to }, 1);
    moveTo(shoot, to);
    if (to === 'idle') {
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
    if (flapped === flapsNow) return;
    if (flapsNow) flapping.add(turn.subject);
    else flapping.delete(turn.subject);
    metrics.shootsFlapping.set(flapping.size);
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
    recordClock(shoot, 0);
    forgetProbes(shoot);
    active.delete(shoot);
    unreadable.delete(shoot);
    flaps.forget(shoot);
    flapping.delete(shoot);
    moveTo(shoot, undefined);
    metrics.shootsFlapping.set(flapping.size);
    metrics.probesActive.set(active.size);
    metrics.unreadableClusters.set(unreadable.size);
  }

  /** No probe tells any more. */
  function forgetProbes(shoot: ShootNamespace): void {
    paths.forget(shoot);
    leasesAhead.record(shoot, 0);
    leasesNotRenewed.record(shoot, 0);
  }

  function removeSeries(shoot: ShootNamespace): void {
    for (const labels of failures.get(shoot)?.values() ?? []) metrics.probeFailures.remove(labels);
    failures.delete(shoot);
  }
}

/** A number of each subject, and their sum. A subject with 0 is not remembered. */
function sumOver<Subject>(tell: (sum: number) => void) {
  const of = new Map<Subject, number>();
  let sum = 0;
  return {
    record(subject: Subject, number: number): void {
      const before = of.get(subject) ?? 0;
      if (number === before) return;
      if (number === 0) of.delete(subject);
      else of.set(subject, number);
      sum += number - before;
      tell(sum);
    },
  };
}

/** A write that only clears our annotations belongs to the way up; one that only sets them, to the way down. */
function directionOf({ replicas, mark, record }: ResourceChange): ScaleDirection {
  if (replicas !== undefined) return replicas === 0 ? 'down' : 'up';
  return mark === true || typeof record === 'number' ? 'down' : 'up';
}
