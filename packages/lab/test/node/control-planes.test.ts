import process from 'node:process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { V1Secret, KubernetesObject, V1ConfigMap, V1Deployment, V1Volume } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gardenerKinds } from '../../real/custom-kinds.ts';
import { grantingsOf } from '@dwd/testing/gardener-rbac.ts';
import { addMachine } from '../../real/seed-objects.ts';
import { nodeAddress } from '../../real-node/node-space.ts';
import type { RealNode } from '../../real-node/real-node.ts';
import { kubeconfigText } from '@dwd/simulator/api/certificates.ts';
import { clusterObject, kubeconfigSecret } from '@dwd/simulator/shoot/shoot-objects.ts';
import { Cluster } from '../support/cluster.ts';
import { StagedNodes } from '../support/staged-nodes.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { Garden } from './garden.ts';
import { images } from './image-names.ts';
import { noteFigure, startNode } from './node-ground.ts';
import { PodPlane, type Part } from './pod-plane.ts';
import { newest, renderingOf } from '../../gardener/rendering.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';

const [kcm, mcm, ca] = ['kube-controller-manager', 'machine-controller-manager', 'cluster-autoscaler'] as const;
const secret = 'shoot-access-dependency-watchdog-probe';

/**
 * How long etcd is away at least, in seconds. A kubelet's pauses double up to five minutes, and one of 1.36 calls the state of a container
 * that waits CrashLoopBackOff only when it looks at the pod again: after a minute, or at the end of a shorter pause. In the short form it
 * looks every ten seconds. `OUTAGE=60` and `OUTAGE=420` play longer ones, with a kubelet as it is.
 */
const asked = process.env['OUTAGE'];
const outage = Number(asked ?? 0);

const ending = new AbortController();
let node: RealNode;
let garden: Garden;
let kubeconfig: string;

beforeAll(async () => {
  ({ node, kubeconfig } = await startNode(asked === undefined ? { syncFrequency: '10s' } : {}));
  garden = await Garden.furnish(node);
  const from = performance.now();
  const config = readFileSync(join(import.meta.dirname, 'prober.yaml'), 'utf8');
  await garden.deploy(asGardenletDeploys('prober', images[0], config));
  await garden.deploy(asGardenletDeploys('weeder', images[0]));
  for (const role of ['prober', 'weeder'] as const)
    await garden.until(`the ${role} leads`, async () => await garden.leads(role));
  noteFigure({ what: 'both as gardenlet deploys them: created to both lead', is: seconds(performance.now() - from) });
});

afterAll(async () => {
  ending.abort();
  await node?.stop();
});

describe.concurrent('control planes as pods of a real node', () => {
  test('6.6 an outage takes all down, and what comes back waits until what it needs is really ready', async () => {
    const namespace = 'shoot--node--outage';
    const plane = new PodPlane(
      node,
      namespace,
      [
        { name: kcm, role: 'controller-manager', replicas: 2, readyAfter: 8 },
        { name: mcm, role: 'machine-controller-manager', readyAfter: 2 },
        { name: ca, role: 'cluster-autoscaler' },
      ],
      'outage',
    );
    await plane.create(ending.signal);
    const shoot = await Cluster.by(kubeconfig);
    for (const granting of grantingsOf('shoot/rbac.yaml')) await shoot.apply(granting);
    const nodes = await StagedNodes.join(
      shoot.operator,
      [1, 2, 3].map((index) => `outage-${index}`),
    );
    for (const name of nodes.names) await addMachine(node.server.operator, namespace, name);
    const token = await shoot.tokenOf('kube-system', 'dependency-watchdog-probe');
    const way = kubeconfigText({ name: namespace, server: `https://${nodeAddress}`, ca: node.server.reach.ca, token });
    const body = kubeconfigSecret(namespace, secret, way) as V1Secret;
    await node.server.operator.core.createNamespacedSecret({ namespace, body });
    await garden.until('its control plane is ready', () => plane.isWell);
    const [{ group, version, kind }] = gardenerKinds;
    await shoot.apply({ apiVersion: `${group}/${version}`, kind, ...clusterObject(namespace) });
    const stateIs = async (state: string) => {
      const series = await garden.series(await garden.pod('prober'));
      return series[`dwd_shoot_state{shoot="${namespace}",state="${state}"}`] === 1;
    };
    await garden.until('it is probed', () => stateIs('probing'));

    nodes.cutOff();
    const cutAt = Date.now();
    await garden.until('all is scaled down', () => [kcm, mcm, ca].every((name) => plane.of(name)?.replicas === 0));
    noteFigure({ what: 'a shoot of pods: kubelets silent to all at 0', is: seconds(Date.now() - cutAt) });
    await garden.until('all of it is gone', () => [kcm, mcm, ca].every((name) => plane.of(name)?.ready === 0));

    await nodes.heal();
    const healedAt = Date.now();
    await garden.until('all is ready as before', () => plane.isWell);
    noteFigure({ what: 'a shoot of pods: healed to all ready as before', is: seconds(Date.now() - healedAt) });
    const back = plane.history.filter(({ at }) => at >= healedAt);
    const wantedAt = (name: string) => back.find((seen) => seen.name === name && seen.replicas > 0)!.at;
    const readyAt = (name: string) => back.find((seen) => seen.name === name && seen.ready > 0)!.at;
    // Each takes its time to be ready, and nothing comes before what it needs is so.
    expect(readyAt(kcm) - wantedAt(kcm)).toBeGreaterThan(7_000);
    expect(wantedAt(mcm)).toBeGreaterThanOrEqual(readyAt(kcm));
    expect(wantedAt(ca)).toBeGreaterThanOrEqual(readyAt(mcm));
    await garden.until('it is probed again', () => stateIs('probing'));
    await nodes.leave();
  });

  test(
    '7.5 etcd is away, and comes back: a real kubelet waits in its back-off, and the weeder does not',
    { timeout: 1_500_000 },
    async () => {
      const [watched, twin] = [
        planeWith('shoot--node--weeded', 12_379),
        planeWith('shoot--node--twin', 12_479, 'unwatched'),
      ];
      const planes = [watched, twin];
      await Promise.all(planes.map((plane) => plane.create(ending.signal)));
      await garden.until('both are ready', () => planes.every(({ isWell }) => isWell));
      await Promise.all(planes.map((plane) => plane.scale('etcd-main', 0)));
      await garden.until('nothing of both is ready', () =>
        planes.every((plane) => ['etcd-main', 'kube-apiserver', kcm].every((name) => plane.of(name)?.ready === 0)),
      );
      const awayAt = Date.now();
      await pause(outage * 1_000);
      // The next pause is forty seconds or more, and has just begun.
      await garden.until('both API servers fell for the fourth time', async () =>
        (await Promise.all(planes.map(fell))).every(Boolean),
      );
      await Promise.all(planes.map((plane) => plane.scale('etcd-main', 1)));
      await garden.until('etcd is back', () => planes.every((plane) => plane.of('etcd-main')?.ready === 1));
      const backAt = Date.now();
      const after = `etcd back after ${seconds(backAt - awayAt)}`;
      const took = new Map<PodPlane, number>();
      await garden.until(
        'both are ready again',
        () => {
          for (const plane of planes) if (plane.isWell && !took.has(plane)) took.set(plane, Date.now() - backAt);
          return took.size === planes.length;
        },
        900_000,
      );
      noteFigure({
        what: `${after} to all ready, with the weeder`,
        is: seconds(took.get(watched)!),
      });
      noteFigure({ what: `${after} to all ready, without it`, is: seconds(took.get(twin)!) });
      await garden.until('the weeder counts whom it deleted', async () => (await weededIn(watched)) > 0);
      expect(await weededIn(twin)).toBe(0);
      // A short pause may be over as soon.
      expect(took.get(twin)).toBeGreaterThan(outage > 0 ? took.get(watched)! : 0);
    },
  );
});

/** etcd, which an API server needs, which two controllers need. Its ports are the node's. */
function planeWith(namespace: string, port: number, of?: string): PodPlane {
  const parts: readonly Part[] = [
    { name: 'etcd-main', role: 'main', port, service: 'etcd-main-client' },
    {
      name: 'kube-apiserver',
      role: 'apiserver',
      port: port + 1,
      needs: port,
      readyAfter: 2,
      service: 'kube-apiserver',
    },
    { name: kcm, role: 'controller-manager', needs: port + 1, readyAfter: 1 },
    { name: 'kube-scheduler', role: 'scheduler', needs: port + 1, readyAfter: 1 },
  ];
  return new PodPlane(node, namespace, parts, of);
}

/** Its API server has been started three times anew or more, and does not run. */
async function fell({ namespace }: PodPlane): Promise<boolean> {
  const { core } = node.server.operator;
  const { items } = await core.listNamespacedPod({ namespace, labelSelector: 'role=apiserver' });
  return items.some(({ status }) => {
    const [container] = status?.containerStatuses ?? [];
    return container !== undefined && container.restartCount >= 3 && container.state?.running === undefined;
  });
}

/** How many pods of a control plane the weeder has deleted. */
async function weededIn({ namespace }: PodPlane): Promise<number> {
  const series = Object.entries(await garden.series(await garden.pod('weeder')));
  const own = series.filter(([name]) => name.startsWith(`dwd_pods_weeded_total{namespace="${namespace}"`));
  return own.reduce((sum, [, count]) => sum + count, 0);
}

/** As Gardener's webhook adds it to each pod whose account mounts no token by itself. */
const token: V1Volume = {
  name: 'kube-api-access-gardener',
  projected: {
    defaultMode: 420,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 43_200 } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
};

/** What gardenlet deploys of a role, but for the autoscaler's object. `config`: the text of another configuration. */
function asGardenletDeploys(role: RoleName, image: string, config?: string): readonly KubernetesObject[] {
  const objects = structuredClone(renderingOf(newest)[role]) as readonly KubernetesObject[];
  for (const object of objects) {
    if (object.kind === 'ConfigMap' && config !== undefined)
      (object as V1ConfigMap).data = { 'dep-config.yaml': config };
    if (object.kind !== 'Deployment') continue;
    const spec = (object as V1Deployment).spec!.template.spec!;
    const [container] = spec.containers;
    container!.image = image;
    container!.volumeMounts!.push({
      name: token.name,
      mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
      readOnly: true,
    });
    spec.volumes!.push(token);
  }
  const className = 'gardener-system-800';
  const priority = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: className },
    value: 999_998_800,
  };
  return [priority, ...objects.filter(({ kind }) => kind !== 'VerticalPodAutoscaler')];
}
