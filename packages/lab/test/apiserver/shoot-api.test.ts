import { afterAll } from 'vitest';
import { kubeShootApi } from 'dependency-watchdog/adapters/shoot/kube-shoot-api.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { issueCertificates } from '@dwd/simulator/api/certificates.ts';
import { leaseObject, nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { kubeconfigContract, type KubeconfigStage } from '@dwd/simulator/contract/shoot-api.contract.ts';
import { shootUser } from '@dwd/testing/gardener-rbac.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { realShoot } from './real-tier.ts';

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
