import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../store/kube-object.ts';
import { crashLoopingContainer, podObject, runningContainer } from '../workloads/pod-status.ts';
import { sliceObject } from '../workloads/service-slices.ts';
import type { Loose, Wire, WatchStream } from './embedded-wire.ts';
import { RuleStage, type ApiServerStage } from './rule-stage.ts';

const pods = '/api/v1/namespaces/default/pods';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

const endpoints = '/api/v1/namespaces/default/endpoints';

const pathOf = ({ metadata }: Loose): string => `${pods}/${metadata.name}`;

/**
 * What an API server does with pods and EndpointSlices, as far as the weeder relies on it. Nobody runs the pods here, on
 * neither server, so that one that ends stays until it is told to be gone.
 */
export function podRules(name: string, start: () => Promise<ApiServerStage>): void {
  describe(`pods, EndpointSlices and Endpoints, ${name}`, () => {
    const stage = new RuleStage(start);

    const pod = async (more: Partial<Parameters<typeof podObject>[0]> = {}): Promise<Loose> => {
      const draft = podObject({ name: stage.fresh('p'), namespace: 'default', now: Date.now(), ...more });
      const told = await stage.wire.call('POST', pods, draft);
      expect([told.code, told.body.message]).toEqual([201, undefined]);
      return told.body;
    };

    const remove = (of: Loose, options: JsonObject = {}): ReturnType<Wire['call']> =>
      stage.wire.call('DELETE', pathOf(of), { apiVersion: 'v1', kind: 'DeleteOptions', ...options });

    const watchSet = (set: string, selector = `set=${set}`): Promise<WatchStream> =>
      stage.wire.watch(`${pods}?watch=true&timeoutSeconds=20&labelSelector=${encodeURIComponent(selector)}`);

    test('a new pod is Pending, whatever status it came with, and has its defaults', async () => {
      const { status, spec, metadata } = await pod();
      expect(status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
      expect(spec).toMatchObject({
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        nodeName: 'seed-worker-1',
      });
      expect(metadata).toMatchObject({ generation: 1 });
      expect(metadata).not.toHaveProperty('deletionTimestamp');
    });

    test.each(['main', 'init', 'sidecar'] as const)(
      'the status of a pod whose %s container crash-loops is taken as we write it, through its own path alone',
      async (role) => {
        const containers = [
          crashLoopingContainer('crashing', Date.now(), role),
          ...(role === 'main' ? [] : [runningContainer('c', Date.now())]),
        ];
        const one = await pod({ containers });
        const { status } = podObject({ name: one.metadata.name, namespace: 'default', now: Date.now(), containers });
        const written = await stage.wire.patch(`${pathOf(one)}/status`, {
          status,
          metadata: { labels: { unseen: 'x' } },
        });
        const told = written.body.status[role === 'main' ? 'containerStatuses' : 'initContainerStatuses'][0];
        expect(told).toEqual({
          name: 'crashing',
          state: {
            waiting: { reason: 'CrashLoopBackOff', message: expect.stringMatching(/^back-off 40s restarting/) },
          },
          lastState: { terminated: expect.objectContaining({ exitCode: 1, reason: 'Error' }) },
          ready: false,
          started: false,
          restartCount: 4,
          image: 'registry.example/crashing:v1',
          imageID: '',
        });
        const elsewhere = await stage.wire.patch(pathOf(one), { status: { phase: 'Failed' } });
        expect(elsewhere.body).toEqual(written.body);
        expect(elsewhere.body).toMatchObject({ metadata: { generation: 1 } });
        expect(elsewhere.body.status).toEqual(status);
      },
    );

    test('a deleted pod begins to end, and stays until it has ended', async () => {
      const set = stage.fresh('set');
      const one = await pod({ labels: { set } });
      const watch = await watchSet(set);
      const before = Date.now();
      const asked = await remove(one, { preconditions: { uid: one.metadata.uid } });
      const after = Date.now();
      expect([asked.code, asked.body.kind]).toEqual([200, 'Pod']);
      const { metadata } = asked.body;
      expect(metadata).toMatchObject({ deletionGracePeriodSeconds: 30, generation: 2, uid: one.metadata.uid });
      // The instant is that of its end, not that of the request.
      const endsAt = Date.parse(metadata.deletionTimestamp);
      // A Time has whole seconds.
      expect(endsAt).toBeGreaterThan(before + 29_000);
      expect(endsAt).toBeLessThanOrEqual(after + 30_000);
      const again = await remove(one);
      expect([again.code, again.body.metadata]).toEqual([200, metadata]);
      const noted = await stage.wire.patch(`${pathOf(one)}/status`, { status: { message: 'ends' } });
      expect(noted.body).toMatchObject({ status: { message: 'ends' }, metadata: { deletionGracePeriodSeconds: 30 } });
      const gone = await remove(one, { gracePeriodSeconds: 0, preconditions: { uid: one.metadata.uid } });
      expect([gone.code, gone.body.kind, gone.body.metadata.deletionGracePeriodSeconds]).toEqual([200, 'Pod', 0]);
      expect((await stage.wire.get(pathOf(one))).code).toBe(404);
      const events = [];
      for (let count = 0; count < 5; count += 1) events.push(await watch.next());
      watch.cut();
      expect(events.map((event) => [event?.type, event?.object.metadata.deletionGracePeriodSeconds])).toEqual([
        ['ADDED', undefined],
        ['MODIFIED', 30],
        ['MODIFIED', 30],
        ['MODIFIED', 0],
        ['DELETED', 0],
      ]);
      expect((await remove(one)).code).toBe(404);
    });

    test('a deletion that is under way may be hurried, and never put off', async () => {
      const one = await pod();
      const first = (await remove(one)).body.metadata;
      expect((await remove(one, { gracePeriodSeconds: 60 })).body.metadata).toEqual(first);
      const hurried = (await remove(one, { gracePeriodSeconds: 5 })).body.metadata;
      expect(hurried).toMatchObject({ deletionGracePeriodSeconds: 5, generation: 2 });
      expect(Date.parse(first.deletionTimestamp) - Date.parse(hurried.deletionTimestamp)).toBe(25_000);
      expect((await stage.wire.call('DELETE', `${pathOf(one)}?gracePeriodSeconds=0`)).code).toBe(200);
      expect((await stage.wire.get(pathOf(one))).code).toBe(404);
    });

    test('what is granted no time is gone at once, and so is a pod that runs nowhere, or has ended', async () => {
      const one = await pod();
      expect((await stage.wire.call('DELETE', `${pathOf(one)}?gracePeriodSeconds=0`)).body).toMatchObject({
        kind: 'Pod',
        metadata: { deletionGracePeriodSeconds: 0, generation: 2 },
      });
      const nowhere = await pod({ nodeName: '' });
      await remove(nowhere);
      const ended = await pod();
      await stage.wire.patch(`${pathOf(ended)}/status`, { status: { phase: 'Succeeded' } });
      await remove(ended);
      const codes = await Promise.all([one, nowhere, ended].map((of) => stage.wire.get(pathOf(of))));
      expect(codes.map(({ code }) => code)).toEqual([404, 404, 404]);
    });

    test('a deletion with a foreign uid hits no pod, not even one that ends', async () => {
      const one = await pod();
      const foreign = { preconditions: { uid: 'other' } };
      const refused = {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `Operation cannot be fulfilled on Pod "${one.metadata.name}": the UID in the precondition (other) does not match the UID in record (${one.metadata.uid}). The object might have been deleted and then recreated`,
        reason: 'Conflict',
        details: { name: one.metadata.name, kind: 'Pod' },
        code: 409,
      };
      expect((await remove(one, foreign)).body).toEqual(refused);
      expect((await remove(one, { ...foreign, gracePeriodSeconds: 0 })).body).toEqual(refused);
      expect((await stage.wire.get(pathOf(one))).body).toEqual(one);
      await remove(one);
      expect((await remove(one, foreign)).body).toEqual(refused);
    });

    test.each([
      ['gardener.cloud/role in (controlplane),role in (apiserver)', ['apiserver']],
      ['gardener.cloud/role in (controlplane),role notin (main,apiserver)', ['none', 'scheduler']],
      ['gardener.cloud/role=controlplane,role', ['apiserver', 'main', 'scheduler']],
      ['gardener.cloud/role=controlplane,!role', ['none']],
      ['gardener.cloud/role,role notin (main),role!=apiserver', ['none', 'scheduler']],
      ['gardener.cloud/role notin (controlplane)', ['elsewhere']],
      ['role in (apiserver,scheduler),!gardener.cloud/role', ['elsewhere']],
    ])('the label selector %s selects the pods %j', async (selector, expected) => {
      const set = stage.fresh('set');
      const controlPlane = { 'gardener.cloud/role': 'controlplane' };
      const labels: Readonly<Record<string, Record<string, string>>> = {
        apiserver: { ...controlPlane, role: 'apiserver' },
        scheduler: { ...controlPlane, role: 'scheduler' },
        main: { ...controlPlane, role: 'main' },
        none: controlPlane,
        elsewhere: { role: 'apiserver' },
      };
      await Promise.all(Object.entries(labels).map(([mine, more]) => pod({ labels: { set, mine, ...more } })));
      const { body } = await stage.wire.get(`${pods}?labelSelector=${encodeURIComponent(`set=${set},${selector}`)}`);
      expect(body.items.map(({ metadata }: Loose) => metadata.labels.mine).toSorted()).toEqual(expected);
    });

    test.each([
      ['none', []],
      ['a null', null],
    ])('a pod with %s for containers is refused', async (_, containers) => {
      const told = await stage.wire.call('POST', pods, { metadata: { name: stage.fresh('p') }, spec: { containers } });
      expect(told.body).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: expect.stringMatching(/^Pod "p-.*" is invalid: spec\.containers: Required value$/),
        details: { causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers' }] },
      });
    });

    const slice = async (draft: JsonObject): Promise<Loose> => {
      const { code, body } = await stage.wire.call('POST', slices, draft);
      expect([code, body.message]).toEqual([201, undefined]);
      return body;
    };

    const sliceOf = (more: Partial<Parameters<typeof sliceObject>[0]> = {}): JsonObject =>
      sliceObject({ name: stage.fresh('s'), namespace: 'default', service: stage.fresh('service'), ...more });

    test.each([
      ['without endpoints', {}],
      ['with none', { endpoints: [], ports: [] }],
      ['with nulls', { endpoints: null, ports: null }],
    ])('an EndpointSlice %s says null', async (_, told) => {
      const body = await slice({ metadata: { name: stage.fresh('s') }, addressType: 'IPv4', ...told });
      expect(body).toMatchObject({ addressType: 'IPv4', endpoints: null, ports: null, metadata: { generation: 1 } });
    });

    test('an EndpointSlice as we make it is taken as it is; endpoints may leave out what they are', async () => {
      const uid = stage.fresh('uid');
      const draft = sliceOf({
        endpoints: [
          { address: '10.0.0.1', ready: true, serving: true, terminating: false, pod: { name: 'p', uid } },
          { address: '10.0.0.2', ready: false, serving: true, terminating: true },
          { address: '10.0.0.3' },
        ],
      });
      const body = await slice(draft);
      expect(body).toMatchObject(draft);
      expect(body.endpoints).toEqual(draft['endpoints']);
      expect(body.endpoints[2]).toEqual({ addresses: ['10.0.0.3'], conditions: {} });
      const bare = [{ addresses: ['10.0.0.4'] }, { addresses: ['10.0.0.5'], conditions: { ready: null } }];
      const { code, body: told } = await stage.wire.patch(`${slices}/${body.metadata.name}`, { endpoints: bare });
      expect(code).toBe(200);
      expect(told.endpoints.map(({ conditions }: Loose) => conditions)).toEqual([{}, {}]);
      expect(
        await slice(sliceOf({ addressType: 'IPv6', endpoints: [{ address: 'fd00::1', ready: true }] })),
      ).toMatchObject({
        addressType: 'IPv6',
        endpoints: [{ addresses: ['fd00::1'], conditions: { ready: true } }],
      });
    });

    test("an EndpointSlice's generation grows with its endpoints and with its labels", async () => {
      const path = `${slices}/${(await slice(sliceOf())).metadata.name}`;
      const endpoints = [{ addresses: ['10.0.0.1'], conditions: { ready: true } }];
      expect((await stage.wire.patch(path, { endpoints })).body.metadata.generation).toBe(2);
      expect((await stage.wire.patch(path, { metadata: { labels: { a: 'b' } } })).body.metadata.generation).toBe(3);
      expect((await stage.wire.patch(path, { metadata: { labels: { a: 'b' } } })).body.metadata.generation).toBe(3);
      const emptied = (await stage.wire.patch(path, { endpoints: [] })).body;
      expect([emptied.endpoints, emptied.metadata.generation]).toEqual([null, 4]);
      expect((await stage.wire.patch(path, { endpoints: null })).body.metadata).toEqual(emptied.metadata);
      expect((await stage.wire.call('DELETE', path)).body).toMatchObject({ status: 'Success' });
      expect((await stage.wire.get(path)).code).toBe(404);
    });

    test.each([
      ['no address type', { endpoints: [] }, 422, 'addressType: Required value'],
      [
        'an unknown one',
        { addressType: 'IPv9' },
        422,
        'addressType: Unsupported value: "IPv9": supported values: "FQDN", "IPv4", "IPv6"',
      ],
      [
        'an endpoint without addresses',
        { addressType: 'IPv4', endpoints: [{ addresses: [] }] },
        422,
        'endpoints[0].addresses: Required value: must contain at least 1 address',
      ],
      [
        'a word for ready',
        { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: 'yes' } }] },
        400,
        'EndpointConditions.endpoints.conditions.ready of type bool',
      ],
    ])('an EndpointSlice with %s is refused', async (_, told, code, problem) => {
      const { body } = await stage.wire.call('POST', slices, { metadata: { name: stage.fresh('s') }, ...told });
      expect(body).toMatchObject({ code, message: expect.stringContaining(problem) });
    });

    test('the address type of an EndpointSlice stays', async () => {
      const path = `${slices}/${(await slice(sliceOf())).metadata.name}`;
      expect((await stage.wire.patch(path, { addressType: 'IPv6' })).body).toMatchObject({
        code: 422,
        message: expect.stringContaining('addressType: Invalid value: "IPv6": field is immutable'),
      });
    });

    const served = async (draft: JsonObject): Promise<Loose> => {
      const { code, body } = await stage.wire.call('POST', endpoints, draft);
      expect([code, body.message]).toEqual([201, undefined]);
      return body;
    };

    test('Endpoints are taken as they come, with addresses that are ready or not; without any they have no subsets', async () => {
      const targetRef = { kind: 'Pod', namespace: 'default', name: 'p', uid: stage.fresh('uid') };
      const ports = [{ name: 'server', port: 443, protocol: 'TCP' }];
      const both = { addresses: [{ ip: '10.0.0.1', targetRef }], notReadyAddresses: [{ ip: '10.0.0.2' }], ports };
      const one = await served({ metadata: { name: stage.fresh('e') }, subsets: [both] });
      expect(one.subsets).toEqual([both]);
      const path = `${endpoints}/${one.metadata.name}`;
      const ready = { ...both, notReadyAddresses: [] };
      const { notReadyAddresses: _, ...told } = ready;
      expect((await stage.wire.patch(path, { subsets: [ready] })).body.subsets).toEqual([told]);
      for (const subsets of [[], null])
        expect((await stage.wire.patch(path, { subsets })).body).not.toHaveProperty('subsets');
      expect(await served({ metadata: { name: stage.fresh('e') } })).not.toHaveProperty('subsets');
    });

    test('a subset of Endpoints without any address is refused', async () => {
      const draft = { metadata: { name: stage.fresh('e') }, subsets: [{ addresses: [], ports: [] }] };
      expect((await stage.wire.call('POST', endpoints, draft)).body).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: expect.stringMatching(
          /is invalid: subsets\[0\]: Required value: must specify `addresses` or `notReadyAddresses`$/,
        ),
      });
    });
  });
}
