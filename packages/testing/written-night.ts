import { NEVER } from 'rxjs';
import { journal } from 'dependency-watchdog/adapters/record/journal/journal.ts';
import type { Tenure } from 'dependency-watchdog/adapters/record/journal/journal-kinds.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootTurn, Turn } from 'dependency-watchdog/effects/turn.ts';
import { gardenerConfig } from './prober-configs.ts';
import { gardenerWeederConfig } from './weeder-configs.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The turns of one shoot as those of another one. */
export function asShoot(turns: readonly ShootTurn[], shoot: string): readonly ShootTurn[] {
  const renamed = <Snapshot extends ShootTurn['after']>(snapshot: Snapshot) =>
    snapshot && { ...snapshot, context: { ...snapshot.context, shoot } };
  return turns.map((turn) => ({
    ...turn,
    subject: shoot,
    event: turn.event.type === 'started' ? { ...turn.event, input: { ...turn.event.input, shoot } } : turn.event,
    before: renamed(turn.before),
    after: renamed(turn.after),
  }));
}

/** Writes the turns of several machines as the journal of one run, in the order of their time. `lead`: of its process. Returns how many. */
export async function writeNight(
  role: 'prober' | 'weeder',
  dir: string,
  turns: readonly Turn[],
  configuration: object = role === 'prober' ? gardenerConfig : gardenerWeederConfig,
  lead?: Tenure,
): Promise<number> {
  const ordered = turns.toSorted((one, other) => one.at - other.at);
  const clock = new VirtualClock(ordered[0]?.at ?? 0);
  const unlimited = Number.MAX_SAFE_INTEGER;
  const written = journal({
    clock,
    dir,
    program: {
      role,
      version: '0.1.0',
      processId: role === 'prober' ? 7 : 8,
      configuration,
    },
    // All is written at once, so it would be too much for a real one.
    limits: {
      shareBytes: unlimited,
      shareTurns: unlimited,
      backlogBytes: unlimited,
      memoryBytes: unlimited,
      memoryTurns: unlimited,
      directoryBytes: unlimited,
    },
    say: (_, message) => {
      throw new Error(message);
    },
    onDropped: ({ reason }) => {
      throw new Error(`the journal drops turns: ${reason}`);
    },
    onWriteFailed: () => {
      throw new Error('the journal cannot be written');
    },
  });
  if (lead !== undefined) written.lead(lead);
  ordered.forEach((turn, index) => written.observe({ ...turn, seq: index + 1 }));
  await written.close(NEVER);
  return ordered.length;
}

/** When all nights begin: 2026-03-14, 02:00 in UTC. */
export const nightBegins: Instant = Date.UTC(2026, 2, 14, 2);
