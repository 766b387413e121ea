// An embedded seed in a process of its own, so that what a prober costs is the prober's alone. Forked, and told what to do.
import process from 'node:process';
import { systemClock as clock } from '../../src/adapters/system-clock.ts';
import { seededChance } from '../../src/adapters/chance.ts';
import type { ShootNamespace } from '../../src/domain/shoot-namespace.ts';
import type { Instant, Millis } from '../../src/domain/time.ts';
import { judgeLeases } from '../../src/domain/verdict.ts';
import { kinds } from '../../src/simulator/embedded-kinds.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../../src/simulator/embedded-seed.ts';
import type { EmbeddedShoot } from '../../src/simulator/embedded-shoot.ts';
import { asObject } from '../../src/simulator/kube-object.ts';
import { microTime } from '../../src/simulator/micro-time.ts';
import { workloadNumbers } from '../../src/simulator/workload-status.ts';
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
// Whoever forked us is gone.
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
      for (const shoot of seed?.shoots ?? []) cutOff(shoot, order.ages);
      return report();
    case 'report':
      return report();
  }
}

function cutOff(shoot: EmbeddedShoot, [youngest, oldest]: readonly [Millis, Millis]): void {
  shoot.cutOff();
  const now = clock.now();
  const leases = shoot.api.world.store.of(kinds.lease);
  const renewals = leases.list('kube-node-lease').map(({ object }) => {
    const renewedAt = now - youngest - chance() * (oldest - youngest);
    const { name } = object.metadata;
    leases.put({ ...object, spec: { ...asObject(object['spec']), renewTime: microTime(renewedAt) } });
    return { node: name, renewedAt };
  });
  const verdict = judgeLeases(renewals, Infinity, { grace: 40_000, failureFraction: 0.6 });
  if (verdict.kind !== 'cutOff') throw new Error(`${shoot.name} has too few nodes`);
  const { crossedAt, firstMarkAt } = verdict;
  outages.set(shoot.name, { crossedAt, firstMarkAt });
}

function follow({ api }: EmbeddedSeed): void {
  api.world.store.of(kinds.deployment).follow(({ revision, previous }) => {
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
  const told = [...outages].map(([shoot, { crossedAt, firstMarkAt, firstWriteAt, scaledAt, goneAt }]): Outage => {
    const marks = seed?.shoot(shoot).marks.length ?? 0;
    return { shoot, crossedAt, firstMarkAt, firstWriteAt, controllerManager: { scaledAt, goneAt }, marks };
  });
  return { outages: told, cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() };
}
