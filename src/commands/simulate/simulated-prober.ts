import { of, type Observable } from 'rxjs';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import type { Chance, Clock } from '../../effects/ports.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { EmbeddedSeed } from '../../simulator/embedded-seed.ts';
import { assembleProber } from '../prober/assemble-prober.ts';
import { simulatedClient } from './simulated-client.ts';
import { streamRemarks } from './stream-remarks.ts';

/** As gardenlet sets `--kube-api-qps` and `--kube-api-burst`. */
const gardenerRate = { qps: 20, burst: 100 } as const;

export type SimulatedProberParts = Readonly<{
  clock: Clock;
  chance: Chance;
  config: ProberConfig;
  seed: EmbeddedSeed;
  /** Hears what no turn tells. */
  remark: (text: string) => void;
}>;

/** The real prober, on the way to the embedded seed as to any other, without an election; it runs while subscribed to. */
export function simulatedProber({ clock, chance, config, seed, remark }: SimulatedProberParts): Observable<ShootTurn> {
  const client = simulatedClient({ clock, seed, user: 'dependency-watchdog-prober', rate: gardenerRate, remark });
  const told = { shootRequest: () => undefined, stream: streamRemarks(remark) };
  return assembleProber({ clock, chance, config, client, told }).turns(of(true));
}
