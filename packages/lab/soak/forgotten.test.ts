import { expect, test } from 'vitest';
import { collectGarbage } from '@dwd/testing/collect-garbage.ts';
import { planOf } from './crash-points/flows.ts';
import { live } from './life.ts';
import type { SimulatedProcess } from './simulated-process.ts';

test('a life that is over leaves nothing behind, not even of processes that crashed with requests under way', async () => {
  const processes: WeakRef<SimulatedProcess>[] = [];
  for (let life = 0; life < 3; life += 1) {
    await live(planOf('a leader with a standby', 'prober'), {
      laws: [],
      async conduct(scene, passTo) {
        for (const at of [20_000, 45_000]) {
          await passTo(at);
          processes.push(...scene.processes().map((one) => new WeakRef(one)));
          for (const slot of scene.slots) scene.crash(slot);
        }
      },
    });
  }
  expect(processes.length).toBeGreaterThan(8);
  const kept = () => processes.filter((one) => one.deref() !== undefined).length;
  // What the host still has under way for one of them, such as a compression, ends within some turns of its loop. A leak does not.
  for (let rounds = 0; rounds < 20 && kept() >= 3; rounds += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
  }
  expect(kept()).toBeLessThan(3);
});
