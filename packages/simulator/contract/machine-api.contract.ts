import { expect, test } from 'vitest';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { MachineApi } from 'dependency-watchdog/effects/ports.ts';

export type MachineApiStage = Readonly<{
  machines: MachineApi;
  /** A shoot without Machines, which nobody else has. */
  shoot: ShootNamespace;
  /** Of the clock that the port lives by. */
  now: () => number;
  /** `node` is undefined where a Machine has none yet; `phase` is empty where none is reported. */
  addMachines(
    machines: readonly Readonly<{ name: string; node: string | undefined; phase: string }>[],
  ): Promise<unknown>;
}>;

const present = new AbortController().signal;

/** What every MachineApi must do, whatever is behind it. `stage` sets a fresh scene for each test. */
export function machineApiContract(stage: () => Promise<MachineApiStage>): void {
  test('5.2 the Machines of the namespace, all of them, by node and phase', async () => {
    const { machines, addMachines, shoot, now } = await stage();
    const list = async (): Promise<unknown> => machines.listMachines(shoot, now() + 30_000, present, { urgent: true });
    expect(await list()).toEqual({ ok: true, value: [] });
    const them = Array.from({ length: 510 }, (_, index) => {
      const name = `m-${String(index).padStart(4, '0')}`;
      return { name, node: index === 0 ? undefined : `node-${name}`, phase: index === 1 ? 'Failed' : '' };
    });
    await addMachines(them);
    const expected = them.slice(1).map(({ node, phase }) => ({ node, phase }));
    expect(await list()).toEqual({ ok: true, value: expected });
  });

  test('5.2 a deadline that is over is a time-out, not a wait', async () => {
    const { machines, shoot, now } = await stage();
    expect(await machines.listMachines(shoot, now() - 1, present, { urgent: true })).toMatchObject({
      ok: false,
      failure: { stage: 'machines', reason: 'timeout' },
    });
  });
}
