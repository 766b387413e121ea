import { of, type Observable } from 'rxjs';
import type { WeederConfig } from '../../../domain/weeder/weeder-config.ts';
import type { Chance, Clock } from '../../../effects/ports.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import { assembleWeeder } from '../../weeder/assemble-weeder.ts';
import { simulatedClient } from '../simulated-client.ts';
import { streamRemarks } from '../stream-remarks.ts';

/** gardenlet gives the weeder no rate, so that the flags' own defaults count. */
const usualRate = { qps: 5, burst: 10 } as const;

export const weederUser = 'dependency-watchdog-weeder';

export type SimulatedWeederParts = Readonly<{
  clock: Clock;
  chance: Chance;
  config: WeederConfig;
  seed: EmbeddedSeed;
  /** Hears what no turn tells. */
  remark: (text: string) => void;
}>;

/** The real weeder, on the way to the embedded seed as to any other, without an election; it runs while subscribed to. */
export function simulatedWeeder({ clock, chance, config, seed, remark }: SimulatedWeederParts): Observable<WeederTurn> {
  const client = simulatedClient({ clock, seed, user: weederUser, rate: usualRate, remark });
  return assembleWeeder({ clock, chance, config, client, told: { stream: streamRemarks(remark) } }).turns(of(true));
}
