// An embedded seed, of hostile shoots too, in a process of its own, so that what a prober costs is the prober's alone.
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { systemClock as clock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { earliest, type Instant, type Millis } from 'dependency-watchdog/domain/time.ts';
import { textAt } from 'dependency-watchdog/domain/value-at.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { usualPace } from '@dwd/simulator/workloads/workload-life.ts';
import { attacks, launchAttack } from '@dwd/testing/attacks.ts';
import { serve } from './forked.ts';
import { OutageLog } from './outage-log.ts';
import { readConfig } from './config-file.ts';
import type { CutOff, SeedReport, SeedSize } from './started-seed.ts';

const chance = seededChance(Number(process.env['SEED'] ?? 1));

type Running = Readonly<{ seed: EmbeddedSeed; outages: OutageLog; honest: readonly EmbeddedShoot[] }>;
let running: Running | undefined;
let seedRequests = 0;

const commands = {
  /** Answers the seed's kubeconfig. */
  async start({
    configFile,
    shoots: count,
    nodes,
    elsewhere,
    podStart = usualPace.up,
    hostile,
  }: SeedSize): Promise<string> {
    const config = await readConfig(configFile);
    const pace = { ...usualPace, up: podStart };
    const shoots = count + (hostile?.shoots ?? 0);
    const seed = await startEmbeddedSeed({ clock, chance, config, shoots, nodes, pace, sharedCertificates: true });
    if (elsewhere !== undefined)
      for (const shoot of seed.shoots) {
        shoot.writeSecret(elsewhere);
        shoot.lastOperation('Create', 'Processing');
      }
    const attack = attacks.find(({ name }) => name === hostile?.attack);
    for (const shoot of seed.shoots.slice(count)) {
      if (attack === undefined) break;
      if (attack.answers !== undefined) shoot.writeSecret(hostile?.elsewhere ?? '');
      launchAttack(seed, shoot, { ...attack, answers: {} }, clock);
    }
    running = { seed, outages: new OutageLog(seed), honest: seed.shoots.slice(0, count) };
    return seed.kubeconfig;
  },
  /** One shoot after the other, evenly over so long. */
  reveal(over: Millis): void {
    const { seed } = started();
    for (const [index, shoot] of seed.shoots.entries())
      seed.api.agenda.after((index * over) / seed.shoots.length, () => shoot.reconcile());
  },
  cutOff(how: CutOff): SeedReport {
    started().outages.cutOff(how, chance);
    return report(started());
  },
  /** All nodes find their way again, each shoot's at a moment of its own within `over`: each kubelet renews at its next regular time, within 10 s. */
  heal(over: Millis): SeedReport {
    started().outages.heal(over, chance);
    return report(started());
  },
  /** `since`: what came since that instant, where the report tells such things. */
  report: (since: Instant = Infinity): SeedReport => report(started(), since),
};
export type SeedCommands = typeof commands;
serve(commands);

function started(): Running {
  if (running === undefined) throw new Error('the seed has not been started');
  return running;
}

function report({ seed, outages, honest }: Running, since: Instant = Infinity): SeedReport {
  // Of its Lease the program reads or writes one every two seconds, whatever else happens.
  seedRequests += seed.api.requests.take().filter(({ resource }) => resource !== 'leases').length;
  const { user, system } = process.cpuUsage();
  return {
    outages: outages.all,
    seed: { requests: seedRequests, handshakes: seed.api.connections, bytes: seed.api.bytes },
    shoots: {
      requests: sumOf(seed, ({ api }) => api.requests.count),
      handshakes: sumOf(seed, ({ api }) => api.connections),
      bytes: sumOf(seed, ({ api }) => api.bytes),
    },
    leader: leaderOf(seed),
    asked: askedSince(honest, since),
    watches: seed.api.watches,
    cpuSeconds: (user + system) / 1e6,
    busyMillis: performance.eventLoopUtilization().active,
    residentBytes: process.memoryUsage.rss(),
  };
}

function sumOf({ shoots }: EmbeddedSeed, count: (shoot: EmbeddedShoot) => number): number {
  return shoots.reduce((sum, shoot) => sum + count(shoot), 0);
}

function leaderOf({ api }: EmbeddedSeed): string {
  const [lease] = api.storage.store.of(kinds.lease).list('garden');
  return lease === undefined ? '' : textAt(lease.object, 'spec', 'holderIdentity');
}

function askedSince(shoots: readonly EmbeddedShoot[], since: Instant): SeedReport['asked'] {
  const asked = shoots.map(({ api }) => api.requests.all.filter(({ at }) => at >= since).map(({ at }) => at));
  const firsts = asked.map(([first]) => first).filter((at) => at !== undefined);
  const all = firsts.length < shoots.length ? undefined : Math.max(...firsts);
  const now = clock.now();
  const gaps = asked.flatMap((times) => [...times, now].map((at, index) => at - (times[index - 1] ?? since)));
  return { first: earliest(firsts), all, longestGap: Math.max(0, ...gaps) };
}
