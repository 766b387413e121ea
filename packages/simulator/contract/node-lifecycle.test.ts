import { afterAll, describe } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { memoryAuthority } from '../memory/memory-network.ts';
import { MemoryApiServer } from '../memory/memory-api-server.ts';
import { ControllerManager } from '../shoot/controller-manager.ts';
import { readinessOf, leaseObject, nodeObject } from '../shoot/shoot-objects.ts';
import { Agenda } from '../store/agenda.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { microTime } from '../store/kube-object.ts';
import { editObject } from '../store/object-edits.ts';
import { createObject } from '../store/object-writes.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { contractGrace, nodeLifecycleContract } from './node-lifecycle.contract.ts';

// The same is run before a real kube-controller-manager in packages/lab/test/apiserver.
const clock = new VirtualClock(Date.parse('2026-06-01T12:00:00Z'));
const agenda = new Agenda(clock);
const certificates = { ca: memoryAuthority, certificate: '', key: '' };
const { storage } = new MemoryApiServer(
  { agenda, chance: seededChance(3), certificates, kinds: Object.values(kinds) },
  'https://10.0.0.1:6443',
);
let isRunning = true;
const manager = new ControllerManager({ shoot: storage, agenda, grace: contractGrace, isRunning: () => isRunning });
afterAll(() => manager.stop());

const pass = (length: number): Promise<void> => clock.advanceTo(clock.now() + length);

describe('node lifecycle, embedded', () => {
  nodeLifecycleContract(async () => ({
    now: () => clock.now(),
    async join(node) {
      createObject(storage, kinds.node, nodeObject(node, clock.now()));
      createObject(storage, kinds.lease, leaseObject(node, clock.now()));
    },
    renew: async (node, ahead = 0) =>
      editObject(storage, kinds.lease, `kube-node-lease/${node}`, {
        spec: { renewTime: microTime(clock.now() + ahead) },
      }),
    readiness: async (node) => readinessOf(storage, node),
    pass,
    async restart() {
      isRunning = false;
      await pass(6_000);
      isRunning = true;
    },
    // As the simulated seed has it.
    async serverAway(length) {
      isRunning = false;
      await pass(length);
      isRunning = true;
    },
  }));
});
