// An embedded seed in a process of its own, so that what a prober costs is the prober's alone. It is forked, and gets orders.
import process from 'node:process';
import { systemClock as clock } from '../../src/adapters/clock/wall-clock.ts';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../../src/simulator/embedded-seed.ts';
import { usualPace } from '../../src/simulator/workloads/workload-life.ts';
import { OutageLog } from './outage-log.ts';
import { readConfig } from './read-config.ts';
import type { SeedAnswer, SeedOrder, SeedSize } from './seed-orders.ts';

const chance = seededChance(Number(process.env['SEED'] ?? 1));

type Running = Readonly<{ seed: EmbeddedSeed; outages: OutageLog }>;
let running: Running | undefined;
let seedRequests = 0;

process.on('message', (order: SeedOrder) => void obey(order).then((answer) => process.send?.(answer)));
// Our parent process is gone.
process.on('disconnect', () => process.exit());

async function obey(order: SeedOrder): Promise<SeedAnswer> {
  if (order.order === 'start') {
    running = await start(order);
    return { kubeconfig: running.seed.kubeconfig };
  }
  if (running === undefined) throw new Error('the seed has not been started');
  const { seed, outages } = running;
  switch (order.order) {
    case 'reveal':
      for (const [index, shoot] of seed.shoots.entries())
        seed.api.agenda.after((index * order.over) / seed.shoots.length, () => shoot.reconcile());
      break;
    case 'cutOff':
      outages.cutOff(order.ages, chance);
      break;
    case 'heal':
      outages.heal();
      break;
    case 'report':
  }
  return report(running);
}

async function start({ configFile, shoots, nodes, elsewhere, podStart = usualPace.up }: SeedSize): Promise<Running> {
  const config = await readConfig(configFile);
  const pace = { ...usualPace, up: podStart };
  const seed = await startEmbeddedSeed({ clock, chance, config, shoots, nodes, pace, sharedCertificates: true });
  if (elsewhere !== undefined)
    for (const shoot of seed.shoots) {
      shoot.writeSecret(elsewhere);
      shoot.lastOperation('Create', 'Processing');
    }
  return { seed, outages: new OutageLog(seed) };
}

function report({ seed, outages }: Running): SeedAnswer {
  // Of these Leases one renewal comes every two seconds, whatever else happens.
  seedRequests += seed.api.requests.take().filter(({ resource }) => resource !== 'leases').length;
  const shoots = seed.shoots.reduce((sum, { api }) => sum + api.requests.count, 0);
  const { user, system } = process.cpuUsage();
  return {
    outages: outages.all,
    requests: { seed: seedRequests, shoots },
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
  };
}
