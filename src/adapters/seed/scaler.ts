import { writesAtOnce, type DependantKind, type DependantRef } from '../../domain/prober/dependant.ts';
import {
  type ReadAnswer,
  type ResourceChange,
  type WriteAnswer,
  readResource,
  readScaledResource,
  markAnnotation,
  replicasAnnotation,
  type PresentResource,
} from '../../domain/prober/resource-view.ts';
import { numberAt, textAt, valueAt } from '../../domain/value-at.ts';
import type { Clock, Scaler } from '../../effects/ports.ts';
import type { KubeClient, KubeRequest, LaneName } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { appsPlural } from '../kube/paths.ts';

type JsonObject = Readonly<Record<string, unknown>>;
type Sending = Pick<KubeRequest, 'lane' | 'by' | 'withdrawn'>;

/** Scales on the seed by merge patches that contain the resourceVersion which was seen (SPEC 6.4 to 6.8). It decides nothing. */
export function kubeScaler({ client, clock }: Readonly<{ client: KubeClient; clock: Clock }>): Scaler {
  const paths = resourcePaths(client, clock);

  const patch = async (path: string, body: JsonObject, sending: Sending): Promise<unknown> => {
    const contentType = 'application/merge-patch+json';
    const answer = await client.request({ method: 'PATCH', path, body, contentType, ...sending });
    if (textAt(answer, 'metadata', 'resourceVersion') !== '') return answer;
    throw new KubeError('garbled', `the answer to a patch of ${path} shows no resourceVersion`);
  };

  return {
    async write(shoot, ref, seen, change, { urgent, by, withdrawn }): Promise<WriteAnswer> {
      try {
        const lane = laneOf(urgent);
        const served = await paths.find(shoot, ref, lane);
        if (served === undefined) return { outcome: 'missing' };
        if (!served.scalable) return { outcome: 'failed', detail: notScalable(ref) };
        const sending = { lane, by, withdrawn };
        const annotations = annotationsOf(change);
        const object = patchOf(seen, annotations, writesAtOnce(ref) ? change.replicas : undefined);
        if (writesAtOnce(ref)) {
          return { outcome: 'written', view: readResource(await patch(served.path, object, sending)) };
        }
        if (change.replicas === undefined) {
          return { outcome: 'written', view: annotated(seen, await patch(served.path, object, sending)) };
        }
        if (annotations !== undefined) return { outcome: 'failed', detail: twoAtOnce(ref) };
        const scale = patchOf(seen, undefined, change.replicas);
        return { outcome: 'written', view: scaled(seen, await patch(`${served.path}/scale`, scale, sending)) };
      } catch (error) {
        return writeFailure(error);
      }
    },

    async read(shoot, ref, { urgent, by, withdrawn }): Promise<ReadAnswer> {
      try {
        const lane = laneOf(urgent);
        const served = await paths.find(shoot, ref, lane);
        if (served === undefined) return { outcome: 'read', view: { found: false } };
        if (!served.scalable) return { outcome: 'failed', detail: notScalable(ref) };
        const asked = { method: 'GET', lane, by, withdrawn } as const;
        if (writesAtOnce(ref))
          return { outcome: 'read', view: readResource(await client.request({ ...asked, path: served.path })) };
        const [object, scale] = await bothUnlessOneFails((signal) => [
          client.request({ ...asked, path: served.path, signal }),
          client.request({ ...asked, path: `${served.path}/scale`, signal }),
        ]);
        return { outcome: 'read', view: readScaledResource(object, scale) };
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        if (error.status === 404) return { outcome: 'read', view: { found: false } };
        if (error.status === 403) return { outcome: 'refused', detail: error.message };
        return { outcome: 'failed', detail: error.message };
      }
    },
  };
}

/** Where one of them fails, nobody waits for the other any more: it is cut, and keeps no place from those that come. */
async function bothUnlessOneFails(
  ask: (signal: AbortSignal) => [Promise<unknown>, Promise<unknown>],
): Promise<[unknown, unknown]> {
  const cut = new AbortController();
  try {
    return await Promise.all(ask(cut.signal));
  } catch (error) {
    cut.abort();
    throw error;
  }
}

function laneOf(urgent: boolean): LaneName {
  return urgent ? 'urgent' : 'healing';
}

function annotationsOf({ mark, record }: ResourceChange): JsonObject | undefined {
  if (mark === undefined && record === undefined) return undefined;
  return {
    ...(mark === undefined ? {} : { [markAnnotation]: mark ? '' : null }),
    ...(record === undefined ? {} : { [replicasAnnotation]: record === null ? null : String(record) }),
  };
}

/** A resourceVersion in a patch is a precondition: the server refuses the patch with 409 where the object has changed since. */
function patchOf(seen: PresentResource, annotations: JsonObject | undefined, replicas: number | undefined): JsonObject {
  return {
    metadata: { resourceVersion: seen.resourceVersion, ...(annotations === undefined ? {} : { annotations }) },
    ...(replicas === undefined ? {} : { spec: { replicas } }),
  };
}

/** The object shows its annotations, but only its kind knows which field holds the replicas. */
function annotated(seen: PresentResource, object: unknown): PresentResource {
  const { ending: _, ...own } = readResource(object);
  return {
    ...own,
    replicas: seen.replicas,
    readyReplicas: numberAt(object, 'status', 'readyReplicas') ?? seen.readyReplicas,
  };
}

/** A Scale shows the replicas but no annotations, and its status is from before the write. */
function scaled(seen: PresentResource, scale: unknown): PresentResource {
  return {
    ...seen,
    resourceVersion: textAt(scale, 'metadata', 'resourceVersion'),
    replicas: numberAt(scale, 'spec', 'replicas') ?? 0,
    observed: false,
  };
}

function writeFailure(error: unknown): WriteAnswer {
  if (!(error instanceof KubeError)) throw error;
  if (error.kind === 'withdrawn') return { outcome: 'withdrawn' };
  if (error.status === 404) return { outcome: 'missing' };
  if (error.status === 409) return { outcome: 'conflict' };
  return { outcome: 'failed', detail: error.message };
}

function notScalable({ apiVersion, kind }: DependantRef): string {
  return `${kind} of ${apiVersion} has no scale subresource`;
}

function twoAtOnce({ apiVersion, kind }: DependantRef): string {
  return `${kind} of ${apiVersion} cannot change annotations and replicas in one write`;
}

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
