import type { DependantKind, DependantRef } from '../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { textAt, valueAt } from '../../domain/value-at.ts';
import type { Clock } from '../../effects/ports.ts';
import type { KubeClient, LaneName } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { appsPlural } from '../kube/paths.ts';

/** The path of an object in the API, and whether its kind has a scale subresource. */
type ServedAt = Readonly<{ path: string; scalable: boolean }>;

type Served = Readonly<{ plural: string; scalable: boolean }>;
type Discovered = Readonly<{ until: Instant; kinds: Promise<ReadonlyMap<string, Served>> }>;

const servedLasts: Millis = 600_000;

/** A CustomResourceDefinition may be created at any time, so a missing kind is looked for again soon. */
const missingLasts: Millis = 30_000;

/** Finds the path of a dependant; by discovery where its kind is none of the usual ones (SPEC 6.6). */
export function resourcePaths(client: KubeClient, clock: Clock) {
  const discovered = new Map<string, Discovered>();

  const ask = async (root: string, lane: LaneName): Promise<ReadonlyMap<string, Served>> => {
    try {
      return readKinds(await client.request({ method: 'GET', path: root, lane }));
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return new Map();
      throw error;
    }
  };

  const discover = (root: string, lane: LaneName): Promise<ReadonlyMap<string, Served>> => {
    const before = discovered.get(root);
    const now = clock.now();
    if (before !== undefined && now < before.until) return before.kinds;
    const kinds = ask(root, lane);
    discovered.set(root, { until: now + servedLasts, kinds });
    // Everybody who waits for it gets the error; the next caller asks anew.
    kinds.catch(() => discovered.delete(root));
    return kinds;
  };

  /** Other kinds of its group may be cached for long, but one that is missing is looked for again soon. */
  const shorten = (root: string): void => {
    const before = discovered.get(root);
    if (before === undefined) return;
    discovered.set(root, { ...before, until: Math.min(before.until, clock.now() + missingLasts) });
  };

  const servedAs = async (ref: DependantKind, lane: LaneName): Promise<Served | undefined> => {
    const root = rootOf(ref.apiVersion);
    const plural = appsPlural(ref);
    if (plural !== undefined) return { plural, scalable: true };
    const served = (await discover(root, lane)).get(ref.kind);
    if (served === undefined) shorten(root);
    return served;
  };

  return {
    /** Undefined where the seed serves no such kind in namespaces. Rejects with KubeError where discovery fails. */
    async find(shoot: ShootNamespace, ref: DependantRef, lane: LaneName): Promise<ServedAt | undefined> {
      const served = await servedAs(ref, lane);
      if (served === undefined) return undefined;
      return {
        path: `${listPath(ref, served, shoot)}/${encodeURIComponent(ref.name)}`,
        scalable: served.scalable,
      };
    },

    /** The path of all objects of a kind, or of those of one namespace; undefined and rejections as of `find`. */
    async list(
      kind: DependantKind,
      namespace: ShootNamespace | undefined,
      lane: LaneName,
    ): Promise<string | undefined> {
      const served = await servedAs(kind, lane);
      return served && listPath(kind, served, namespace);
    },
  };
}

function listPath({ apiVersion }: DependantKind, { plural }: Served, namespace: ShootNamespace | undefined): string {
  const where = namespace === undefined ? [] : ['namespaces', encodeURIComponent(namespace)];
  return [rootOf(apiVersion), ...where, plural].join('/');
}

function rootOf(apiVersion: string): string {
  const steps = apiVersion.split('/').map(encodeURIComponent).join('/');
  return apiVersion.includes('/') ? `/apis/${steps}` : `/api/${steps}`;
}

/** Reads an APIResourceList, by kind. Cluster-scoped kinds are left out, since a dependant lies in the shoot's namespace. */
function readKinds(list: unknown): ReadonlyMap<string, Served> {
  const resources = valueAt(list, 'resources');
  if (!Array.isArray(resources))
    throw new KubeError('garbled', 'discovery was answered with what is no list of resources');
  const names = new Set(resources.map((resource: unknown) => textAt(resource, 'name')));
  const kinds = new Map<string, Served>();
  for (const resource of resources as readonly unknown[]) {
    const plural = textAt(resource, 'name');
    if (plural.includes('/') || valueAt(resource, 'namespaced') !== true) continue;
    kinds.set(textAt(resource, 'kind'), { plural, scalable: names.has(`${plural}/scale`) });
  }
  return kinds;
}
