import packageJson from '../../../package.json' with { type: 'json' };
import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import type { RateFlags } from '../../adapters/seed-client/rate-limit.ts';
import type { Clock } from '../../effects/ports.ts';
import type { EmbeddedSeed } from '../../simulator/embedded-seed.ts';
import { seedClients } from '../role/seed-clients.ts';
import { embeddedCredentials } from './embedded-credentials.ts';

export type SimulatedClientParts = Readonly<{
  clock: Clock;
  seed: EmbeddedSeed;
  /** Whom the seed takes it for. */
  user: string;
  rate: RateFlags;
  /** Hears what no turn tells. */
  remark: (text: string) => void;
}>;

/** The way to the embedded seed, as to any other; nobody elects anybody, so that it may write. */
export function simulatedClient({ clock, seed, user, rate, remark }: SimulatedClientParts): KubeClient {
  const clients = seedClients({
    clock,
    credentials: embeddedCredentials(seed.addUser(user)),
    rate,
    userAgent: `dependency-watchdog-simulate/${packageJson.version}`,
    told: { seedRequest: () => undefined, seedThrottled: () => undefined, credentials: remark },
  });
  return clients();
}
