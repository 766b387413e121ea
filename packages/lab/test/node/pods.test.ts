import process from 'node:process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeName, type RealNode } from '../../real-node/real-node.ts';
import { mebibytes } from '../support/figures.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { Garden, isReady, nameOf } from './garden.ts';
import { images } from './image-names.ts';
import { noteFigure, startNode } from './node-ground.ts';
import { join } from 'node:path';
import type { KubernetesObject, V1Deployment } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { grantingsOf } from '@dwd/testing/gardener-rbac.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { RealApiServer } from '../../real/api-server.ts';

// The tests build on each other: each finds both roles ready, and the prober led by its only pod.

const ending = new AbortController();
const [image, nextImage] = images;
let node: RealNode;
let auditLog: string;
let garden: Garden;
let lease: SeenLease;

beforeAll(async () => {
  const from = performance.now();
  ({ node, auditLog } = await startNode());
  noteFigure({ what: 'the node itself: start to ready', is: seconds(performance.now() - from) });
  garden = await Garden.furnish(node);
  lease = new SeenLease(node.server, 'prober', ending.signal);
});

afterAll(async () => {
  ending.abort();
  await node?.stop();
});

describe('1.6 prober and weeder as pods of a real node', () => {
  test('1.6 both are ready and lead, have their logs read, and take little memory as the kubelet counts it', async () => {
    const from = performance.now();
    await Promise.all((['prober', 'weeder'] as const).map((role) => garden.deploy(asShipped(role, image))));
    for (const role of ['prober', 'weeder'] as const) {
      await garden.until(`the ${role} is ready`, async () => (await garden.pods(role)).some(isReady));
      noteFigure({ what: `${role}: Deployment created to pod ready`, is: seconds(performance.now() - from) });
    }
    for (const role of ['prober', 'weeder'] as const) {
      const pod = await garden.pod(role);
      await garden.until(`the ${role} leads`, async () => (await garden.series(pod))['dwd_leader'] === 1);
      expect((await garden.logs(pod)).length).toBeGreaterThan(0);
      let counted: number | undefined;
      await garden.until('the kubelet has counted', async () => (counted = await garden.workingSet(pod)) !== undefined);
      noteFigure({ what: `${role}: memory, idle`, is: mebibytes(counted!), atMost: '90 MiB' });
      expect(counted).toBeLessThan(90 * 1_048_576);
    }
  });

  test('1.4 a roll to the next version, and back: the Lease is handed over', async () => {
    for (const [what, next] of [
      ['roll', nextImage],
      ['roll back', image],
    ] as const) {
      const from = performance.now();
      await leadGoesOver(() => garden.roll('prober', { image: next }));
      await garden.until(`the ${what} is over`, () => garden.isRolled('prober'));
      const took = performance.now() - from;
      expect((await garden.pod('prober')).spec?.containers[0]?.image).toBe(next);
      noteFigure({ what: `prober: ${what}`, is: seconds(took) });
      noteGap(what, 3_000);
    }
  });

  test('a roll to a limit that is too small: the kernel kills the new pod, and the former one leads on', async () => {
    const { holder } = lease;
    const former = await garden.pod('prober');
    await garden.roll('prober', { resources: { requests: { memory: '32Mi' }, limits: { memory: '32Mi' } } });
    await garden.until('the new one was killed, and started again', async () =>
      (await garden.pods('prober')).some(({ status }) => {
        const [container] = status?.containerStatuses ?? [];
        return container?.lastState?.terminated?.reason === 'OOMKilled' && container.restartCount >= 1;
      }),
    );
    await garden.roll('prober', { resources: { requests: { memory: '256Mi' }, limits: { memory: memoryLimit } } });
    await garden.until('the roll is taken back', () => garden.isRolled('prober'));
    expect(nameOf(await garden.pod('prober'))).toBe(nameOf(former));
    expect(lease.holder).toBe(holder);
  });

  test('1.4 its only pod is evicted: it gives the Lease up, and the next one takes it as soon as it runs', async () => {
    const former = await garden.pod('prober');
    await leadGoesOver(() => garden.evict(former));
    await garden.until('there is another one', () => garden.isRolled('prober'));
    expect(nameOf(await garden.pod('prober'))).not.toBe(nameOf(former));
    noteGap('eviction of the only pod', 30_000);
  });

  test('its process is killed: the kubelet starts it again in the same pod, and it leads when the Lease is over', async () => {
    const former = await garden.pod('prober');
    await leadGoesOver(() => process.kill(node.processOf(former), 'SIGKILL'));
    await garden.until('it is ready', async () => isReady(await garden.pod('prober')));
    const pod = await garden.pod('prober');
    expect(nameOf(pod)).toBe(nameOf(former));
    expect(pod.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 137 } },
    });
    await garden.until('what it said before can be read', async () => (await garden.logs(pod, true)).length > 0);
    // It ran out, 15 s from its last renewal; the rest is how long a busy kubelet takes.
    noteGap('SIGKILL of the only pod', 120_000, false);
  });

  test('a new token, which the kubelet writes, is used without a restart', async () => {
    const former = await garden.pod('prober');
    const [used] = credentialsOf(former.metadata?.uid).slice(-1);
    expect(used).toBeDefined();
    // It remembers no token that it asked for before.
    await node.restartKubelet();
    const from = performance.now();
    await garden.until('another token is used', () => credentialsOf(former.metadata?.uid).at(-1) !== used);
    noteFigure({ what: 'prober: kubelet started anew to a new token used', is: seconds(performance.now() - from) });
    await garden.until('it leads', async () => (await garden.series(former))['dwd_leader'] === 1);
    expect((await garden.pod('prober')).status?.containerStatuses?.[0]?.restartCount).toBe(1);
  });

  test('a kubelet stands still, and goes on: its node is given up, and the pod leads all the while', async () => {
    const { holder } = lease;
    const from = performance.now();
    node.stopKubelet();
    await garden.until('its node is Unknown', async () => (await readyOfNode()) === 'Unknown');
    noteFigure({ what: 'kubelet stopped to node Unknown', is: seconds(performance.now() - from) });
    const healedFrom = performance.now();
    node.continueKubelet();
    await garden.until('its node is ready', async () => (await readyOfNode()) === 'True');
    noteFigure({ what: 'kubelet continued to node Ready', is: seconds(performance.now() - healedFrom) });
    await garden.until(
      'both are ready',
      async () => isReady(await garden.pod('prober')) && isReady(await garden.pod('weeder')),
    );
    expect(lease.holder).toBe(holder);
    expect((await garden.pod('prober')).status?.containerStatuses?.[0]?.restartCount).toBe(1);
  });
});

/** Does it, and waits until another one holds the prober's Lease. */
async function leadGoesOver(because: () => unknown): Promise<void> {
  const before = lease.holder;
  await because();
  await garden.until('another one leads', () => lease.holder !== '' && lease.holder !== before);
}

function noteGap(what: string, atMost: number, wasGivenUp = true): void {
  const gap = lease.wentOver?.gap ?? Number.NaN;
  noteFigure({ what: `prober: ${what}, nobody leads for`, is: seconds(gap), atMost: seconds(atMost) });
  expect(gap).toBeLessThan(atMost);
  expect(lease.wentOver?.wasGivenUp).toBe(wasGivenUp);
}

/** The tokens by which a pod asked, in their order, as the API server's audit log names them. */
function credentialsOf(uid: string | undefined): readonly string[] {
  type Line = Readonly<{ user?: { extra?: Record<string, string[]> } }>;
  const lines = readFileSync(auditLog, 'utf8').split('\n').slice(0, -1);
  return lines.flatMap((text) => {
    const { extra = {} } = (JSON.parse(text) as Line).user ?? {};
    if (extra['authentication.kubernetes.io/pod-uid']?.[0] !== uid) return [];
    return extra['authentication.kubernetes.io/credential-id'] ?? [];
  });
}

async function readyOfNode(): Promise<string | undefined> {
  const { status } = await node.server.operator.core.readNode({ name: nodeName });
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}

/** The shortest that a kubelet takes; it renews the token a fifth of that before its end. */
const tokenLives = 600;

/** Of gardenlet's Deployments. */
const memoryLimit = '512Mi';

/** What `deploy/base` has of a role, with the memory limit of gardenlet's Deployment. */
function asShipped(role: RoleName, image: string): readonly KubernetesObject[] {
  const deployment = parse(fileOf(role, 'deployment.yaml')) as V1Deployment;
  const spec = deployment.spec!.template.spec!;
  const [container] = spec.containers;
  container!.image = image;
  container!.resources!.limits = { memory: memoryLimit };
  const [token] = spec.volumes!.flatMap(({ projected }) => projected?.sources ?? []);
  token!.serviceAccountToken!.expirationSeconds = tokenLives;
  const metadata = { name: `dependency-watchdog-${role}-config`, namespace: 'garden' };
  const data = { 'dep-config.yaml': fileOf(role, 'dep-config.yaml') };
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  const budget = parse(fileOf(role, 'disruption-budget.yaml')) as KubernetesObject;
  return [...grantingsOf(`base/${role}/rbac.yaml`), config, budget, deployment];
}

const fileOf = (role: RoleName, file: string): string =>
  readFileSync(join(import.meta.dirname, `../../../../deploy/base/${role}/${file}`), 'utf8');

/** What the seed showed of a Lease: who held it, from when on this machine's clock. An empty holder has given it up. */
type Held = Readonly<{ at: number; holder: string }>;

/** Who led, as the Lease of a role tells it. */
class SeenLease {
  readonly history: Held[] = [];

  constructor(server: RealApiServer, role: 'prober' | 'weeder', signal: AbortSignal) {
    const name = `dwd-${role}-leader-election`;
    const path = `/apis/coordination.k8s.io/v1/namespaces/garden/leases?watch=1&fieldSelector=metadata.name=${name}`;
    const onEvent = ({ object }: { object: Record<string, unknown> }) => {
      const { holderIdentity: holder = '' } = object['spec'] as Record<string, string>;
      this.history.push({ at: Date.now(), holder });
    };
    server.watch(path, onEvent).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  get holder(): string {
    return this.history.at(-1)?.holder ?? '';
  }

  /**
   * How it went over the last time: for how long nobody held it, in ms, from its last renewal or its release by the former holder until
   * another one was seen to hold it, and whether it was given up. Undefined where it never did.
   */
  get wentOver(): Readonly<{ gap: number; wasGivenUp: boolean }> | undefined {
    const { history } = this;
    const taken = history.findLastIndex(
      ({ holder }, index) => holder !== '' && index > 0 && history[index - 1]!.holder !== holder,
    );
    if (taken <= 0) return undefined;
    return { gap: history[taken]!.at - history[taken - 1]!.at, wasGivenUp: history[taken - 1]!.holder === '' };
  }
}
