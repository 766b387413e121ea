import type { ShootNamespace } from '../../domain/names.ts';
import type { ProberTold } from '../../domain/prober/prober-told.ts';
import type { ShootState } from '../../machines/shoot-language.ts';

const series = /^dwd_shoot_state\{shoot="([^"]+)",state="(\w+)"\} 1$/;

const states: Readonly<Record<ShootState, true>> = {
  idle: true,
  probing: true,
  leaseFailed: true,
  scalingDown: true,
  scaledDown: true,
  scalingUp: true,
};

/** Reads each shoot's state from the text of a prober's metrics. */
export async function readStates(lines: AsyncIterable<string>): Promise<ReadonlyMap<ShootNamespace, ProberTold>> {
  const told = new Map<ShootNamespace, ProberTold>();
  for await (const line of lines) {
    const [, shoot, state = ''] = series.exec(line.trimEnd()) ?? [];
    if (shoot !== undefined && isState(state)) told.set(shoot, { state });
  }
  return told;
}

function isState(text: string): text is ShootState {
  return Object.hasOwn(states, text);
}
