import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { kubeShootApi } from 'dependency-watchdog/adapters/shoot/kube-shoot-api.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { issueCertificates } from '@dwd/simulator/api/certificates.ts';
import { leaseObject, nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { kubeconfigContract, type KubeconfigStage } from '@dwd/simulator/contract/shoot-api.contract.ts';
import { shootUser } from '@dwd/testing/gardener-rbac.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { RealApiServer } from '../../real/api-server.ts';
import { realShoot, realTier } from './real-tier.ts';

const shoot = realShoot();
const name = 'shoot--contract--a';
const nodes = ['contract-node-0', 'contract-node-1', 'contract-node-2'];
const places = ['/api/v1/nodes', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'] as const;

/** Nobody else is there, nor renews. */
const leave = async () => {
  for (const place of places) await shoot.call('DELETE', place);
};
afterAll(leave);

let entered: Promise<void> | undefined;
async function enter(): Promise<void> {
  await leave();
  for (const node of nodes) {
    const { metadata, spec } = leaseObject(node, systemClock.now());
    await shoot.call('POST', places[0], nodeObject(node, systemClock.now()));
    // Whoever has no owner is not taken along with it.
    await shoot.call('POST', places[1], { metadata: { ...(metadata as object), ownerReferences: [] }, spec });
  }
}

/** As the probe under Gardener's grants. */
async function open(): Promise<KubeconfigStage> {
  await (entered ??= enter());
  const kubeconfig = shoot.kubeconfig(shootUser);
  let secret = kubeconfig;
  return {
    api: kubeShootApi({
      kubeconfigOf: () => secret || undefined,
      config: gardenerConfig,
      clock: systemClock,
      onRequest: () => undefined,
    }),
    shoot: name,
    clock: systemClock,
    nodes,
    kubeconfig,
    setKubeconfig: (text = '') => void (secret = text),
    otherAuthority: (await issueCertificates('other')).ca,
  };
}

kubeconfigContract('real', open);

test('5.1 a kube-apiserver takes each of its TLS tickets, and none from before its restart', async () => {
  const server = await RealApiServer.start(realTier(), 'restarted-shoot');
  const api = kubeShootApi({
    kubeconfigOf: () => server.kubeconfig('admin'),
    config: gardenerConfig,
    clock: systemClock,
    onRequest: () => undefined,
  });
  const isNew = async (): Promise<unknown> => {
    const answer = await api.listLeases(name, systemClock.now() + 10_000, new AbortController().signal);
    // The connection is kept for what follows at once, and then leaves its ticket.
    await pause(20);
    return answer.ok ? answer.value.serverIsNew === true : answer.failure;
  };
  try {
    for (let probe = 0; probe < 11; probe++) expect(await isNew()).toBe(false);
    await server.die();
    await server.rise();
    expect([await isNew(), await isNew()]).toEqual([true, false]);
  } finally {
    await server.die();
    await server.close();
  }
});
