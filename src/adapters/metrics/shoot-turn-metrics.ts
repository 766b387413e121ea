import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { ProbeStage } from '../../domain/prober/probe-failure.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { ShootNote, ScaleDirection, ShootCommands, ShootState } from '../../machines/shoot-language.ts';
import { askedWrites, type AskedWrite } from '../turns/asked-writes.ts';
import type { ShootInstruments } from './shoot-instruments.ts';

const probeNames = {
  version: 'apiserver',
  leases: 'lease',
  nodes: 'node',
  machines: 'machine',
} as const satisfies Record<ProbeStage, string>;

/** What has to be remembered of a shoot between turns, and which series are its own. */
type ShootMemory = {
  state: ShootState | undefined;
  probe: Readonly<{ number: number; at: Instant }> | undefined;
  /** When the threshold was crossed in this outage, until its first scale-down; `decided` after it. */
  outage: Readonly<{ crossedAt: Instant }> | 'decided' | undefined;
  failures: Map<string, Readonly<{ shoot: string; probe: string; reason: string }>>;
  attempts: Map<string, Readonly<{ shoot: string; direction: string; result: string }>>;
};

/** Counts what the prober's turns tell (SPEC 9.2), and takes a shoot's series away when the shoot goes. */
export function shootTurnMetrics(metrics: ShootInstruments): (turn: ShootTurn) => void {
  const memories = new Map<ShootNamespace, ShootMemory>();
  const unreadable = new Set<ShootNamespace>();
  const active = new Set<ShootNamespace>();
  /** Of those whose clocks differ from ours, by how many seconds. */
  const clocks = new Map<ShootNamespace, number>();
  const answeredWrite = askedWrites();

  return (turn) => {
    const { subject: shoot, event } = turn;
    const memory = memories.get(shoot) ?? noMemory();
    memories.set(shoot, memory);

    const asked = answeredWrite(turn);
    if (asked !== undefined) keepAnswer(turn, asked, memory);
    keepEvent(turn, memory);
    if (event.type === 'ended') return;
    keepState(shoot, memory, turn.to);
    for (const note of turn.notes) keepNote(note, turn, memory);
    for (const command of turn.commands) {
      if (command.type === 'probe') memory.probe = { number: command.params.number, at: turn.at };
      if (command.type === 'scale' && directionOf(command.params.change) === 'down') keepDecision(memory, turn.at);
    }
    // Everything that was to be down is: whatever is scaled down after this decides nothing.
    if (turn.to === 'scaledDown') memory.outage = 'decided';
    if (turn.to === 'idle') memory.outage = undefined;
  };

  function keepEvent({ subject: shoot, event, at }: ShootTurn, memory: ShootMemory): void {
    switch (event.type) {
      case 'started':
      case 'ended':
        end(shoot, memory, event.type === 'ended' && event.because === 'gone');
        return;
      case 'cluster.changed':
        if (event.reading.readable) unreadable.delete(shoot);
        else unreadable.add(shoot);
        metrics.unreadableClusters.set(unreadable.size);
        return;
      case 'probe.answered':
      case 'probe.failed':
        if (memory.probe?.number === event.number) {
          metrics.probeDuration.observe(Math.max(0, at - memory.probe.at) / 1_000);
          memory.probe = undefined;
        }
        if (event.type === 'probe.failed') countFailure(shoot, memory, event.failure);
        return;
      case 'candidates.failed':
        countFailure(shoot, memory, event.failure);
        return;
      case 'cluster.gone':
      case 'cluster.watched':
      case 'dependant.changed':
      case 'dependant.watched':
      case 'woken':
      case 'candidates.answered':
      case 'scale.answered':
      case 'read.answered':
        return;
    }
  }

  function keepAnswer(
    { subject: shoot, event }: ShootTurn,
    { write: { change } }: AskedWrite,
    memory: ShootMemory,
  ): void {
    if (event.type !== 'scale.answered') return;
    const labels = { direction: directionOf(change), result: event.answer.outcome };
    if (change.replicas !== undefined) metrics.scaleOperations.inc(labels);
    const own = { shoot, ...labels };
    memory.attempts.set(`${own.direction} ${own.result}`, own);
    metrics.scaleAttempts.inc(own);
  }

  function keepNote(note: ShootNote, { subject: shoot, at }: ShootTurn, memory: ShootMemory): void {
    switch (note.kind) {
      case 'verdict':
        if (note.verdict === 'connected') memory.outage = undefined;
        if (note.crossedAt !== undefined) memory.outage ??= { crossedAt: note.crossedAt };
        keepClock(shoot, note.clockAhead ?? 0);
        return;
      case 'shielded':
        metrics.kcmMargin.observe((note.firstMarkAt - at) / 1_000);
        return;
      case 'probeLost':
        memory.probe = undefined;
        countFailure(shoot, memory, { stage: 'version', reason: 'lost' });
        return;
      case 'dependantMissing':
        metrics.missingDependants.inc({ direction: note.direction });
        return;
      case 'dependantRefused':
        metrics.refusedDependants.inc();
        return;
      case 'clockDiffers':
        metrics.clockDifferences.inc();
        return;
      case 'earlyProbesSpent':
        metrics.spentEarlyProbes.inc();
        return;
      case 'stepTimedOut':
        metrics.timedOutSteps.inc({ direction: note.direction });
        return;
      case 'recordUnreadable':
        metrics.unreadableRecords.inc();
        return;
      case 'paused':
      case 'decided':
      case 'restored':
        return;
    }
  }

  function keepClock(shoot: ShootNamespace, ahead: Millis): void {
    if (ahead === 0) clocks.delete(shoot);
    else clocks.set(shoot, Math.abs(ahead) / 1_000);
    metrics.clockDifference.set(Math.max(0, ...clocks.values()));
  }

  function keepState(shoot: ShootNamespace, memory: ShootMemory, state: ShootState): void {
    if (memory.state === state) return;
    if (memory.state !== undefined) metrics.shootState.remove({ shoot, state: memory.state });
    memory.state = state;
    metrics.shootState.set({ shoot, state }, 1);
    if (state === 'idle') active.delete(shoot);
    else active.add(shoot);
    metrics.probesActive.set(active.size);
  }

  function keepDecision(memory: ShootMemory, at: Instant): void {
    if (memory.outage === undefined || memory.outage === 'decided') return;
    metrics.decisionDelay.observe((at - memory.outage.crossedAt) / 1_000);
    memory.outage = 'decided';
  }

  function countFailure(
    shoot: ShootNamespace,
    memory: ShootMemory,
    { stage, reason }: Readonly<{ stage: ProbeStage; reason: string }>,
  ): void {
    const labels = { shoot, probe: probeNames[stage], reason };
    memory.failures.set(`${labels.probe} ${reason}`, labels);
    metrics.probeFailures.inc(labels);
  }

  /** Nothing of a machine outlives it; its shoot's series outlive a bug, but not the shoot. */
  function end(shoot: ShootNamespace, memory: ShootMemory, gone: boolean): void {
    if (memory.state !== undefined) metrics.shootState.remove({ shoot, state: memory.state });
    memory.state = undefined;
    memory.probe = undefined;
    memory.outage = undefined;
    keepClock(shoot, 0);
    active.delete(shoot);
    unreadable.delete(shoot);
    metrics.probesActive.set(active.size);
    metrics.unreadableClusters.set(unreadable.size);
    if (!gone) return;
    for (const labels of memory.failures.values()) metrics.probeFailures.remove(labels);
    for (const labels of memory.attempts.values()) metrics.scaleAttempts.remove(labels);
    memories.delete(shoot);
  }
}

/** A write that only clears our traces belongs to the way up, one that only sets them to the way down. */
function directionOf({ replicas, mark, record }: ShootCommands['scale']['change']): ScaleDirection {
  if (replicas !== undefined) return replicas === 0 ? 'down' : 'up';
  return mark === true || typeof record === 'number' ? 'down' : 'up';
}

function noMemory(): ShootMemory {
  return {
    state: undefined,
    probe: undefined,
    outage: undefined,
    failures: new Map(),
    attempts: new Map(),
  };
}
