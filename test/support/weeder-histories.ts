import * as fc from 'fast-check';
import { serviceOf, type ServiceKey } from '../../src/domain/weeder/service-ref.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import type { WeededWorld } from '@dwd/testing/weeded-world.ts';
import type { SimEndpoint } from '@dwd/testing/weeder-watches.ts';
import type { DeletionBehaviour } from '@dwd/testing/weeder-world.ts';

/** Two services, each with its own dependants and one that both have, by several selectors. */
export const chain: WeederConfig = {
  watchDuration: 60_000,
  services: [
    { name: 'etcd', podSelectors: ['role in (apiserver,csi)'] },
    { name: 'kube-apiserver', podSelectors: ['role in (kcm,csi)', 'role in (csi,scheduler)'] },
  ],
};
export const services: readonly ServiceKey[] = ['one/etcd', 'one/kube-apiserver', 'two/kube-apiserver'];
const roles = ['apiserver', 'kcm', 'csi', 'scheduler', 'other'];

/** One thing that can happen to the namespaces, the seed, or the weeder. */
export type WeederHappening =
  | Readonly<{ do: 'pass'; millis: number }>
  | Readonly<{ do: 'slice'; service: number; slice: string; endpoints: readonly SimEndpoint[] | null }>
  | Readonly<{ do: 'slices'; service: number; slices: Readonly<Record<string, readonly SimEndpoint[]>> }>
  | Readonly<{ do: 'flap'; service: number; millis: number }>
  | Readonly<{ do: 'crashing'; pod: number; crashing: boolean }>
  | Readonly<{ do: 'allCrash' | 'crash' | 'release' }>
  | Readonly<{ do: 'delete' | 'replaceUnseen'; pod: number }>
  | Readonly<{ do: 'role'; pod: number; role: string }>
  | Readonly<{ do: 'watch'; of: 'services' | 'pods'; live: boolean }>
  | Readonly<{ do: 'deletions'; behaviour: DeletionBehaviour }>
  | Readonly<{ do: 'replacements'; sameName: boolean; crash: boolean; grace: number; lag: number }>;

const service = fc.nat(services.length - 1);
const pod = fc.nat(60);
const endpoints = fc.array(fc.constantFrom<SimEndpoint>('ready', 'unready', 'unready', 'unknown', 'terminating'), {
  maxLength: 3,
});
const sliceName = fc.constantFrom('v4', 'v6', 'more');

export const weederHappening: fc.Arbitrary<WeederHappening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      millis: fc.oneof(fc.nat(6), fc.nat(1_500), fc.nat(12_000), fc.nat(90_000)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('flap' as const), service, millis: fc.oneof(fc.nat(5), fc.nat(70_000)) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('slice' as const),
      service,
      slice: sliceName,
      endpoints: fc.option(endpoints, { freq: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('slices' as const),
      service,
      slices: fc.dictionary(sliceName, endpoints, { maxKeys: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('crashing' as const), pod, crashing: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<WeederHappening>({ do: 'allCrash' }, { do: 'crash' }, { do: 'release' }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'replaceUnseen' as const), pod }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('role' as const), pod, role: fc.constantFrom(...roles) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('watch' as const),
      of: fc.constantFrom('services' as const, 'pods' as const),
      live: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('deletions' as const),
      behaviour: fc.constantFrom<DeletionBehaviour>(
        'fine',
        'throttled',
        'refused',
        'forbidden',
        'lostDone',
        'lostUndone',
        'held',
        'slow',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('replacements' as const),
      sameName: fc.boolean(),
      crash: fc.boolean(),
      grace: fc.constantFrom(0, 2_000, 30_000),
      lag: fc.constantFrom(0, 10),
    }),
  },
);

/** All services are up, and each namespace has `each` healthy pods of each role. */
export function populate({ world }: WeededWorld, each: number): void {
  for (const one of services) world.setSlices(one, { v4: ['ready', 'unready'], v6: ['ready'] });
  for (const namespace of ['one', 'two'])
    for (const role of roles)
      for (let index = 0; index < each; index++) world.addPod(namespace, `${role}-of-${index}`, { role });
}

/** Lets one thing happen. */
export async function happenTo(weeded: WeededWorld, happening: WeederHappening): Promise<void> {
  const { world } = weeded;
  switch (happening.do) {
    case 'pass':
      return weeded.pass(happening.millis);
    case 'slice':
      return world.setSlice(services[happening.service]!, happening.slice, happening.endpoints ?? undefined);
    case 'slices':
      return world.setSlices(services[happening.service]!, happening.slices);
    case 'flap':
      world.setSlices(services[happening.service]!, { v4: ['terminating'], v6: [] });
      await weeded.pass(happening.millis);
      return world.setSlice(services[happening.service]!, 'v4', ['ready']);
    case 'crashing':
      return world.setCrashing(podAt(weeded, happening.pod), happening.crashing);
    case 'allCrash':
      for (const one of world.pods) world.setCrashing(one, true);
      return undefined;
    case 'crash':
      return weeded.restart();
    case 'release':
      return world.release();
    case 'delete':
      return world.deletePod(crashingAt(weeded, happening.pod));
    case 'replaceUnseen':
      world.breakPodWatches();
      Object.assign(world, { grace: 0, replacements: { sameName: true, crash: true } });
      return world.deletePod(crashingAt(weeded, happening.pod));
    case 'role':
      return world.setLabels(podAt(weeded, happening.pod), { role: happening.role });
    case 'watch':
      if (happening.of === 'services') return happening.live ? world.mendServiceWatch() : world.breakServiceWatch();
      return happening.live ? world.mendPodWatches() : world.breakPodWatches();
    case 'deletions':
      world.deleting = happening.behaviour;
      return undefined;
    case 'replacements':
      world.replacements = { sameName: happening.sameName, crash: happening.crash };
      world.grace = happening.grace;
      world.lag = happening.lag;
      return undefined;
  }
}

function podAt({ world }: WeededWorld, index: number): WeededWorld['world']['pods'][number] {
  return world.pods[index % world.pods.length]!;
}

/** Preferably a pod that we are going to delete as well. */
function crashingAt(weeded: WeededWorld, index: number): WeededWorld['world']['pods'][number] {
  const crashing = weeded.world.pods.filter((one) => one.crashing.length > 0);
  return crashing[index % crashing.length] ?? podAt(weeded, index);
}

/** All faults of the seed are gone; the pods crash-loop as before. */
export function calmSeed({ world }: WeededWorld): void {
  world.deleting = 'fine';
  world.replacements = { sameName: true, crash: false };
  world.grace = 2_000;
  world.lag = 0;
  world.mendServiceWatch();
  world.mendPodWatches();
  world.release();
}

/** The dependants of these services that wait in CrashLoopBackOff, and do not end. */
export function crashLoopingDependants({ world }: WeededWorld, of: readonly ServiceKey[]): readonly string[] {
  return world.pods
    .filter(({ crashing, ending }) => crashing.length > 0 && !ending)
    .filter(({ namespace, labels }) => of.some((service) => dependsOn(service, namespace, labels)))
    .map(({ namespace, name, uid }) => `${namespace}/${name} ${uid}`);
}

function dependsOn(key: ServiceKey, namespace: string, { role }: Readonly<Record<string, string>>): boolean {
  const { namespace: of, service } = serviceOf(key);
  const selectors = chain.services.find(({ name }) => name === service)?.podSelectors ?? [];
  return of === namespace && selectors.some((selector) => new RegExp(`\\b${role}\\b`).test(selector));
}
