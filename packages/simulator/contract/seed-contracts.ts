import { afterAll, describe } from 'vitest';
import { apiClusterStage, apiMachineStage, apiScalerStage, apiSeedEventsStage, apiWeederStage } from './api-stages.ts';
import { clusterApiContract } from './cluster-api.contract.ts';
import { ContractStage, type ContractSeed } from './contract-stage.ts';
import { clientNodeContract, kubectlContract } from './foreign-clients.contract.ts';
import { historyContract } from './history.contract.ts';
import { kubeErrorsContract } from './kube-errors.contract.ts';
import { kubeEventsContract } from './kube-events.contract.ts';
import { leaseContract } from './lease.contract.ts';
import { machineApiContract } from './machine-api.contract.ts';
import { scaleContract } from './scale.contract.ts';
import { scalerContract, seedScalerContract } from './scaler.contract.ts';
import { seedEventsContract } from './seed-events.contract.ts';
import { seedWatchContract } from './seed-watch.contract.ts';
import { throttlingContract } from './throttling.contract.ts';
import { weederSeedContract } from './weeder-seed.contract.ts';

/** Where the contracts are run. Nothing is started before a test needs it. */
export type SeedsUnderContract = Readonly<{
  name: string;
  seed: () => Promise<ContractSeed>;
  /** One that keeps no more history than etcd does: before the other may stand a cache that remembers longer. */
  forgetful: () => Promise<ContractSeed>;
  /** Whether clients that are not ours reach it too; yes unless given. */
  onWire?: boolean;
}>;

/** All that our adapters of a seed rely on, by contract. */
export function seedContracts({ name, seed, forgetful, onWire = true }: SeedsUnderContract): void {
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
  const scalerStage = async () => apiScalerStage(await open());

  /** The table of contracts counts by these names. */
  const contract = (of: string, suite: () => void): void => {
    describe(`${of}, ${name}`, () => {
      suite();
    });
  };

  contract('refusals', () => kubeErrorsContract(open));
  contract('scale subresource', () => scaleContract(open));
  contract('scaler', () => {
    scalerContract(scalerStage);
    seedScalerContract(scalerStage);
  });
  contract('Machine API', () => machineApiContract(async () => apiMachineStage(await open())));
  contract('Cluster API', () => clusterApiContract(async () => apiClusterStage(await open())));
  contract('seed events', () => seedEventsContract(async () => apiSeedEventsStage(await open())));
  contract('seed watch', () => seedWatchContract(open));
  contract('history', () => historyContract(opener(forgetful)));
  contract('weeder on the seed', () => weederSeedContract(async () => apiWeederStage(await open(), 'slices')));
  contract('weeder on the seed by Endpoints', () =>
    weederSeedContract(async () => apiWeederStage(await open(), 'endpoints')),
  );
  contract('leader election', () => leaseContract(open));
  contract('Kubernetes events', () => kubeEventsContract(open));
  if (onWire) {
    contract('client-node', () => clientNodeContract(open));
    contract('kubectl', () => kubectlContract(open));
  }
  contract('429', () => throttlingContract(open));
}
