import { afterAll, describe } from 'vitest';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import { kubeClusterApi } from '../../src/adapters/seed/cluster-api.ts';
import { kubeMachineApi } from '../../src/adapters/seed/machine-api.ts';
import { kubeScaler } from '../../src/adapters/seed/scaler.ts';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import { podRemover } from '../../src/adapters/weeder-seed/pod-remover.ts';
import { podWatch } from '../../src/adapters/weeder-seed/pod-watch.ts';
import { serviceWatch } from '../../src/adapters/weeder-seed/service-watch.ts';
import { clusterApiContract } from './cluster-api.contract.ts';
import { ContractStage, type ContractSeed } from './contract-stage.ts';
import { gadget } from './gadgets.ts';
import { historyContract } from './history.contract.ts';
import { kubeErrorsContract } from './kube-errors.contract.ts';
import { kubeEventsContract } from './kube-events.contract.ts';
import { leaseContract } from './lease.contract.ts';
import { machineApiContract } from './machine-api.contract.ts';
import { scaleContract } from './scale.contract.ts';
import { scalerContract } from './scaler.contract.ts';
import { seedWatchContract } from './seed-watch.contract.ts';
import { throttlingContract } from './throttling.contract.ts';
import { weederSeedContract } from './weeder-seed.contract.ts';

/** Where the contracts are run. Nothing is started before a test needs it. */
export type SeedsUnderContract = Readonly<{
  name: string;
  seed: () => Promise<ContractSeed>;
  /** One that keeps no more history than etcd does: before the other may stand a cache that remembers longer. */
  forgetful: () => Promise<ContractSeed>;
}>;

/** All that our adapters of a seed rely on, by contract. */
export function seedContracts({ name, seed, forgetful }: SeedsUnderContract): void {
  const stages: Promise<ContractStage>[] = [];
  afterAll(async () => {
    for (const stage of stages) await (await stage).close();
  });
  const opener = (start: () => Promise<ContractSeed>) => {
    let stage: Promise<ContractStage> | undefined;
    return () => {
      stage ??= start().then((one) => new ContractStage(one));
      stages.push(stage);
      return stage;
    };
  };
  const open = opener(seed);
  /** A namespace of its own for each test of a port. */
  const placed = async () => {
    const stage = await open();
    return { admin: stage.admin, namespace: await stage.namespace() };
  };

  /** The table of contracts counts by these names. */
  const contract = (of: string, suite: () => void): void => {
    describe(`${of}, ${name}`, () => {
      suite();
    });
  };

  contract('refusals', () => kubeErrorsContract(open));
  contract('scale subresource', () => scaleContract(open));
  contract('scaler', () =>
    scalerContract(async () => {
      const { admin, namespace: shoot } = await placed();
      const sized = { apiVersion: `${gadget.group}/${gadget.version}`, kind: gadget.kind, plural: gadget.plural };
      const unscalable = { apiVersion: 'machine.sapcloud.io/v1alpha1', kind: 'Machine', plural: 'machines' };
      return { scaler: kubeScaler({ client: admin, clock: systemClock }), admin, shoot, sized, unscalable };
    }),
  );
  contract('Machine API', () =>
    machineApiContract(async () => {
      const { admin, namespace: shoot } = await placed();
      return { machines: kubeMachineApi(admin, systemClock), admin, shoot, now: () => systemClock.now() };
    }),
  );
  contract('Cluster API', () =>
    clusterApiContract(async () => {
      const { admin, namespace: shoot } = await placed();
      return { clusters: kubeClusterApi(admin, systemClock), admin, shoot, now: () => systemClock.now() };
    }),
  );
  contract('seed watch', () => seedWatchContract(open));
  contract('history', () => historyContract(opener(forgetful)));
  contract('weeder on the seed', () =>
    weederSeedContract(async () => {
      const { admin, namespace } = await placed();
      const ports = { client: admin, clock: systemClock, chance: seededChance(2) };
      const services = ['contract-etcd', 'contract-apiserver'].map((of) => ({ name: of, podSelectors: ['role'] }));
      return {
        services: serviceWatch({ ...ports, config: { services } }),
        pods: podWatch(ports),
        remover: podRemover(admin),
        admin,
        namespace,
      };
    }),
  );
  contract('leader election', () => leaseContract(open));
  contract('Kubernetes events', () => kubeEventsContract(open));
  contract('429', () => throttlingContract(open));
}
