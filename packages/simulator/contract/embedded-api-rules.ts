import { describe, expect, test } from 'vitest';
import { valueAt } from 'dependency-watchdog/domain/value-at.ts';
import { jsonPatch, type Loose, mergePatch, Wire } from './embedded-wire.ts';
import { RuleStage, type ApiServerStage } from './rule-stage.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const gadgets = '/apis/test.example/v1/namespaces/default/gadgets';
const configMaps = '/api/v1/namespaces/default/configmaps';

const watchOf = (labels: string, more: string): string =>
  `${configMaps}?watch=true&timeoutSeconds=20&labelSelector=${labels}&${more}`;

const deleteOptions = (preconditions: unknown): unknown => ({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions });

const leaseRenewedAt = (name: string, renewTime: string): unknown => ({ metadata: { name }, spec: { renewTime } });

/**
 * What an API server does on the wire, as far as we rely on it. Run on the embedded one, and on a real
 * kube-apiserver, so that the embedded one stays honest. No test names a rule of the specification: these hold the
 * stage to the world, not the watchdog to its rules.
 */
export function apiServerRules(name: string, start: () => Promise<ApiServerStage>): void {
  describe(`an API server, ${name}`, () => {
    const stage = new RuleStage(start);

    const deployment = async (replicas = 2): Promise<string> => {
      const role = stage.fresh('d');
      const labels = { app: role };
      const spec = {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } },
      };
      const told = await stage.wire.call('POST', deployments, { metadata: { name: role }, spec });
      expect(told.code).toBe(201);
      return `${deployments}/${role}`;
    };

    const configMap = async (labels: Record<string, string> = {}): Promise<Loose> => {
      const told = await stage.wire.call('POST', configMaps, {
        metadata: { name: stage.fresh('c'), labels },
        data: { key: 'value' },
      });
      expect(told.code).toBe(201);
      return told.body;
    };

    test('an object remembers who was the last to write each field, by the name that a request gives, and by no field nobody', async () => {
      const path = await deployment();
      const ownersOf = async (...field: string[]) => {
        const { body } = await stage.wire.get(path);
        const entries = (body.metadata as { managedFields: readonly Loose[] }).managedFields;
        expect(entries).toContainEqual(
          expect.objectContaining({
            operation: 'Update',
            fieldsType: 'FieldsV1',
            time: expect.stringMatching(/:\d\dZ$/),
          }),
        );
        return entries.flatMap(({ manager, subresource = '', fieldsV1 }) =>
          valueAt(fieldsV1, ...field) === undefined ? [] : [[manager, subresource]],
        );
      };
      const [replicas, mark] = [
        ['f:spec', 'f:replicas'],
        ['f:metadata', 'f:annotations', 'f:example.com/mark'],
      ];
      const [creator] = await ownersOf(...replicas);
      expect(creator).toEqual([expect.any(String), '']);
      const write = (manager: string, change: object) =>
        stage.wire.call('PATCH', `${path}?fieldManager=${manager}`, change, mergePatch);
      await write('one', { metadata: { annotations: { 'example.com/mark': '1' } }, spec: { replicas: 0 } });
      expect([await ownersOf(...replicas), await ownersOf(...mark)]).toEqual([[['one', '']], [['one', '']]]);
      await write('two', { spec: { replicas: 3 } });
      expect([await ownersOf(...replicas), await ownersOf(...mark)]).toEqual([[['two', '']], [['one', '']]]);
      // What is as it was is nobody's write.
      await write('three', { spec: { replicas: 3 } });
      expect(await ownersOf(...replicas)).toEqual([['two', '']]);
      await stage.wire.call('PATCH', `${path}/scale?fieldManager=four`, { spec: { replicas: 1 } }, mergePatch);
      expect(await ownersOf(...replicas)).toEqual([['four', 'scale']]);
      await stage.wire.call('PATCH', `${path}/scale?fieldManager=five`, { spec: { replicas: 0 } }, mergePatch);
      expect(await ownersOf(...replicas)).toEqual([]);
      await write('two', { metadata: { annotations: { 'example.com/mark': null } } });
      expect(await ownersOf(...mark)).toEqual([]);
    });

    test('/version tells a version, over a connection that only the right CA verifies', async () => {
      expect((await stage.wire.get('/version')).body).toMatchObject({
        major: '1',
        gitVersion: expect.stringMatching(/^v1\./),
      });
      const foreign = new Wire({ ...stage.server, ca: '' });
      await expect(foreign.get('/version')).rejects.toThrow(/self-signed|verify|certificate/);
      await foreign.close();
    });

    test.each([
      ['no token', ''],
      ['a wrong one', 'wrong'],
    ])('%s is answered with 401 and a Status', async (_, token) => {
      const stranger = new Wire({ ...stage.server, token });
      const { code, body } = await stranger.get('/version');
      await stranger.close();
      expect(code).toBe(401);
      expect(body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
    });

    test('a user without a grant gets a 403, in words that say what is missing', async () => {
      const weak = new Wire({ ...stage.server, token: stage.server.weakToken });
      expect((await weak.get('/version')).code).toBe(200);
      const denied = [
        await weak.get(`${deployments}/x`),
        await weak.get('/api/v1/nodes'),
        await weak.get(`${deployments}?watch=1`),
        await weak.patch(`${deployments}/x/scale`, {}),
      ];
      await weak.close();
      expect(denied.map(({ code }) => code)).toEqual([403, 403, 403, 403]);
      expect(denied.map(({ body }) => body.message)).toEqual([
        'deployments.apps "x" is forbidden: User "weak" cannot get resource "deployments" in API group "apps" in the namespace "default"',
        'nodes is forbidden: User "weak" cannot list resource "nodes" in API group "" at the cluster scope',
        'deployments.apps is forbidden: User "weak" cannot watch resource "deployments" in API group "apps" in the namespace "default"',
        'deployments.apps "x" is forbidden: User "weak" cannot patch resource "deployments/scale" in API group "apps" in the namespace "default"',
      ]);
      expect(denied[0]?.body).toMatchObject({
        reason: 'Forbidden',
        details: { name: 'x', group: 'apps', kind: 'deployments' },
      });
    });

    test('a custom resource keeps status and scale apart, and its items bear their kind', async () => {
      const set = stage.fresh('set');
      const draft = {
        apiVersion: 'test.example/v1',
        kind: 'Gadget',
        metadata: { name: set, labels: { set } },
        spec: { size: 3 },
      };
      const made = await stage.wire.call('POST', gadgets, draft);
      expect(made.body).toMatchObject({ spec: { size: 3 }, metadata: { generation: 1 } });
      const path = `${gadgets}/${set}`;
      await stage.wire.patch(`${path}/status`, { status: { size: 2, selector: 'a=b' } });
      expect((await stage.wire.get(path)).body).toMatchObject({ metadata: { generation: 1 }, status: { size: 2 } });
      const scale = (await stage.wire.get(`${path}/scale`)).body;
      expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 3 }, status: { replicas: 2, selector: 'a=b' } });
      expect((await stage.wire.patch(`${path}/scale`, { spec: { replicas: 0 } })).body.spec).toEqual({});
      expect((await stage.wire.get(path)).body).toMatchObject({ spec: { size: 0 }, metadata: { generation: 2 } });
      const late = await stage.wire.patch(`${path}/scale`, {
        metadata: { resourceVersion: scale.metadata.resourceVersion },
        spec: { replicas: 1 },
      });
      expect(late.body).toMatchObject({ code: 409, reason: 'Conflict' });
      expect((await stage.wire.patch(path, { metadata: { annotations: { a: 'b' } } })).body.metadata.generation).toBe(
        2,
      );
      const { items } = (await stage.wire.get(`${gadgets}?labelSelector=set%3D${set}`)).body;
      expect(items).toEqual([expect.objectContaining({ apiVersion: 'test.example/v1', kind: 'Gadget' })]);
    });

    test('a kind that is not served, and an object that is not there, are told apart from each other only by the words', async () => {
      const unknownGroup = await stage.wire.get('/apis/nope.example/v1/foos');
      expect([unknownGroup.code, unknownGroup.text]).toEqual([404, '404 page not found\n']);
      const unknownKind = await stage.wire.get('/apis/apps/v1/namespaces/default/foos/x');
      expect(unknownKind.body).toMatchObject({ code: 404, reason: 'NotFound', details: {} });
      expect((await stage.wire.get(`${deployments}/nope`)).body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'deployments.apps "nope" not found',
        reason: 'NotFound',
        details: { name: 'nope', group: 'apps', kind: 'deployments' },
        code: 404,
      });
    });

    test('discovery names the kinds, and which have a scale', async () => {
      const { body } = await stage.wire.get('/apis/apps/v1');
      expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' });
      expect(body.resources).toContainEqual(
        expect.objectContaining({ name: 'deployments', namespaced: true, kind: 'Deployment' }),
      );
      expect(body.resources).toContainEqual(
        expect.objectContaining({ name: 'deployments/scale', group: 'autoscaling', version: 'v1', kind: 'Scale' }),
      );
      expect((await stage.wire.get('/apis')).body.groups).toContainEqual(
        expect.objectContaining({ name: 'apps', preferredVersion: { groupVersion: 'apps/v1', version: 'v1' } }),
      );
      expect((await stage.wire.get('/api/v1')).body.resources).toContainEqual(
        expect.objectContaining({ name: 'nodes', namespaced: false }),
      );
    });

    test('a new object gets uid, generation, resourceVersion; the name is taken then', async () => {
      const path = await deployment();
      const { body } = await stage.wire.get(path);
      expect(body.metadata).toMatchObject({
        uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        generation: 1,
        resourceVersion: expect.stringMatching(/^\d+$/),
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        namespace: 'default',
      });
      const again = await stage.wire.call('POST', deployments, {
        metadata: { name: body.metadata.name },
        spec: body.spec,
      });
      expect(again.body).toMatchObject({
        code: 409,
        reason: 'AlreadyExists',
        message: `deployments.apps "${body.metadata.name}" already exists`,
      });
    });

    test('generateName makes a name; no name at all is refused', async () => {
      const named = await stage.wire.call('POST', configMaps, { metadata: { generateName: 'c-' } });
      expect(named.body.metadata.name).toMatch(/^c-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      expect((await stage.wire.call('POST', configMaps, { metadata: {} })).body).toMatchObject({
        code: 422,
        reason: 'Invalid',
      });
    });

    test('generation grows with the spec, of Deployments with the annotations too, and with nothing else; a write of nothing is none', async () => {
      const path = await deployment(2);
      const first = (await stage.wire.get(path)).body.metadata;
      const noted = (await stage.wire.patch(path, { metadata: { annotations: { a: '' } } })).body.metadata;
      // This is why a status must have seen our own write, and not just any.
      expect(noted.generation).toBe(2);
      expect((await stage.wire.patch(path, { metadata: { labels: { a: 'x' } } })).body.metadata.generation).toBe(2);
      expect(noted.resourceVersion).not.toBe(first.resourceVersion);
      const scaled = (await stage.wire.patch(path, { spec: { replicas: 0 } })).body.metadata;
      expect(scaled.generation).toBe(3);
      const same = (await stage.wire.patch(path, { spec: { replicas: 0 }, metadata: { annotations: { a: '' } } })).body
        .metadata;
      expect(same.resourceVersion).toBe(scaled.resourceVersion);
    });

    test('one merge patch changes annotations and replicas, guarded by the resourceVersion that was seen', async () => {
      const path = await deployment(2);
      const seen = (await stage.wire.get(path)).body.metadata;
      const change = {
        metadata: {
          resourceVersion: seen.resourceVersion,
          annotations: { 'dependency-watchdog.gardener.cloud/replicas': '2' },
        },
        spec: { replicas: 0 },
      };
      const written = await stage.wire.patch(path, change);
      expect([written.code, written.body.spec.replicas]).toEqual([200, 0]);
      const late = await stage.wire.patch(path, change);
      expect(late.body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `Operation cannot be fulfilled on deployments.apps "${seen.name}": the object has been modified; please apply your changes to the latest version and try again`,
        reason: 'Conflict',
        details: { name: seen.name, group: 'apps', kind: 'deployments' },
        code: 409,
      });
      const cleaned = await stage.wire.patch(path, {
        metadata: { annotations: { 'dependency-watchdog.gardener.cloud/replicas': null } },
        spec: { replicas: 2 },
      });
      expect(cleaned.body.metadata.annotations ?? {}).not.toHaveProperty('dependency-watchdog.gardener.cloud/replicas');
    });

    test('a JSON patch is carried out whole or not at all', async () => {
      const path = await deployment(2);
      const { resourceVersion } = (await stage.wire.get(path)).body.metadata;
      const guarded = [
        { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
        { op: 'add', path: '/metadata/annotations', value: { 'a/b': 'x' } },
        { op: 'replace', path: '/spec/replicas', value: 5 },
      ];
      const written = await stage.wire.patch(path, guarded, jsonPatch);
      expect([written.body.spec.replicas, written.body.metadata.annotations['a/b']]).toEqual([5, 'x']);
      expect((await stage.wire.patch(path, guarded, jsonPatch)).code).toBe(422);
      const halfWay = [
        { op: 'replace', path: '/spec/replicas', value: 7 },
        { op: 'remove', path: '/metadata/annotations/a~1b' },
        { op: 'remove', path: '/metadata/annotations/nope' },
      ];
      expect((await stage.wire.patch(path, halfWay, jsonPatch)).body).toMatchObject({ code: 422, reason: 'Invalid' });
      expect((await stage.wire.get(path)).body.spec.replicas).toBe(5);
    });

    test.each([
      ['annotations that are no text', { metadata: { annotations: { replicas: 2 } } }, 422],
      ['replicas below zero', { spec: { replicas: -1 } }, 422],
      ['replicas that are no number', { spec: { replicas: 'two' } }, 422],
      ['another name', { metadata: { name: 'other' } }, 400],
      ['another uid', { metadata: { uid: 'other' } }, 422],
      ['a list', [1], 400],
    ])('a merge patch with %s is refused', async (_, change, code) => {
      const path = await deployment();
      expect((await stage.wire.patch(path, change)).code).toBe(code);
    });

    test('a patch of an unknown media type is refused with 415, one of what is not there with 404', async () => {
      expect((await stage.wire.patch(await deployment(), {}, 'application/json')).body).toMatchObject({
        code: 415,
        reason: 'UnsupportedMediaType',
      });
      expect((await stage.wire.patch(`${deployments}/nope`, { spec: { replicas: 1 } })).code).toBe(404);
    });

    test('a PUT replaces what was seen, and nothing newer', async () => {
      const named = {
        metadata: { name: stage.fresh('l') },
        spec: { holderIdentity: 'one', renewTime: '2026-01-01T00:00:00.000001Z' },
      };
      const lease = (await stage.wire.call('POST', leases, named)).body;
      const path = `${leases}/${lease.metadata.name}`;
      const taken = await stage.wire.call('PUT', path, { ...lease, spec: { ...lease.spec, holderIdentity: 'two' } });
      expect([taken.code, taken.body.spec.holderIdentity]).toEqual([200, 'two']);
      const late = await stage.wire.call('PUT', path, { ...lease, spec: { ...lease.spec, holderIdentity: 'three' } });
      expect(late.body).toMatchObject({ code: 409, reason: 'Conflict' });
      expect((await stage.wire.call('PUT', `${leases}/nope`, { ...lease, metadata: { name: 'other' } })).code).toBe(
        400,
      );
    });

    test('a MicroTime has exactly six digits', async () => {
      expect(
        (await stage.wire.call('POST', leases, leaseRenewedAt(stage.fresh('l'), '2026-01-01T00:00:00.123456Z'))).code,
      ).toBe(201);
      expect(
        (await stage.wire.call('POST', leases, leaseRenewedAt(stage.fresh('l'), '2026-01-01T00:00:00.123Z'))).code,
      ).toBe(400);
      expect(
        (await stage.wire.call('POST', leases, leaseRenewedAt(stage.fresh('l'), '2026-01-01T00:00:00Z'))).code,
      ).toBe(400);
    });

    test('a new object has no past: its status is dropped, but not that of a node', async () => {
      const spec = (await stage.wire.get(await deployment(2))).body.spec;
      const born = { metadata: { name: stage.fresh('d') }, spec, status: { readyReplicas: 2 } };
      expect((await stage.wire.call('POST', deployments, born)).body.status).toEqual({});
      const gadget = {
        apiVersion: 'test.example/v1',
        kind: 'Gadget',
        metadata: { name: stage.fresh('g') },
        status: { size: 2 },
      };
      expect((await stage.wire.call('POST', gadgets, gadget)).body.status).toBeUndefined();
      const conditions = [{ type: 'Ready', status: 'True' }];
      const node = { metadata: { name: stage.fresh('n') }, status: { conditions } };
      const joined = await stage.wire.call('POST', '/api/v1/nodes', node);
      expect(joined.body.status.conditions).toMatchObject(conditions);
      await stage.wire.call('DELETE', `/api/v1/nodes/${joined.body.metadata.name}`);
    });

    test('status changes through its own path, and only there', async () => {
      const path = await deployment(2);
      expect(
        (await stage.wire.patch(path, { status: { readyReplicas: 2, replicas: 2 } })).body.status.readyReplicas,
      ).toBeUndefined();
      const written = await stage.wire.patch(`${path}/status`, {
        status: { readyReplicas: 2, replicas: 2 },
        spec: { replicas: 9 },
      });
      expect(written.body).toMatchObject({
        spec: { replicas: 2 },
        status: { readyReplicas: 2 },
        metadata: { generation: 1 },
      });
    });

    test('a deletion with a foreign uid or resourceVersion hits nothing', async () => {
      const { metadata } = await configMap();
      const path = `${configMaps}/${metadata.name}`;
      expect((await stage.wire.call('DELETE', path, deleteOptions({ uid: 'other' }))).body).toMatchObject({
        code: 409,
        reason: 'Conflict',
      });
      expect((await stage.wire.call('DELETE', path, deleteOptions({ resourceVersion: '1' }))).body).toMatchObject({
        code: 409,
        reason: 'Conflict',
      });
      const gone = await stage.wire.call(
        'DELETE',
        path,
        deleteOptions({ uid: metadata.uid, resourceVersion: metadata.resourceVersion }),
      );
      expect(gone.body).toMatchObject({ status: 'Success', details: { name: metadata.name, uid: metadata.uid } });
      expect((await stage.wire.call('DELETE', path)).code).toBe(404);
    });

    test('a finalizer holds an object that is being deleted until it is taken away', async () => {
      const draft = { metadata: { name: stage.fresh('c'), finalizers: ['test/hold'] } };
      const path = `${configMaps}/${(await stage.wire.call('POST', configMaps, draft)).body.metadata.name}`;
      expect((await stage.wire.call('DELETE', path)).body.metadata.deletionTimestamp).toBeDefined();
      expect((await stage.wire.get(path)).code).toBe(200);
      expect((await stage.wire.patch(path, { metadata: { finalizers: null } })).code).toBe(200);
      expect((await stage.wire.get(path)).code).toBe(404);
    });

    test('pages show the list as it was at the first of them', async () => {
      const set = stage.fresh('set');
      const names: string[] = [];
      for (let index = 0; index < 5; index += 1) names.push((await configMap({ set })).metadata.name);
      const list = `${configMaps}?labelSelector=set%3D${set}&limit=2`;
      const first = (await stage.wire.get(list)).body;
      expect(first.items).toHaveLength(2);
      await stage.wire.call('DELETE', `${configMaps}/${names[4]}`);
      await configMap({ set });
      const seen: string[] = first.items.map(({ metadata }: Loose) => metadata.name);
      for (let page = first; page.metadata.continue !== undefined;) {
        page = (await stage.wire.get(`${list}&continue=${page.metadata.continue}`)).body;
        expect(page.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
        seen.push(...page.items.map(({ metadata }: Loose) => metadata.name));
      }
      expect(seen).toEqual(names.toSorted());
    });

    test("a page of an unnarrowed list tells how many remain; a built-in kind's items do not repeat their kind", async () => {
      await configMap();
      await configMap();
      const { body } = await stage.wire.get(`${configMaps}?limit=1`);
      const all = (await stage.wire.get(configMaps)).body;
      expect(body).toMatchObject({
        kind: 'ConfigMapList',
        apiVersion: 'v1',
        metadata: { remainingItemCount: all.items.length - 1 },
      });
      expect(body.items[0]).not.toHaveProperty('kind');
      expect(body.items[0]).not.toHaveProperty('apiVersion');
      expect(body.items[0].data).toEqual(all.items[0].data);
    });

    test.each([
      ['limit=x', 400],
      ['continue=abc', 400],
      ['resourceVersion=abc', 400],
      ['resourceVersion=99999999999&resourceVersionMatch=NotOlderThan', 504],
      ['labelSelector=a%3D%3D%3Db', 400],
      ['labelSelector=!!a', 400],
      ['fieldSelector=data.key%3Dx', 400],
      ['fieldSelector=x', 400],
    ])('a list with ?%s is refused with %i', async (query, code) => {
      expect((await stage.wire.get(`${configMaps}?${query}`)).body).toMatchObject({
        kind: 'Status',
        status: 'Failure',
        code,
      });
    });

    test.each([
      ['tier=a', ['a']],
      ['tier==a', ['a']],
      ['tier!=a', ['b', 'c', 'none']],
      ['tier in (a, b)', ['a', 'b']],
      ['tier notin (a,b)', ['c', 'none']],
      ['tier', ['a', 'b', 'c']],
      ['!tier', ['none']],
      ['rank>1', ['b', 'c']],
      ['rank<2', ['a']],
      ['tier in (a,b),rank>1', ['b']],
      ['tier=', []],
    ])('the label selector %s selects %j', async (selector, expected) => {
      const set = stage.fresh('set');
      const labels = {
        a: { tier: 'a', rank: '1' },
        b: { tier: 'b', rank: '2' },
        c: { tier: 'c', rank: '3' },
        none: {},
      };
      for (const [mine, more] of Object.entries(labels)) await configMap({ set, mine, ...more });
      const { body } = await stage.wire.get(
        `${configMaps}?labelSelector=${encodeURIComponent(`set=${set},${selector}`)}`,
      );
      expect(body.items.map(({ metadata }: Loose) => metadata.labels.mine).toSorted()).toEqual(expected);
    });

    test('a list over all namespaces is narrowed to one name by a field selector', async () => {
      const { metadata } = await configMap();
      const { body } = await stage.wire.get(`/api/v1/configmaps?fieldSelector=metadata.name%3D${metadata.name}`);
      expect(body.items.map((item: Loose) => item.metadata.uid)).toEqual([metadata.uid]);
      const elsewhere = await stage.wire.get(
        `/api/v1/configmaps?fieldSelector=metadata.name%3D${metadata.name},metadata.namespace!%3Ddefault`,
      );
      expect(elsewhere.body.items).toEqual([]);
    });

    test("a watch tells what happens after the list's resourceVersion; what stops matching is deleted, and told as it was", async () => {
      const set = stage.fresh('set');
      const { metadata } = await configMap({ set });
      const list = (await stage.wire.get(`${configMaps}?labelSelector=set%3D${set}`)).body;
      const watch = await stage.wire.watch(watchOf(`set%3D${set}`, `resourceVersion=${list.metadata.resourceVersion}`));
      const path = `${configMaps}/${metadata.name}`;
      await stage.wire.patch(path, { data: { key: 'other' } });
      await stage.wire.patch(path, { metadata: { labels: { set: 'elsewhere' } } });
      await stage.wire.patch(path, { data: { key: 'unseen' } });
      const back = (await stage.wire.patch(path, { metadata: { labels: { set } } })).body;
      await stage.wire.call('DELETE', path);
      const events = [await watch.next(), await watch.next(), await watch.next(), await watch.next()];
      expect(events.map((event) => [event?.type, event?.object.metadata.labels.set, event?.object.data.key])).toEqual([
        ['MODIFIED', set, 'other'],
        ['DELETED', set, 'other'],
        ['ADDED', set, 'unseen'],
        ['DELETED', set, 'unseen'],
      ]);
      expect(events[0]?.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
      const versions = events.map((event) => Number(event?.object.metadata.resourceVersion));
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      expect(versions[2]).toBe(Number(back.metadata.resourceVersion));
      expect(versions[3]).toBeGreaterThan(versions[2]!);
      watch.cut();
    });

    test('a watch without a resourceVersion begins with what is there', async () => {
      const set = stage.fresh('set');
      const names: string[] = [(await configMap({ set })).metadata.name, (await configMap({ set })).metadata.name];
      const watch = await stage.wire.watch(watchOf(`set%3D${set}`, ''));
      expect((await watch.take(2)).toSorted()).toEqual(names.map((of) => `ADDED ${of}`).toSorted());
      const third = (await configMap({ set })).metadata.name;
      expect(await watch.take(1)).toEqual([`ADDED ${third}`]);
      watch.cut();
    });

    test('a watch that asks for initial events learns where they end', async () => {
      const set = stage.fresh('set');
      // More than a connection takes at once: the server must not forget where they end while it waits.
      const value = 'x'.repeat(200_000);
      const name = stage.fresh('c');
      const draft = { metadata: { name, labels: { set } }, data: { value } };
      const { metadata } = (await stage.wire.call('POST', configMaps, draft)).body;
      const more = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      const watch = await stage.wire.watch(watchOf(`set%3D${set}`, more));
      expect(await watch.take(1)).toEqual([`ADDED ${metadata.name}`]);
      const end = await watch.next();
      expect(end).toMatchObject({
        type: 'BOOKMARK',
        object: {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
        },
      });
      expect(Number(end?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(metadata.resourceVersion));
      await stage.wire.patch(`${configMaps}/${metadata.name}`, { data: { key: 'x' } });
      expect(await watch.take(1)).toEqual([`MODIFIED ${metadata.name}`]);
      watch.cut();
    });

    test.each(['sendInitialEvents=true', 'resourceVersionMatch=NotOlderThan'])(
      'a watch with ?%s alone is refused',
      async (query) => {
        expect((await stage.wire.get(`${configMaps}?watch=1&${query}`)).body).toMatchObject({
          code: 422,
          reason: 'Invalid',
        });
      },
    );

    test('a watch ends by itself when its time is up', async () => {
      const { resourceVersion } = (await stage.wire.get(configMaps)).body.metadata;
      const watch = await stage.wire.watch(
        `${configMaps}?watch=1&timeoutSeconds=1&labelSelector=nothing&resourceVersion=${resourceVersion}`,
      );
      expect(await watch.rest()).toEqual([]);
    });

    test('an event of the core group is taken', async () => {
      const told = await stage.wire.call('POST', '/api/v1/namespaces/default/events', {
        metadata: { generateName: 'e-' },
        involvedObject: { kind: 'Deployment', namespace: 'default', name: 'x' },
        reason: 'ScaledDown',
        message: 'text',
        type: 'Normal',
      });
      expect([told.code, told.body.reason]).toEqual([201, 'ScaledDown']);
    });

    test('a body that is no JSON object of the kind is refused', async () => {
      expect((await stage.wire.call('POST', configMaps, [1])).code).toBe(400);
      expect(
        (await stage.wire.call('POST', configMaps, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } })).code,
      ).toBe(400);
      expect((await stage.wire.patch(await deployment(), { op: 'test' }, jsonPatch)).code).toBe(400);
      expect((await stage.wire.patch(await deployment(), [], mergePatch)).code).toBe(400);
    });
  });
}
