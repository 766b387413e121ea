import { setTimeout as pause } from 'node:timers/promises';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { forked, type Forked } from './forked.ts';
import type { Outage, SeedReport, SeedSize } from './seed-orders.ts';
import type { SeedCommands } from './seed-process.ts';

/** An embedded seed in a process of its own, which ends when it is disposed of. */
export type StartedSeed = Forked<SeedCommands> & Readonly<{ kubeconfig: string }>;

/** The shoots show one certificate. */
export async function startSeed(size: SeedSize): Promise<StartedSeed> {
  const seed = await forked<SeedCommands>('seed-process.ts', [], ['--max-old-space-size=8000']);
  return Object.assign(seed, { kubeconfig: await seed.start(size) });
}

/** The first report that is so, or the last one before `giveUpAt`. `since`: the instant after which a shoot that is asked something counts as asked. */
export async function reportOnce(
  seed: StartedSeed,
  isIt: (report: SeedReport) => boolean,
  giveUpAt: Instant,
  since: Instant = Infinity,
): Promise<SeedReport> {
  for (;;) {
    const report = await seed.report(since);
    if (isIt(report) || Date.now() >= giveUpAt) return report;
    await pause(100);
  }
}

/** The outages once each kube-controller-manager is gone, or long after the last one would have marked a node. */
export async function untilGone(seed: StartedSeed, cut: readonly Outage[]): Promise<readonly Outage[]> {
  const last = Math.max(...cut.map(({ firstMarkAt }) => firstMarkAt)) + 20_000;
  return (await reportOnce(seed, ({ outages }) => outages.every(isGone), last)).outages;
}

function isGone({ controllerManager }: Outage): boolean {
  return controllerManager.goneAt !== undefined;
}
