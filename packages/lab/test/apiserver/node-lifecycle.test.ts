import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe } from 'vitest';
import { RealApiServer } from '../../real/api-server.ts';
import { startEtcd } from '../../real/etcd.ts';
import { joinNode } from '../../real/played-kubelets.ts';
import { endAll } from '../../real/processes.ts';
import { ShootControllerManager } from '../../meltdown/shoot-controller-manager.ts';
import { microTime } from '@dwd/simulator/store/kube-object.ts';
import { contractGrace, nodeLifecycleContract } from '@dwd/simulator/contract/node-lifecycle.contract.ts';
import { realTier } from './real-tier.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

describe('node lifecycle, real', () => {
  let server: RealApiServer;
  let manager: ShootControllerManager;

  beforeAll(async () => {
    const { bin, directory: tier } = realTier();
    const directory = path.join(tier, 'node-lifecycle');
    mkdirSync(directory);
    server = await RealApiServer.start({ bin, directory, etcd: await startEtcd(bin, directory) }, 'lifecycle');
    const managed = { bin, directory, graceMillis: contractGrace, elects: true };
    manager = new ShootControllerManager(managed, 'lifecycle-manager', server);
    // It says that it looks only where there is a node.
    await joinNode(server, 'first');
    await manager.start();
  });
  afterAll(endAll);

  nodeLifecycleContract(async () => ({
    now: () => Date.now(),
    join: (name) => joinNode(server, name),
    renew: async (name, ahead = 0) =>
      void (await server.call('PATCH', `${leases}/${name}`, { spec: { renewTime: microTime(Date.now() + ahead) } })),
    async readiness(name) {
      const { body } = await server.call('GET', `/api/v1/nodes/${name}`);
      const { status } = body as { status: { conditions: readonly Readonly<{ type: string; status: string }>[] } };
      return status.conditions.find(({ type }) => type === 'Ready')?.status;
    },
    pass: (length) => pause(length),
    async restart() {
      await manager.end();
      await manager.start();
    },
    async serverAway(length) {
      await server.die();
      await pause(length);
      await server.rise();
    },
  }));
});
