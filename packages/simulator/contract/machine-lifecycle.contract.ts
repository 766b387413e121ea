import { expect, test } from 'vitest';
import type { Millis } from 'dependency-watchdog/domain/time.ts';

/** `--machine-health-timeout`; short, since it passes for real before a real one. */
export const contractHealthTimeout: Millis = 30_000;
/** It judges a Machine again with each change of it, else once a minute. */
const looksEvery: Millis = 60_000;
/** To see a mark or a start, on a busy machine too. */
const slack: Millis = 10_000;
/** Of one test before a real one. */
const atMost: Millis = 5 * 60_000;

/** A shoot with a machine-controller-manager, whose node lifecycle is played: nodes are marked and healed by hand. */
export type MachineLifecycleStage = Readonly<{
  now(): number;
  pass(length: Millis): Promise<void>;
  /** Four nodes that are well; the first two are of one MachineDeployment. */
  nodes: readonly [string, string, string, string];
  /** Its kubelet falls silent, and the kube-controller-manager marks it. */
  mark(node: string): Promise<void>;
  /** Its kubelet is back, and says that it is well. */
  heal(node: string): Promise<void>;
  /** Of these nodes, those whose Machines are Failed, Terminating or gone. */
  leaving(): Promise<readonly string[]>;
  /** New machines reach the API server from now on. Before, they do not. */
  letJoin(): Promise<void>;
  /** Whether the new Machine of each that is gone has joined. */
  isWhole(): Promise<boolean>;
  /** The machine-controller-manager ends, and starts again. */
  end(): Promise<void>;
  start(): Promise<void>;
}>;

/** What the simulated machine-controller-manager has of the real one: what a meltdown costs. */
export function machineLifecycleContract(open: () => Promise<MachineLifecycleStage>): void {
  test(
    'a node that is marked for the health time-out loses its Machine, one of a MachineDeployment at a time; one that is well before keeps it',
    async () => {
      const stage = await open();
      const [one, other, healed, lively] = stage.nodes;
      const markedAt = stage.now();
      for (const node of [one, other, healed]) await stage.mark(node);
      await stage.pass(contractHealthTimeout / 2);
      await stage.heal(healed);
      await until(stage, async () => (await stage.leaving()).length > 0, 2 * looksEvery);
      expect(stage.now() - markedAt).toBeGreaterThan(contractHealthTimeout - 2_000);
      expect(stage.now() - markedAt).toBeLessThan(contractHealthTimeout + looksEvery + slack);
      await stage.pass(20_000);
      const left = await stage.leaving();
      expect(left).toHaveLength(1);
      expect([one, other]).toContain(left[0]);
      expect(left).not.toContain(lively);
      for (const node of [one, other]) if (!left.includes(node)) await stage.heal(node);
      await stage.letJoin();
      await until(stage, () => stage.isWhole(), 3 * looksEvery);
      expect(await stage.leaving()).toEqual(left);
    },
    atMost,
  );

  test(
    'what it saw before it ended counts on when it is back, and a node that is well by then keeps its Machine',
    async () => {
      const stage = await open();
      const [, , silent, healed] = stage.nodes;
      await stage.mark(silent);
      await stage.mark(healed);
      await stage.pass(10_000);
      await stage.end();
      await stage.pass(contractHealthTimeout);
      expect(await stage.leaving()).toEqual([]);
      await stage.heal(healed);
      await stage.pass(10_000);
      await stage.start();
      const startedAt = stage.now();
      await until(stage, async () => (await stage.leaving()).length > 0, 2 * looksEvery);
      // Counted anew, it would take as long at least.
      expect(stage.now() - startedAt).toBeLessThan(contractHealthTimeout);
      await stage.pass(5_000);
      expect(await stage.leaving()).toEqual([silent]);
    },
    atMost,
  );
}

/** Passes time until it is so, for so long at most. */
async function until(stage: MachineLifecycleStage, isSo: () => Promise<boolean>, atMost: Millis): Promise<void> {
  const begin = stage.now();
  while (!(await isSo()) && stage.now() - begin < atMost) await stage.pass(1_000);
}
