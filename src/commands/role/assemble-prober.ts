import { ignoreElements, merge, tap } from 'rxjs';
import { clockSettings } from '../../adapters/clock/wall-clock.ts';
import { seedWatch, type SharedSeedWatch } from '../../adapters/seed-watch/seed-watch.ts';
import { kubeClusterApi } from '../../adapters/seed/cluster-api.ts';
import { kubeMachineApi } from '../../adapters/seed/machine-api.ts';
import { kubeScaler } from '../../adapters/seed/scaler.ts';
import { strayLooks } from '../../adapters/seed/strays.ts';
import { kubeShootApi } from '../../adapters/shoot/kube-shoot-api.ts';
import type { DependantRef } from '../../domain/prober/dependant.ts';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import type { ResourceView } from '../../domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import { guardShoots } from '../../effects/guard-shoots.ts';
import type { ClusterApi, Scaler } from '../../effects/ports.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { Assembled, RoleParts } from './role.ts';
import { whileLeading } from './while-leading.ts';

/** Assembles the prober from its parts. Nothing runs yet. */
export function assembleProber({
  clock,
  steady = clock,
  chance,
  config,
  client,
  hooks,
  history,
  connect,
}: RoleParts<ProberConfig>): Assembled<ShootTurn> {
  const seed = seedWatch({ client, clock, chance, config, notice: hooks.onStreamNotice, history });
  const shoots = kubeShootApi({
    kubeconfigOf: (shoot, secret) => seed.kubeconfigOf(shoot, secret),
    config,
    clock,
    onRequest: hooks.onShootRequest,
    connect,
  });
  const scaler = watchedScaler(kubeScaler({ client, clock }), seed);
  const machines = kubeMachineApi(client, clock);
  const ports = {
    clock,
    timesSet: clockSettings(clock, steady),
    shoots,
    machines,
    clusters: watchedClusters(kubeClusterApi(client, clock), seed),
    scaler,
  };
  // A standby knows for which shoots it need not wait once it leads (SPEC 2, initialDelay).
  const none: ReadonlySet<ShootNamespace> = new Set();
  return {
    synced$: seed.synced$,
    turns: (leads$) =>
      whileLeading(leads$, seed.shoots$, (followed = none) =>
        merge(
          guardShoots({ ...ports, chance, config, seed, followed }),
          strayLooks({ client, clock, config, scaler: ports.scaler }, seed.shoots$).pipe(
            tap((found) => hooks.onStrays?.(found)),
            ignoreElements(),
          ),
        ),
      ),
  };
}

/** What a GET tells, the stream may never show. And what the stream tells meanwhile may be newer. */
export function watchedClusters(clusters: ClusterApi, seed: Pick<SharedSeedWatch, 'clusterAsked'>): ClusterApi {
  return {
    readCluster: (shoot, ...options) => {
      seed.clusterAsked(shoot);
      return clusters.readCluster(shoot, ...options);
    },
  };
}

/** Passes what was written or read on to the watches, because whoever waits for replicas relies on them (SPEC 6.6). */
function watchedScaler(scaler: Scaler, seed: Pick<SharedSeedWatch, 'expect'>): Scaler {
  const expect = (shoot: ShootNamespace, ref: DependantRef, view: ResourceView): void => {
    if (view.found) seed.expect(shoot, ref, view.resourceVersion);
  };
  return {
    write: async (shoot, ref, seen, change, options) => {
      const answer = await scaler.write(shoot, ref, seen, change, options);
      if (answer.outcome === 'written' || answer.outcome === 'undone') expect(shoot, ref, answer.view);
      return answer;
    },
    read: async (shoot, ref, options) => {
      const answer = await scaler.read(shoot, ref, options);
      if (answer.outcome === 'read') expect(shoot, ref, answer.view);
      return answer;
    },
  };
}
