import { writesAtOnce, type DependantRef } from '../../domain/prober/dependant.ts';
import { isUndone } from '../../domain/prober/due-change.ts';
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
import { numberAt, textAt } from '../../domain/value-at.ts';
import type { Clock, Scaler } from '../../effects/ports.ts';
import type { KubeClient, KubeRequest, LaneName } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { resourcePaths } from './resource-paths.ts';

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
        if (writesAtOnce(ref)) return answered(seen, change, readResource(await patch(served.path, object, sending)));
        if (change.replicas === undefined)
          return answered(seen, change, annotated(seen, await patch(served.path, object, sending)));
        if (annotations !== undefined) return { outcome: 'failed', detail: twoAtOnce(ref) };
        const scale = patchOf(seen, undefined, change.replicas);
        return answered(seen, change, scaled(seen, await patch(`${served.path}/scale`, scale, sending)));
      } catch (error) {
        return writeFailure(error, ref);
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
        if (isMissing(error, ref)) return { outcome: 'read', view: { found: false } };
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

/** A 200 is no promise: what the answer shows is what was written (SPEC 6.8). */
/** Replicas that a write does not speak of must not go with it either. */
function answered({ replicas }: PresentResource, change: ResourceChange, view: PresentResource): WriteAnswer {
  return { outcome: isUndone({ replicas, ...change }, view) ? 'undone' : 'written', view };
}

/** Something on the way to the API server also answers 404, but not in Kubernetes' form. So does Kubernetes, for a kind that it no longer serves. */
function isMissing({ status, reason }: KubeError, ref: DependantRef): boolean {
  return status === 404 && (reason === 'NotFound' || !writesAtOnce(ref));
}

function writeFailure(error: unknown, ref: DependantRef): WriteAnswer {
  if (!(error instanceof KubeError)) throw error;
  if (error.kind === 'withdrawn') return { outcome: 'withdrawn' };
  if (isMissing(error, ref)) return { outcome: 'missing' };
  if (error.status === 409) return { outcome: 'conflict' };
  // A 500 or 504 may come from an etcd that has written it.
  const isRefused = (error.status >= 400 && error.status < 500) || error.kind === 'overloaded';
  return { outcome: 'failed', detail: error.message, ...(isRefused ? {} : { perhapsWritten: true }) };
}

function notScalable({ apiVersion, kind }: DependantRef): string {
  return `${kind} of ${apiVersion} has no scale subresource`;
}

function twoAtOnce({ apiVersion, kind }: DependantRef): string {
  return `${kind} of ${apiVersion} cannot change annotations and replicas in one write`;
}
