import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { type EmbeddedSeed, type EmbeddedSeedOptions, startEmbeddedSeed } from '../embedded-seed.ts';
import type { EmbeddedShoot } from '../shoot/embedded-shoot.ts';
import { Wire } from '../contract/embedded-wire.ts';
import { controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

export const noon = Date.parse('2026-11-21T12:00:00Z');

export const config: ProberConfig = {
  ...gardenerConfig,
  kubeConfigSecretName: 'probe-access',
  probeInterval: 10_000,
  initialDelay: 0,
  dependants: [controllerManager, machineController],
};

/** A seed whose time a test moves: two shoots of five nodes unless told. */
export async function seedAtNoon(
  options: Partial<EmbeddedSeedOptions> = {},
): Promise<Readonly<{ clock: VirtualClock; seed: EmbeddedSeed }>> {
  const clock = new VirtualClock(noon);
  const seed = await startEmbeddedSeed({ clock, chance: seededChance(7), config, shoots: 2, nodes: 5, ...options });
  return { clock, seed };
}

/** Speaks to the seed as its administrator. */
export function seedWire(seed: EmbeddedSeed): Wire {
  return new Wire({ url: seed.api.url, ca: seed.api.certificates.ca, token: tokenOf(seed.kubeconfig) });
}

/** Speaks to a shoot as the watchdog would, by what stands in the Secret, over one connection. */
export function shootWire(seed: EmbeddedSeed, { api, name }: EmbeddedShoot): Wire {
  return new Wire({ url: api.url, ca: api.certificates.ca, token: tokenOf(kubeconfigInSecret(seed, name)) }, 1);
}

export function kubeconfigInSecret(seed: EmbeddedSeed, shoot: string): string {
  const secret = seed.api.storage.store.of(kinds.secret).get(`${shoot}/${config.kubeConfigSecretName}`);
  const data = secret?.object['data'] as Readonly<Record<string, string>>;
  return Buffer.from(data['kubeconfig']!, 'base64').toString('utf8');
}

export function tokenOf(kubeconfig: string): string {
  return /token: (\S+)/.exec(kubeconfig)![1]!;
}
