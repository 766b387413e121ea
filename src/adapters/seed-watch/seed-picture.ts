import { filter, map, merge, ReplaySubject, share, tap, type Observable } from 'rxjs';
import type { ShootNamespace } from '../../domain/names.ts';
import type { Dependant } from '../../domain/prober/dependant.ts';
import { readFieldWrites, type SeenDependant, type ShootPicture } from '../../domain/prober/standing.ts';
import { readResource, resourceParts } from '../../domain/prober/resource-view.ts';
import { appliedIn, deletedIn } from '../reflector/stream-item.ts';
import { scaledInformers, type SeedWatchOptions } from './seed-informers.ts';

/** What an operator's command sees of a seed: Clusters and dependants, never a Secret (SPEC 1.1, 9.8). */
export type SeedPicture = Readonly<{
  /** Emits as soon as the first lists are in, then with each change. Never errors. Everything is forgotten when the last subscriber leaves. */
  readonly shoots$: Observable<ReadonlySet<ShootNamespace>>;
  /** How the shoot is now. */
  of(shoot: ShootNamespace): Promise<ShootPicture>;
}>;

type SeedPictureOptions = SeedWatchOptions &
  Readonly<{
    /** Reads a dependant that no watch shows: its kind is none of the usual ones, or may not be watched. */
    ask: (shoot: ShootNamespace, dependant: Dependant) => Promise<SeenDependant>;
  }>;

/** Follows a seed by one list and one watch for each dependant's name, and one for the Clusters, however many shoots there are. */
export function seedPicture({ ask, ...options }: SeedPictureOptions): SeedPicture {
  const { clusters, watched } = scaledInformers(options, {
    keeps: new Set([...resourceParts, 'managedFields']),
    project: (object) => ({ view: readResource(object), writes: readFieldWrites(object) }),
  });
  const present = new Set<ShootNamespace>();
  const isIn = () => clusters.listed && watched.every(({ informer }) => informer.listed || informer.refused);

  const ofClusters$ = clusters.updates$.pipe(
    tap(({ item }) => {
      for (const { name } of deletedIn(item)) present.delete(name);
      for (const { object } of appliedIn(item)) present.add(object.name);
    }),
  );
  return {
    shoots$: merge(ofClusters$, ...watched.map(({ informer }) => informer.updates$)).pipe(
      filter(({ item }) => item.type !== 'advanced' && isIn()),
      map(() => new Set(present)),
      share({ connector: () => new ReplaySubject(1) }),
    ),
    async of(shoot) {
      const dependants = options.config.dependants.map(async (dependant) => {
        const informer = watched.find((one) => one.dependant.key === dependant.key)?.informer;
        if (informer?.listed !== true) return [dependant, await ask(shoot, dependant)] as const;
        const seen = informer.get(shoot, dependant.ref.name) ?? { view: { found: false }, writes: {} };
        return [dependant, { read: true, ...seen }] as const;
      });
      return { shoot, cluster: clusters.get('', shoot), dependants: await Promise.all(dependants) };
    },
  };
}
