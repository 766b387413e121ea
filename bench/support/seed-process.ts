// An embedded seed in a process of its own, so that what a prober costs is the prober's alone. It is forked, and gets orders.
import process from 'node:process';
import { systemClock as clock } from '../../src/adapters/clock/wall-clock.ts';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { ShootNamespace } from '../../src/domain/names.ts';
import type { Instant } from '../../src/domain/time.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../../src/simulator/embedded-seed.ts';
import { workloadNumbers } from '../../src/simulator/store/workload-status.ts';
import { cutOffWithAges } from './aged-leases.ts';
import { readConfig } from './read-config.ts';
import type { Outage, SeedAnswer, SeedOrder } from './seed-orders.ts';

const controllerManager = 'kube-controller-manager';
const chance = seededChance(Number(process.env['SEED'] ?? 1));

type Watched = {
  crossedAt: Instant;
  firstMarkAt: Instant;
  firstWriteAt?: Instant;
  scaledAt?: Instant;
  goneAt?: Instant;
};

let seed: EmbeddedSeed | undefined;
const outages = new Map<ShootNamespace, Watched>();

process.on('message', (order: SeedOrder) => void obey(order).then((answer) => process.send?.(answer)));
// Our parent process is gone.
process.on('disconnect', () => process.exit());

async function obey(order: SeedOrder): Promise<SeedAnswer> {
  switch (order.order) {
    case 'start': {
      const config = await readConfig(order.configFile);
      const { shoots, nodes } = order;
      seed = await startEmbeddedSeed({ clock, chance, config, shoots, nodes, sharedCertificates: true });
      const { elsewhere } = order;
      if (elsewhere !== undefined)
        for (const shoot of seed.shoots) {
          shoot.writeSecret(elsewhere);
          shoot.lastOperation('Create', 'Processing');
        }
      follow(seed);
      return { kubeconfig: seed.kubeconfig };
    }
    case 'reveal': {
      const { shoots, api } = seed ?? { shoots: [] };
      for (const [index, shoot] of shoots.entries())
        api?.agenda.after((index * order.over) / shoots.length, () => shoot.reconcile());
      return report();
    }
    case 'cutOff':
      for (const shoot of seed?.shoots ?? [])
        outages.set(shoot.name, cutOffWithAges(shoot, order.ages, clock.now(), chance));
      return report();
    case 'report':
      return report();
  }
}

function follow({ api }: EmbeddedSeed): void {
  api.storage.store.of(kinds.deployment).onChange(({ revision, previous }) => {
    const { name, namespace = '' } = revision.object.metadata;
    const outage = outages.get(namespace);
    if (outage === undefined || previous === undefined) return;
    const now = clock.now();
    const is = workloadNumbers(kinds.deployment, revision.object);
    const wasScaled = workloadNumbers(kinds.deployment, previous.object).desired !== is.desired;
    if (wasScaled) outage.firstWriteAt ??= now;
    if (name !== controllerManager) return;
    if (wasScaled && is.desired === 0) outage.scaledAt ??= now;
    if (is.desired === 0 && is.ready === 0) outage.goneAt ??= now;
  });
}

function report(): SeedAnswer {
  const { user, system } = process.cpuUsage();
  const reported = [...outages].map(([shoot, { crossedAt, firstMarkAt, firstWriteAt, scaledAt, goneAt }]): Outage => {
    const marks = seed?.shoot(shoot).marks.length ?? 0;
    return { shoot, crossedAt, firstMarkAt, firstWriteAt, controllerManager: { scaledAt, goneAt }, marks };
  });
  return { outages: reported, cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() };
}
