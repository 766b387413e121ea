// An embedded seed of honest and hostile shoots in a process of its own.
import process from 'node:process';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock as clock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import { attacks, launchAttack } from '@dwd/testing/attacks.ts';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { firstMarkAfter } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import { cutOffWithAges, leasePolicy } from './outage-log.ts';
import { serve } from './forked.ts';
import { readConfig } from './config-file.ts';

type HostileSize = Readonly<{
  configFile: string;
  honest: number;
  hostile: number;
  attack: string;
  elsewhere: string;
}>;

type HostileReport = Readonly<{
  /** When each of the honest shoots was asked for its version. */
  probes: readonly (readonly Instant[])[];
  crossedAt?: Instant;
  firstMarkAt?: Instant;
  firstWriteAt: Instant | undefined;
}>;

const chance = seededChance(Number(process.env['SEED'] ?? 1));
let honest: readonly EmbeddedShoot[] = [];
let outage: ReturnType<typeof cutOffWithAges> | undefined;
let firstWriteAt: Instant | undefined;
let twoPaths = false;

const commands = {
  /**
   * Begins with honest shoots, and so many whose owner does what `attack` names; those are reached by the kubeconfig `elsewhere`. Answers the seed's
   * kubeconfig.
   */
  async start(order: HostileSize): Promise<string> {
    return (await start(order)).kubeconfig;
  },
  /** One of the honest ones, whose leases are old already. */
  async cutOff(): Promise<void> {
    const [first] = honest;
    if (first === undefined) return;
    const now = clock.now();
    if (twoPaths) {
      outage = { crossedAt: now, firstMarkAt: firstMarkAfter(now, now, leasePolicy.grace) };
      await first.paths.break('external', { kind: 'cut' });
      return;
    }
    // The third of five leases expires after some eleven seconds, at three quarters of the grace.
    outage = cutOffWithAges(first, [16_000, 22_000], now, chance);
  },
  report(): HostileReport {
    const probes = honest.map(({ api }) =>
      api.requests.all.filter(({ resource }) => resource === '/version').map(({ at }) => at),
    );
    return { probes, ...outage, firstWriteAt };
  },
};
export type HostileSeedCommands = typeof commands;
serve(commands);

async function start(order: HostileSize): Promise<EmbeddedSeed> {
  const config = await readConfig(order.configFile);
  twoPaths = hasTwoPaths(config);
  const shoots = order.honest + order.hostile;
  const begun = await startEmbeddedSeed({ clock, chance, config, shoots, nodes: 5, sharedCertificates: true });
  honest = begun.shoots.slice(0, order.honest);
  const attack = attacks.find(({ name }) => name === order.attack);
  for (const shoot of begun.shoots.slice(order.honest)) {
    if (attack === undefined) break;
    if (attack.answers !== undefined) shoot.writeSecret(order.elsewhere);
    launchAttack(begun, shoot, { ...attack, answers: {} }, clock);
  }
  begun.api.storage.store.of(kinds.deployment).onChange(({ revision, previous }) => {
    if (previous === undefined || revision.object.metadata.namespace !== honest[0]?.name) return;
    const [was, is] = [previous, revision].map(({ object }) => workloadNumbers(kinds.deployment, object).desired);
    if (was !== is) firstWriteAt ??= clock.now();
  });
  return begun;
}
