import { readFileSync } from 'node:fs';
import { expect, test, type TestContext } from 'vitest';
import { runValidate } from '../../src/commands/validate.ts';
import { lookAtCoverage } from '../../src/commands/validate/coverage-look.ts';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import type { KubeClient, KubeRequest } from '../../src/adapters/kube/kube-client.ts';
import type { PlainPod } from '@dwd/testing/plain-dependants.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';

/** As an operator with the weeder's own grants, and what stands below what the configuration means. */
async function against(stage: SeedStage, ...flags: readonly string[]) {
  const { io, out, err } = heardIo();
  const kubeconfig = stage.kubeconfigOf('operator', 'weeder');
  const config = `--config-file=${stage.weederConfigFile}`;
  const code = await runValidate([config, '--against-seed', `--kubeconfig=${kubeconfig}`, ...flags], io);
  const lines = out.join('\n').split('\n');
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  const from = lines.findIndex((line) => line.startsWith('On https'));
  const seen = lines.slice(from).join('\n').replaceAll(stage.seed.api.url, 'https://api.seed.example.com');
  return { code, seen, err: err.join('\n') };
}

/** A pod of a Deployment. */
function of(deployment: string, role: string): PlainPod {
  const owner = { kind: 'ReplicaSet', name: `${deployment}-7c9d`, uid: `uid-of-${deployment}` };
  return { labels: { role, 'pod-template-hash': '7c9d' }, loops: null, owner };
}

/** Each with both services, their pods, and an extension whose pods have a label that no selector picks. */
async function controlPlanes(context: TestContext, count: number, configText?: string): Promise<SeedStage> {
  const options = configText === undefined ? {} : { weederConfigText: configText };
  const stage = await seedStage(context, { shoots: 0, ...options });
  for (let index = 1; index <= count; index += 1) {
    const namespace = `shoot--a--${index}`;
    for (const service of ['etcd-main-client', 'kube-apiserver']) stage.plain.slice(namespace, service, [true]);
    stage.plain.add(namespace, 'kube-apiserver', of('kube-apiserver', 'apiserver'));
    for (const name of ['scheduler', 'controller-manager']) stage.plain.add(namespace, name, of(name, 'controller'));
    stage.plain.add(namespace, 'extension', of('extension-foo-controller', 'main'));
  }
  return stage;
}

test('7.8 it says how many pods the selectors pick, and which workloads none picks, as the page shows', async (context) => {
  const stage = await controlPlanes(context, 5);
  stage.plain.add('shoot--a--1', 'other', of('other', 'main'));
  stage.plain.add('shoot--a--1', 'alone', { ...of('alone', 'main'), owner: null });
  // No service of the configuration is there.
  stage.plain.add('garden', 'other', of('other', 'main'));
  const { code, seen, err } = await against(stage);
  expect(seen).toBe(`On https://api.seed.example.com, in 5 namespaces with a service of the configuration
  etcd-main-client, in 5 namespaces: its selectors pick 5 pods
  kube-apiserver, in 5 namespaces: its selectors pick 10 pods

Pods there that no selector picks, so that the weeder leaves them alone
  Deployment extension-foo-controller, 5 pods in 5 namespaces: shoot--a--1, shoot--a--2,
      shoot--a--3, and 2 more
  Deployment other, 1 pod in 1 namespace: shoot--a--1

Pods of Jobs, mirror pods and pods that nothing controls are not counted: it never deletes them.`);
  expect([code, err]).toEqual([0, '']);
  expect(readFileSync(new URL('../../docs/status.md', import.meta.url), 'utf8'), 'the sample').toContain(seen);
  expect(stage.writes(), 'it writes nothing').toEqual([]);
});

test('7.8 a selector that picks nothing, and a service that is nowhere, are warnings; what belongs to such a service is not covered', async (context) => {
  const config = `
servicesAndDependantSelectors:
  etcd-main-client: {podSelectors: [{matchLabels: {role: apiserver}}, {matchLabels: {role: api}}]}
  kube-api: {podSelectors: [{matchLabels: {role: controller}}]}
`;
  const stage = await controlPlanes(context, 1, config);
  // Nothing checks the name of an owner.
  stage.plain.add('shoot--a--1', 'odd', { loops: null, owner: { kind: 'Odd', name: '\u001b[2J', uid: 'odd' } });
  const { code, seen } = await against(stage);
  expect(code).toBe(0);
  expect(seen).toContain('\n  Odd \\u001b[2J, 1 pod in 1 namespace');
  expect(seen).toContain('\n  Deployment scheduler, 1 pod in 1 namespace: shoot--a--1\n');
  expect(seen.slice(seen.indexOf('2 warnings'))).toBe(`2 warnings
  etcd-main-client: the selector role=api picks no pod where the service is (1 namespace); has a
    label changed?
  kube-api: no namespace of this seed has a service of this name`);
});

test('7.8 ten workloads are named, the widest first and a service’s own pods last; the rest are counted', async (context) => {
  const stage = await controlPlanes(context, 2);
  for (let index = 1; index <= 10; index += 1) stage.plain.add('shoot--a--1', `x${index}`, of(`x${index}`, 'main'));
  stage.plain.add('shoot--a--1', 'x10-b', of('x10', 'main'));
  const { seen } = await against(stage);
  const named = [...seen.matchAll(/^ {2}Deployment (\S+),/gm)].map(([, name]) => name);
  expect(named).toEqual(['extension-foo-controller', 'x10', ...[1, 2, 3, 4, 5, 6, 7, 8].map((index) => `x${index}`)]);
  expect(seen).toContain('\n  and 1 more, with 1 pod\n');
});

test('7.8 what is refused, and what cannot be reached, is told with code 1; a seed without the services asks whether it is one', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const empty = await against(stage);
  expect(empty).toMatchObject({
    code: 0,
    seen: expect.stringMatching(/no namespace has a service .*: is it the seed\?$/),
  });
  stage.plain.slice('shoot--a--1', 'kube-apiserver', [true]);
  expect((await against(stage)).seen).toContain('Every pod there is picked');
  stage.permits = ({ resource }) => resource !== 'pods';
  const refused = await against(stage);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(
      /^dependency-watchdog validate: https:\S+: .*pods is forbidden.* lists the EndpointSlices and the pods/,
    ),
  ]);
  const nowhere = await against(stage, '--kubeconfig=/none');
  expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('/none')]);
});

test("7.8 it is for a weeder's configuration, and a kubeconfig for it alone", async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const probers = await against(stage, `--config-file=${stage.configFile}`);
  expect([probers.code, probers.err]).toEqual([
    1,
    `dependency-watchdog validate: --against-seed is for a weeder's configuration; ${stage.configFile} is the prober's`,
  ]);
  const idle = await against(stage, '--against-seed=false');
  expect([idle.code, idle.err]).toEqual([2, expect.stringContaining('--kubeconfig is of use with --against-seed')]);
});

test('7.8 it asks by pages, and counts anew, all in one, where a page has expired', async () => {
  const asked: string[] = [];
  const answers: readonly (object | 410)[] = [
    { items: [sliceOf('etcd-main-0')] },
    { items: [podOf('a-0')], metadata: { continue: 'more' } },
    410,
    { items: [podOf('a-0'), podOf('a-1'), ...[0, 1, 2].map((index) => podOf(`etcd-main-${index}`, 'etcd'))] },
  ];
  const client = {
    async *pieces({ path, query = {} }: KubeRequest) {
      const answer = answers[asked.length];
      asked.push(`${path} ${query['limit']} ${query['continue']}`);
      if (answer === 410) throw new KubeError('status', 'expired', { status: 410 });
      const kind = path.endsWith('pods') ? 'PodList' : 'EndpointSliceList';
      yield Buffer.from(JSON.stringify({ kind, metadata: {}, ...answer }));
    },
  } as unknown as KubeClient;
  const config = { watchDuration: 1, services: [{ name: 'etcd', podSelectors: ['role=none'] }] };
  expect(await lookAtCoverage(client, config)).toMatchObject({
    missed: [
      { workload: 'ReplicaSet a', pods: 2, namespaces: ['one'], behind: [] },
      { workload: 'ReplicaSet etcd', pods: 3, behind: ['etcd'] },
    ],
  });
  expect(asked.slice(-2)).toEqual(['/api/v1/pods 500 more', '/api/v1/pods undefined undefined']);
});

const sliceOf = (pod: string) => ({
  metadata: { namespace: 'one', labels: { 'kubernetes.io/service-name': 'etcd' } },
  endpoints: [{ addresses: ['::1'], targetRef: { name: pod } }],
});

const podOf = (name: string, owner = 'a') => ({
  metadata: {
    namespace: 'one',
    name,
    ownerReferences: [{ kind: 'ReplicaSet', name: owner, uid: 'u', controller: true }],
  },
  spec: { restartPolicy: 'Always' },
});
