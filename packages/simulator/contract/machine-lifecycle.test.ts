import { describe, onTestFinished } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { MemoryNetwork } from '../memory/memory-network.ts';
import { markReady } from '../shoot/shoot-objects.ts';
import { startSeed } from '../embedded-seed.ts';
import { config } from '../test/embedded-stage.ts';
import { MachineControllers } from '@dwd/lab/soak/machine-controllers.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { contractHealthTimeout, machineLifecycleContract } from './machine-lifecycle.contract.ts';

const name = 'machine-controller-manager';

// The same is run before a real machine-controller-manager in packages/lab/test/apiserver.
describe('machine lifecycle, embedded', () => {
  machineLifecycleContract(async () => {
    const clock = new VirtualClock(Date.parse('2026-06-01T12:00:00Z'));
    const network = new MemoryNetwork();
    const seed = await startSeed(
      { clock, chance: seededChance(4), config, shoots: 1, nodes: 4 },
      {
        server: (options) => network.server(options),
        certificates: () => network.certificates(),
        balancer: (target) => network.balancer(target),
      },
    );
    onTestFinished(() => seed.stop());
    const shoot = seed.shoots[0]!;
    const nodes = [...shoot.nodes] as [string, string, string, string];
    const machines = new MachineControllers(
      { seed, now: () => clock.now(), observe: () => undefined },
      contractHealthTimeout,
    );
    const leaving = () => nodes.filter((node) => !shoot.nodes.includes(node));
    return {
      now: () => clock.now(),
      async pass(length) {
        const end = clock.now() + length;
        while (clock.now() < end) {
          await clock.advanceTo(Math.min(end, clock.now() + 1_000));
          machines.look();
        }
      },
      nodes,
      async mark(node) {
        shoot.cutOff([node]);
        markReady(shoot.api.storage, node, 'Unknown', 'NodeStatusUnknown', clock.now());
      },
      heal: async (node) => shoot.heal([node]),
      leaving: async () => leaving(),
      letJoin: async () => machines.calm(),
      isWhole: async () => shoot.nodes.length === 4,
      end: async () => shoot.dependants.scale(name, 0),
      start: async () => shoot.dependants.scale(name, 1),
    };
  });
});
