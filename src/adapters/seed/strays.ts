import { dependantKey, strayDependant, writesAtOnce, type Dependant } from '../../domain/prober/dependant.ts';
import { concatMap, defer, EMPTY, expand, map, Observable, take } from 'rxjs';
import type { ShootNamespace } from '../../domain/names.ts';
import { readResource, resourceParts } from '../../domain/prober/resource-view.ts';
import { readFieldWrites, type SeenDependant } from '../../domain/prober/standing.ts';
import type { Millis } from '../../domain/time.ts';
import { textAt } from '../../domain/value-at.ts';
import type { Clock, Scaler } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { takeOnSeed } from '../reading/list-on-seed.ts';
import { ProbeFailed } from '../reading/probe-failed.ts';
import { resourcePaths } from './resource-paths.ts';

/** What carries our mark in a namespace, and is not in the configuration. */
export type Stray = Readonly<{ shoot: ShootNamespace; dependant: Dependant; seen: SeenDependant }>;

/** `refused`: the seed does not let us list the kind, and so it will not in a minute. */
export type UnreadKind = Readonly<{ kind: string; problem: string; refused: boolean }>;

/** `leftOut`: how many more there are. `unread`: the kinds of which nobody knows. */
export type StraysFound = Readonly<{ strays: readonly Stray[]; leftOut: number; unread: readonly UnreadKind[] }>;

/** As many as a stream stores of objects. Each takes some hundred bytes. */
const mostStrays = 20_000;

type Looking = Readonly<{
  client: KubeClient;
  clock: Clock;
  scaler: Pick<Scaler, 'read'>;
  config: Readonly<{ dependants: readonly Dependant[] }>;
  /** Those of one namespace alone. */
  only?: ShootNamespace | undefined;
  /** Whether who scaled it is read as well, which is longer than all else. */
  writers?: boolean;
  /** Cuts it. */
  signal?: AbortSignal;
}>;

/**
 * Looks once for strays (SPEC 6.5): a dependant that left the configuration, or got another name there, while it stood at 0. By lists of all Deployments, and of
 * whatever kinds are configured, page by page, of which nothing is kept but the strays. Never rejects.
 */
export async function findStrays({
  client,
  clock,
  scaler,
  config,
  only,
  writers = false,
  signal,
}: Looking): Promise<StraysFound> {
  const paths = resourcePaths(client, clock);
  const configured = new Set(config.dependants.map(({ key }) => key));
  const kinds = new Map(
    [{ apiVersion: 'apps/v1', kind: 'Deployment' }, ...config.dependants.map(({ ref }) => ref)].map(
      ({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }],
    ),
  );
  const keeps = writers ? new Set([...resourceParts, 'managedFields']) : resourceParts;
  const strays: Stray[] = [];
  const unread: UnreadKind[] = [];
  let leftOut = 0;

  for (const of of kinds.values()) {
    const take = (into: Stray[]) => (object: unknown) => {
      const view = readResource(object);
      const [shoot, name] = [textAt(object, 'metadata', 'namespace'), textAt(object, 'metadata', 'name')];
      const dependant = strayDependant({ ...of, name });
      if (!view.marked || configured.has(dependantKey(dependant.ref))) return;
      if (strays.length + into.length === mostStrays) leftOut++;
      else into.push({ shoot, dependant, seen: { read: true, view, writes: readFieldWrites(object) } });
    };
    try {
      const path = await paths.list(of, only, 'normal');
      if (path === undefined) continue;
      const { found } = await takeOnSeed(client, { path, kind: `${of.kind}List`, keeps, signal }, () => {
        const begun: Stray[] = [];
        return { found: begun, take: take(begun) };
      });
      for (const stray of found)
        strays.push(writesAtOnce(of) ? stray : { ...stray, seen: await askedFor(scaler, stray) });
    } catch (error) {
      if (!(error instanceof KubeError || error instanceof ProbeFailed)) throw error;
      const refused = error instanceof KubeError && error.status === 403;
      unread.push({ kind: of.kind, problem: error.message, refused });
    }
  }
  return { strays, leftOut, unread };
}

/** By then the first probes are answered, and whatever is cut off is on its way down. */
const firstLookAfter: Millis = 60_000;
const againAfterFailure: Millis = 60_000;
/** While there are strays, whoever raises them is to see that they are gone. */
const againWhileThere: Millis = 600_000;

/**
 * What a leader finds, for as long as somebody subscribes: one look, and no more of them once nothing was found, and all that may be listed was. Only strays of shoots
 * count that the seed has a Cluster of.
 */
export function strayLooks(
  looking: Looking,
  shoots$: Observable<ReadonlySet<ShootNamespace>>,
): Observable<StraysFound> {
  const { clock } = looking;
  const lookOnce = new Observable<StraysFound>((observer) => {
    const cut = new AbortController();
    findStrays({ ...looking, signal: cut.signal }).then(
      (found) => {
        observer.next(found);
        observer.complete();
      },
      (error: unknown) => observer.error(error),
    );
    return () => cut.abort();
  });
  const lookAfter = (pause: Millis): Observable<StraysFound> =>
    clock.wakeAt(clock.now() + pause).pipe(
      concatMap(() => shoots$.pipe(take(1))),
      concatMap((shoots) =>
        lookOnce.pipe(map((found) => ({ ...found, strays: found.strays.filter(({ shoot }) => shoots.has(shoot)) }))),
      ),
    );
  return defer(() => lookAfter(firstLookAfter)).pipe(
    expand(({ strays, unread }) => {
      if (unread.some(({ refused }) => !refused)) return lookAfter(againAfterFailure);
      return strays.length > 0 ? lookAfter(againWhileThere) : EMPTY;
    }),
  );
}

/** Only its kind knows which field holds the replicas. */
async function askedFor(scaler: Pick<Scaler, 'read'>, { shoot, dependant }: Stray): Promise<SeenDependant> {
  const answer = await scaler.read(shoot, dependant.ref, { urgent: false });
  if (answer.outcome !== 'read') return { read: false, problem: answer.detail };
  return { read: true, view: answer.view, writes: {} };
}
