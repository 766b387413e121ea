import type { ShootNamespace } from '../../domain/names.ts';
import type { ProberTold } from '../../domain/prober/prober-told.ts';
import type { ShootState } from '../../machines/shoot-language.ts';

const stateSeries = /^dwd_shoot_state\{shoot="([^"]+)",state="(\w+)"\} 1$/;
const failedSeries = /^dwd_internal_path_failed\{shoot="([^"]+)"\} 1$/;
const failing = 'the internal path has failed several times in a row';

const states: Readonly<Record<ShootState, true>> = {
  idle: true,
  probing: true,
  leaseFailed: true,
  scalingDown: true,
  scaledDown: true,
  scalingUp: true,
};

/** Reads each shoot's state from the text of a prober's metrics; of two paths also whether the internal one fails (SPEC 4.9). */
export async function readStates(lines: AsyncIterable<string>): Promise<ReadonlyMap<ShootNamespace, ProberTold>> {
  const told = new Map<ShootNamespace, ProberTold>();
  const failed = new Set<ShootNamespace>();
  for await (const line of lines) {
    const [, shoot, state = ''] = stateSeries.exec(line.trimEnd()) ?? [];
    if (shoot !== undefined && isState(state)) told.set(shoot, { state });
    const [, unanswering] = failedSeries.exec(line.trimEnd()) ?? [];
    if (unanswering !== undefined) failed.add(unanswering);
  }
  return new Map([...told].map(([shoot, one]) => [shoot, failed.has(shoot) ? { ...one, failing } : one]));
}

function isState(text: string): text is ShootState {
  return Object.hasOwn(states, text);
}
