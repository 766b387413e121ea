import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeInformer,
  V1MicroTime,
  type ApiException,
  type V1Deployment,
  type V1Status,
} from '@kubernetes/client-node';
import { Subject } from 'rxjs';
import { afterAll, describe, expect, test } from 'vitest';
import { mergePatch } from '@dwd/lab/real/operator-client.ts';
import { collector } from './collector.ts';
import type { ContractStage } from './contract-stage.ts';

const webDeployment = (replicas: number): V1Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'none' }] } },
  },
});

/** A real server has a ConfigMap of its own in each namespace. */
const isOurs = (name = '') => name === 'a' || name === 'b';

/** What a refused call of client-node throws: its body is the Status as text, or already parsed. */
async function refusalOf(call: Promise<unknown>): Promise<Readonly<{ code: number; reason: string | undefined }>> {
  try {
    await call;
  } catch (error) {
    const { code, body } = error as ApiException<unknown>;
    const status = (typeof body === 'string' ? JSON.parse(body) : body) as V1Status;
    return { code, reason: status.reason };
  }
  throw new Error('it was not refused');
}

/**
 * That an API server serves clients which nobody here wrote. Names no rule of the specification: it holds the embedded seed
 * to the field's clients, as the rest holds it to ours.
 */
export function clientNodeContract(open: () => Promise<ContractStage>): void {
  test('a Deployment is created, listed, patched, scaled, replaced and deleted by typed calls', async () => {
    const stage = await open();
    const { apps } = stage.operator;
    const namespace = await stage.namespace();
    const of = { namespace, name: 'web' };
    const made = await apps.createNamespacedDeployment({ namespace, body: webDeployment(2) });
    expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const { items } = await apps.listNamespacedDeployment({ namespace, labelSelector: 'app in (web)', limit: 1 });
    expect(items.map(({ metadata }) => metadata?.uid)).toEqual([made.metadata?.uid]);
    const marked = { metadata: { annotations: { a: 'b' } } };
    const patched = await apps.patchNamespacedDeployment({ ...of, body: marked }, mergePatch);
    expect(patched.metadata?.annotations).toMatchObject({ a: 'b' });
    const scale = await apps.readNamespacedDeploymentScale(of);
    scale.spec = { replicas: 0 };
    await apps.replaceNamespacedDeploymentScale({ ...of, body: scale });
    const scaled = await apps.readNamespacedDeployment(of);
    expect(scaled).toMatchObject({ spec: { replicas: 0 }, metadata: { generation: 3, annotations: { a: 'b' } } });
    scaled.spec!.replicas = 4;
    const replace = () => apps.replaceNamespacedDeployment({ ...of, body: scaled });
    expect(await replace()).toMatchObject({ spec: { replicas: 4 } });
    expect(await refusalOf(replace())).toEqual({ code: 409, reason: 'Conflict' });
    await apps.deleteNamespacedDeployment({ ...of, body: { preconditions: { uid: made.metadata?.uid ?? '' } } });
    expect(await refusalOf(apps.readNamespacedDeployment(of))).toEqual({ code: 404, reason: 'NotFound' });
  });

  test('a Lease keeps its microseconds, as a leader elector writes them', async () => {
    const stage = await open();
    const { coordination } = stage.operator;
    const namespace = await stage.namespace();
    const renewTime = new V1MicroTime('2026-11-22T10:00:00.123Z');
    const spec = { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime };
    await coordination.createNamespacedLease({ namespace, body: { metadata: { name: 'leader' }, spec } });
    const read = await coordination.readNamespacedLease({ namespace, name: 'leader' });
    expect(read.spec).toMatchObject({ holderIdentity: 'me', leaseDurationSeconds: 15 });
    // client-node gives it as the text that it got, whatever its types say.
    expect(String(read.spec?.renewTime)).toBe('2026-11-22T10:00:00.123000Z');
  });

  test('a user without a grant gets a refusal', async () => {
    const { core } = (await open()).operatorAs('weak');
    expect(await refusalOf(core.listNode())).toEqual({ code: 403, reason: 'Forbidden' });
  });

  test('an informer lists, watches, and tells what is added, changed and deleted', async () => {
    const stage = await open();
    const { core, config } = stage.operator;
    const namespace = await stage.namespace();
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const create = (name: string) =>
      core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data: { key: 'old' } } });
    await create('a');
    const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));
    const told$ = new Subject<string>();
    const { next, subscription } = collector(told$);
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, ({ metadata, data }) => {
        if (isOurs(metadata?.name)) told$.next(`${verb} ${metadata?.name} ${data?.['key']}`);
      });
    await informer.start();
    expect(await next()).toBe('add a old');
    await create('b');
    expect(await next()).toBe('add b old');
    await core.patchNamespacedConfigMap({ namespace, name: 'a', body: { data: { key: 'new' } } }, mergePatch);
    expect(await next()).toBe('update a new');
    expect(informer.get('a', namespace)?.data).toEqual({ key: 'new' });
    await core.deleteNamespacedConfigMap({ namespace, name: 'b' });
    expect(await next()).toBe('delete b old');
    expect(informer.list().filter(({ metadata }) => isOurs(metadata?.name))).toHaveLength(1);
    await informer.stop();
    subscription.unsubscribe();
  });
}

/** The real kubectl, where this machine has one; what it asks for (Tables) is tested without it in test/simulation. */
export function kubectlContract(open: () => Promise<ContractStage>): void {
  describe.runIf(hasKubectl())('with a real kubectl', () => {
    const directory = mkdtempSync(join(tmpdir(), 'dwd-kubectl-'));
    afterAll(() => rmSync(directory, { recursive: true, force: true }));

    const begin = async () => {
      const stage = await open();
      const namespace = await stage.namespace();
      const kubeconfig = join(directory, `${namespace}.yaml`);
      writeFileSync(kubeconfig, stage.kubeconfig('admin'), { mode: 0o600 });
      const flags = ['--kubeconfig', kubeconfig, '--cache-dir', join(directory, 'cache'), '--namespace', namespace];
      const kubectl = (words: string, input = '') => run([...flags, ...words.split(' ')], input);
      await kubectl('create --validate=false -f -', JSON.stringify(webDeployment(2)));
      return { kubectl, apps: stage.operator.apps, of: { namespace, name: 'web' } };
    };

    test('kubectl shows what is there, as a table and as it is', async () => {
      const { kubectl } = await begin();
      const table = await kubectl('get deploy --selector app=web');
      expect(table.split('\n')[0]?.split(/\s+/)).toEqual(['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE']);
      expect(table.split('\n')[1]?.split(/\s+/).slice(0, 2)).toEqual(['web', '0/2']);
      expect(await kubectl('get deployments.apps web -o jsonpath={.spec.replicas}')).toBe('2');
      expect(await kubectl('describe deployment web')).toMatch(/^Name: +web$/m);
      expect(await kubectl('api-resources --api-group=extensions.gardener.cloud -o name')).toContain('clusters.');
    });

    test('kubectl scales, annotates, labels, patches, waits and deletes', async () => {
      const { kubectl, apps, of } = await begin();
      const zero = kubectl('wait deployment/web --for=jsonpath={.spec.replicas}=0 --timeout=60s');
      await kubectl('scale deployment web --replicas=0');
      expect(await zero).toContain('condition met');
      await kubectl('annotate deployment web of=us');
      await kubectl('label deployment web tier=one');
      await kubectl('patch deployment web --type=merge -p {"spec":{"paused":true}}');
      expect(await apps.readNamespacedDeployment(of)).toMatchObject({
        metadata: { annotations: { of: 'us' }, labels: { tier: 'one' } },
        spec: { replicas: 0, paused: true },
      });
      expect(await kubectl('delete deployment web')).toContain('deleted');
      await expect(kubectl('get deployment web')).rejects.toThrow('(NotFound)');
    });
  });
}

function hasKubectl(): boolean {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function run(words: readonly string[], input: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = execFile('kubectl', words, (error, stdout, stderr) => {
    if (error === null) resolve(stdout);
    else reject(new Error(`kubectl ${words.slice(6).join(' ')}: ${stderr}`, { cause: error }));
  });
  child.stdin?.end(input);
  return promise;
}
