import { describe, expect, test } from 'vitest';
import type { KubeRequest } from 'dependency-watchdog/adapters/kube/kube-client.ts';
import type { ContractStage } from './contract-stage.ts';
import type { Loose } from './embedded-wire.ts';

const labels = { app: 'x' };
const workload = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'none' }] } },
};

/** `counts`: a generation counts the annotations too. `at`: where the replicas stand. */
const scalables = [
  { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', at: 'replicas', counts: true, rest: workload },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', plural: 'statefulsets', at: 'replicas', counts: false, rest: workload },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', plural: 'replicasets', at: 'replicas', counts: false, rest: workload },
  { apiVersion: 'test.example/v1', kind: 'Gadget', plural: 'gadgets', at: 'size', counts: false, rest: {} },
] as const;

const mergePatch = 'application/merge-patch+json';

/** What the scale subresource of each kind does that may be a dependant (SPEC 6.6). */
export function scaleContract(open: () => Promise<ContractStage>): void {
  describe.each(scalables)('of a $kind', ({ apiVersion, kind, plural, at, counts, rest }) => {
    const enter = async (replicas: number | undefined) => {
      const stage = await open();
      const { admin } = stage;
      const collection = `/apis/${apiVersion}/namespaces/${await stage.namespace()}/${plural}`;
      const ask = (method: KubeRequest['method'], more: string, body?: unknown): Promise<Loose> =>
        admin.request({
          method,
          path: collection + more,
          ...(body === undefined ? {} : { body }),
          ...(method === 'PATCH' ? { contentType: mergePatch } : {}),
        });
      const spec = { ...rest, ...(replicas === undefined ? {} : { [at]: replicas }) };
      const made = await ask('POST', '', { apiVersion, kind, metadata: { name: 'x' }, spec });
      return { ask, made };
    };

    test('6.6 shows what is wanted and what is there, as one object', async () => {
      const { ask, made } = await enter(3);
      const { uid, namespace, creationTimestamp, resourceVersion } = made.metadata;
      await ask('PATCH', '/x/status', { status: { [at]: 2, selector: 'app=x' } });
      const scale = await ask('GET', '/x/scale');
      expect(scale).toEqual({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'x', namespace, uid, creationTimestamp, resourceVersion: scale.metadata.resourceVersion },
        spec: { replicas: 3 },
        status: { replicas: 2, selector: 'app=x' },
      });
      expect(Number(scale.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
    });

    test('6.5 a write through it is a write of the object, in generation and version; of annotations it takes none', async () => {
      const { ask, made } = await enter(3);
      expect(made.metadata.generation).toBe(1);
      const down = await ask('PATCH', '/x/scale', {
        metadata: { annotations: { a: 'b' }, resourceVersion: made.metadata.resourceVersion },
        spec: { replicas: 0 },
      });
      expect(down.spec).toEqual({});
      expect(down.metadata.annotations).toBeUndefined();
      const object = await ask('GET', '/x');
      expect(object).toMatchObject({
        metadata: { generation: 2, resourceVersion: down.metadata.resourceVersion },
        spec: { [at]: 0 },
      });
      expect(object.metadata.annotations).toBeUndefined();
      const same = await ask('PATCH', '/x/scale', { spec: { replicas: 0 } });
      expect(same.metadata.resourceVersion).toBe(down.metadata.resourceVersion);
      const noted = await ask('PATCH', '/x', { metadata: { annotations: { a: 'b' } } });
      expect(noted.metadata.generation).toBe(counts ? 3 : 2);
    });

    test('6.6 a write on what has changed since is a conflict of the object, and changes nothing', async () => {
      const { ask, made } = await enter(3);
      await ask('PATCH', '/x', { metadata: { labels: { touched: 'yes' } } });
      const { resourceVersion } = made.metadata;
      const late = ask('PATCH', '/x/scale', { metadata: { resourceVersion }, spec: { replicas: 0 } });
      const group = apiVersion.replace(/\/.*/, '');
      await expect(late).rejects.toThrow(
        `${plural}.${group} "x": the object has been modified; please apply your changes to the latest version and try again`,
      );
      await expect(late).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
      expect((await ask('GET', '/x')).spec[at]).toBe(3);
    });

    test('6.6 a PUT of it replaces the number alone', async () => {
      const { ask } = await enter(3);
      const scale = await ask('GET', '/x/scale');
      const put = await ask('PUT', '/x/scale', { ...scale, spec: { replicas: 5 } });
      expect(put.spec).toEqual({ replicas: 5 });
      expect((await ask('GET', '/x')).spec[at]).toBe(5);
    });

    test('6.6 where nothing is said of the replicas, a kind of Kubernetes has one, and a custom resource has no scale', async () => {
      const { ask } = await enter(undefined);
      const unsaid = '500 InternalError: Internal error occurred: the spec replicas field ".spec.size" does not exist';
      const told = ask('GET', '/x/scale').then(
        ({ spec }) => spec.replicas,
        (error: Error) => error.message.replace(/^.* was answered /, ''),
      );
      expect(await told).toBe(kind === 'Gadget' ? unsaid : 1);
      await ask('PATCH', '/x', { spec: { [at]: 2 } });
      expect((await ask('GET', '/x/scale')).spec).toEqual({ replicas: 2 });
    });

    test('6.6 the uid of what it is of is guarded in the kinds of Kubernetes, and not looked at in custom resources', async () => {
      const { ask } = await enter(3);
      const foreign = ask('PATCH', '/x/scale', { metadata: { uid: 'another' }, spec: { replicas: 0 } });
      const told = foreign.then(
        () => 'written',
        ({ status, precondition }: Loose) => [status, precondition],
      );
      expect(await told).toEqual(kind === 'Gadget' ? 'written' : [409, 'uid']);
    });
  });
}
