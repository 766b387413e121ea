import { setTimeout as pause } from 'node:timers/promises';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { cutOffAt, expiryOf } from '@dwd/testing/store-laws.ts';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import { replacedWithin } from './machine-fleet.ts';
import type { MeltingShoot } from './melting-shoot.ts';
import type { MeltdownGround } from './place.ts';
import type { PlayedDeployments } from './played-deployments.ts';

/** One outage of one shoot; instants and lengths in ms, what did not happen is undefined. */
export type Outage = Readonly<{
  shoot: string;
  /** How the load balancer between kubelets and API server failed. */
  fault: PathFault['kind'];
  /** When it began to fail. */
  cutAt: number;
  /** When anybody could know of it at the earliest: so many leases were three quarters of the grace old; with two paths, when the path broke. */
  knowableAt: number;
  /** When the seed first showed a dependant at 0. */
  firstWriteAt: number | undefined;
  /** The kube-controller-manager: at 0 replicas, and its process ended. */
  scaledAt: number | undefined;
  goneAt: number | undefined;
  /** When it marked the first node, and when it would have, by what it had seen, at the earliest. */
  markedAt: number | undefined;
  foretoldAt: number;
  nodes: number;
  /** How many were marked, at any time from the calm before to the end. */
  marked: number;
  /** How many Machines were replaced by others; undefined where they are played. */
  replaced: number | undefined;
  /** From the healing until the first dependant was scaled up, and until the last one was. */
  firstUpAfter: number | undefined;
  lastUpAfter: number | undefined;
  /** From the healing until all was as before. */
  backAfter: number | undefined;
  /** What was not as before at the last look. */
  changes: readonly string[];
  /** Of kubelets that were not cut off. */
  missedRenewals: number;
}>;

/** Kubernetes' --node-monitor-period, which is not to be set. */
const monitorEvery = 5_000;

/** A renewal that was on its way when the path broke, or that waited for it, fails with it. */
const failsWithPath = 1_000;

/**
 * Breaks the external path of a shoot at an instant, waits until its last node must have been marked, heals it, waits until all is as before.
 * `fault`: how the path breaks.
 */
export async function playOutage(
  { config }: MeltdownGround,
  shoot: MeltingShoot,
  deployments: PlayedDeployments,
  { cutAt, fault }: Readonly<{ cutAt: number; fault: PathFault }>,
  onPhase: (phase: OutagePhase) => void = () => undefined,
): Promise<Outage> {
  const { kubelets, marks, controllerManager, name, paths } = shoot;
  const [marksBefore, failuresBefore, nodes] = [marks.all.length, kubelets.failures.length, kubelets.names.length];
  const [before, machinesBefore] = [await shoot.state(), await shoot.machineIds()];
  onPhase({ is: 'calm', cutAt });
  await until(cutAt);
  await paths.break('external', fault);
  onPhase({ is: 'cutOff', cutAt });
  // Renewals that were on their way still count.
  await pause(2_000);
  const grace = config.kcmNodeMonitorGraceDuration;
  const renewals = await shoot.renewals();
  const expiries = renewals.map((renewedAt) => expiryOf(renewedAt, grace));
  const thresholdAt = hasTwoPaths(config) ? undefined : cutOffAt(expiries, config.nodeLeaseFailureFraction);
  const { tickAt } = controllerManager;
  if (tickAt === undefined) throw new Error(`the kube-controller-manager of ${name} does not look at its nodes`);
  const foretoldAt = foretellFirstMark(tickAt, renewals, grace);
  // All nodes are marked by then; and where that costs Machines, those are gone.
  const healAt = Math.max(...renewals) + grace + monitorEvery + 3_000 + (shoot.machines ? replacedWithin : 0);
  const harm = () =>
    `its kube-controller-manager ${controllerManager.isRunning ? 'runs' : 'is down'}, ${marks.marked.size} of ${nodes} nodes marked`;
  onPhase({ is: 'cutOff', cutAt, plan: { thresholdAt, healAt, harm } });
  await until(healAt);

  const healedAt = Date.now();
  await paths.heal('external');
  const changes = await shoot.changesSince(before, healedAt, (left) =>
    onPhase({ is: 'healing', healedAt, waitsFor: left.map(nameIn).join(', ') }),
  );
  onPhase({ is: 'over', asBefore: changes.length === 0 });
  const ups = deployments.scalings(name, healedAt).filter(({ replicas }) => replicas > 0);
  const zeros = deployments.scalings(name, cutAt).filter(({ replicas }) => replicas === 0);
  const replaced = machinesBefore.difference(await shoot.machineIds()).size;
  const newMarks = marks.all.slice(marksBefore);
  const scaledAt = zeros.find((one) => one.name === 'kube-controller-manager')?.at;
  return {
    shoot: name,
    fault: fault.kind,
    cutAt,
    knowableAt: thresholdAt ?? cutAt,
    firstWriteAt: zeros[0]?.at,
    scaledAt,
    goneAt: scaledAt === undefined || controllerManager.goneAt < scaledAt ? undefined : controllerManager.goneAt,
    markedAt: newMarks[0]?.at,
    foretoldAt,
    nodes,
    marked: new Set(newMarks.map(({ node }) => node)).size,
    replaced: shoot.machines && replaced,
    firstUpAfter: ups[0] && ups[0].at - healedAt,
    lastUpAfter: ups.length === 0 ? undefined : Math.max(...ups.map(({ at }) => at)) - healedAt,
    backAfter: changes.length === 0 ? Date.now() - healedAt : undefined,
    changes,
    missedRenewals: kubelets.failures
      .slice(failuresBefore)
      .filter(({ at }) => at < cutAt - failsWithPath || at > healedAt).length,
  };
}

/** `cluster-autoscaler` of `cluster-autoscaler was …, is …`. */
function nameIn(change: string): string {
  return change.split(' was ')[0] ?? change;
}

async function until(at: number): Promise<void> {
  await pause(Math.max(0, at - Date.now()));
}

/** Where an outage is; instants in ms. */
export type OutagePhase =
  | Readonly<{ is: 'calm'; cutAt: number }>
  /** `plan`: once the last renewals are in. `thresholdAt`: of the leases, where they are judged. */
  | Readonly<{
      is: 'cutOff';
      cutAt: number;
      plan?: Readonly<{ thresholdAt: number | undefined; healAt: number; harm: () => string }>;
    }>
  /** `waitsFor`: the names of what is not as it was. */
  | Readonly<{ is: 'healing'; healedAt: number; waitsFor: string }>
  | Readonly<{ is: 'over'; asBefore: boolean }>;

/** Of one column, the phase of each shoot. */
type Phases = ReadonlyMap<string, OutagePhase>;

/** What goes on in both columns, in one line. */
export function goingOn(columns: Readonly<Record<string, Phases>>, now: number): string {
  return Object.entries(columns)
    .filter(([, phases]) => phases.size > 0)
    .map(([column, phases]) => `${column}: ${phasesWords(phases, now)}`)
    .join(' | ');
}

function phasesWords(phases: Phases, now: number): string {
  const [only, ...others] = phases.values();
  if (only !== undefined && others.length === 0) return phaseWords(only, now);
  const counts = Map.groupBy(phases.values(), ({ is }) => is);
  return [...counts].map(([is, those]) => `${those.length} ${short[is]}`).join(', ');
}

/** As it is said when it begins. */
export function phaseBegins(phase: OutagePhase): string {
  switch (phase.is) {
    case 'calm':
      return 'calm';
    case 'cutOff':
      return 'its nodes are cut off';
    case 'healing':
      return 'its nodes are healed';
    case 'over':
      return phase.asBefore ? 'everything is as before' : 'not everything is as before, and nobody waits longer';
  }
}

const short = { calm: 'not cut off yet', cutOff: 'cut off', healing: 'healing', over: 'over' } as const;

function phaseWords(phase: OutagePhase, now: number): string {
  const since = (at: number): string => `${Math.max(0, Math.round((now - at) / 1_000))} s`;
  const until = (at: number): string => `${Math.max(0, Math.round((at - now) / 1_000))} s`;
  switch (phase.is) {
    case 'calm':
      return `is cut off in ${until(phase.cutAt)}`;
    case 'cutOff': {
      const { cutAt, plan } = phase;
      const cut = `cut off for ${since(cutAt)}`;
      if (plan === undefined) return cut;
      const { thresholdAt } = plan;
      if (thresholdAt !== undefined && now < thresholdAt)
        return `${cut}, its leases cross the threshold in ${until(thresholdAt)}`;
      const over = thresholdAt === undefined ? '' : `, over the threshold for ${since(thresholdAt)}`;
      return `${cut}${over}, ${plan.harm()}; healed in ${until(plan.healAt)}`;
    }
    case 'healing':
      return `healed for ${since(phase.healedAt)}, not as before yet: ${phase.waitsFor}`;
    case 'over':
      return 'over';
  }
}

/** It rests that long between two looks, so each comes later than foretold: by some 1.2 ms where there is nothing to write. */
const latePerLook = 3;
const lateAnyway = 20;

/**
 * When a kube-controller-manager first marks a node, unless one renews or it is ended: it looks at every node once in five
 * seconds, takes the moment at which it looked for that of the renewal, and marks with the first look at which that is more
 * than the grace ago. Instants and lengths in ms; where it is not known which look saw a renewal, the earlier is taken.
 */
export function foretellFirstMark(tickAt: number, renewedAt: readonly number[], grace: number): number {
  return Math.min(
    ...renewedAt.map((renewal) => {
      const looks = Math.ceil((renewal - tickAt) / monitorEvery);
      const lastLookAt = tickAt + (looks - 1) * monitorEvery;
      const mayHaveSeen = renewal - lastLookAt <= lateAnyway + latePerLook * Math.abs(looks);
      return tickAt + (mayHaveSeen ? looks - 1 : looks) * monitorEvery + Math.ceil(grace / monitorEvery) * monitorEvery;
    }),
  );
}
