import { merge, NEVER, Observable } from 'rxjs';
import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import { readLease, type NodeLease } from 'dependency-watchdog/domain/prober/node-lease.ts';
import { hasTwoPaths, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { readResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import { judgeLeases } from 'dependency-watchdog/domain/prober/verdict.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import { earliest, type Instant } from 'dependency-watchdog/domain/time.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import type { DependantState } from '../../../shoot/shoot-dependants.ts';
import { kinds } from '../../../store/embedded-kinds.ts';
import type { DependantView, FirstViews, ProbeCost, Threat } from './network-model.ts';

/** Every dependant that there is, by shoot. All of this is read from the seed, and not from the prober. */
export function dependantViews(seed: EmbeddedSeed, { dependants }: ProberConfig): FirstViews {
  return new Map(
    seed.shoots.map((shoot) => [
      shoot.name,
      new Map(
        dependants.flatMap(({ key, ref }): (readonly [DependantKey, DependantView])[] => {
          const state = shoot.dependants.get(ref.name);
          return state === undefined ? [] : [[key, viewOf(state)]];
        }),
      ),
    ]),
  );
}

type DependantChange = Readonly<{ shoot: ShootNamespace; key: DependantKey; view: DependantView }>;

/** Each change of a dependant, by anybody, as soon as it is stored. */
export function dependantChanges(seed: EmbeddedSeed, { dependants }: ProberConfig): Observable<DependantChange> {
  const names = new Set(seed.shoots.map(({ name }) => name));
  const changes = dependants.map(({ key, ref }) => {
    const kind = seed.api.kindOf(ref.apiVersion, ref.kind);
    if (kind === undefined) return NEVER;
    return new Observable<DependantChange>((observer) =>
      seed.api.storage.store.of(kind).onChange(({ revision }) => {
        const { name, namespace: shoot = '' } = revision.object.metadata;
        if (name !== ref.name || !names.has(shoot)) return;
        const state = seed.shoot(shoot).dependants.get(name);
        observer.next({ shoot, key, view: state === undefined ? missing : viewOf(state) });
      }),
    );
  });
  return merge(...changes);
}

const missing: DependantView = { replicas: 0, readyReplicas: 0, marked: false, ignored: false };

/** Reads the annotations as the prober does. The counts come from the simulator, which knows where each kind has them. */
function viewOf({ desired, ready, annotations }: DependantState): DependantView {
  const { marked, record, ignored } = readResource({ metadata: { annotations } });
  return { replicas: desired, readyReplicas: ready, marked, ignored, ...(record === undefined ? {} : { record }) };
}

/** The leases of a shoot's nodes, as its own API server stores them. */
function leasesOf(seed: EmbeddedSeed, shoot: ShootNamespace): readonly NodeLease[] {
  const leases = seed.shoot(shoot).api.storage.store.of(kinds.lease).list('kube-node-lease');
  return leases.flatMap(({ object }) => readLease(object) ?? []);
}

/** When the oldest of a shoot's leases was renewed; undefined where it has none. */
export function oldestRenewal(seed: EmbeddedSeed, shoot: ShootNamespace): Instant | undefined {
  return earliest(leasesOf(seed, shoot).map(({ renewedAt }) => renewedAt ?? undefined));
}

/**
 * If nobody renews the leases from now on: when they show an outage, and when the first node is marked. To two paths an
 * outage shows as soon as one of them breaks.
 */
export function threatTo(
  seed: EmbeddedSeed,
  shoot: ShootNamespace,
  config: ProberConfig,
  now: Instant,
): Threat | undefined {
  const { kcmNodeMonitorGraceDuration: grace, nodeLeaseFailureFraction: failureFraction } = config;
  if (hasTwoPaths(config)) {
    const renewedAt = oldestRenewal(seed, shoot);
    return renewedAt === undefined ? undefined : { crossedAt: now, firstMarkAt: renewedAt + grace };
  }
  const verdict = judgeLeases(leasesOf(seed, shoot), Infinity, { grace, failureFraction });
  if (verdict.kind !== 'cutOff') return undefined;
  return { crossedAt: verdict.crossedAt, firstMarkAt: verdict.firstMarkAt };
}

/** Tells from the servers what each probe of a shoot cost: all requests since the one before it, whoever sent them. */
export function probeMeter(seed: EmbeddedSeed): (shoot: ShootNamespace) => ProbeCost {
  const last = new Map<ShootNamespace, ProbeCost>();
  const first = { connections: 0, shootRequests: 0, seedRequests: seed.api.requests.count };
  return (shoot) => {
    const { api } = seed.shoot(shoot);
    const { requests } = seed.api;
    const before = last.get(shoot) ?? first;
    last.set(shoot, {
      connections: api.connections,
      shootRequests: api.requests.count,
      seedRequests: requests.count,
    });
    return {
      connections: api.connections - before.connections,
      shootRequests: api.requests.count - before.shootRequests,
      seedRequests: requests.after(before.seedRequests).filter(({ namespace }) => namespace === shoot).length,
    };
  };
}
