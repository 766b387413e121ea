import { expect, test } from 'vitest';
import type { KubeClient } from '../../src/adapters/kube/kube-client.ts';
import type { ShootNamespace } from '../../src/domain/shoot-namespace.ts';
import type { MachineApi } from '../../src/effects/ports.ts';

export type MachineApiStage = Readonly<{
  machines: MachineApi;
  /** Of an administrator, to set the scene. */
  admin: KubeClient;
  /** An empty namespace of its own, in which nobody else lives. */
  shoot: ShootNamespace;
  /** Of the clock that the port lives by. */
  now: () => number;
}>;

const present = new AbortController().signal;

/** What every MachineApi must do, whatever API server is behind it. `stage` sets a fresh scene for each test. */
export function machineApiContract(stage: () => Promise<MachineApiStage>): void {
  test('5.2 the Machines of the namespace, all of them, by node and phase', async () => {
    const { machines, admin, shoot, now } = await stage();
    const path = `/apis/machine.sapcloud.io/v1alpha1/namespaces/${shoot}/machines`;
    const list = async (): Promise<unknown> => machines.listMachines(shoot, now() + 30_000, present);
    expect(await list()).toEqual({ ok: true, value: [] });
    const count = 510;
    const names = Array.from({ length: count }, (_, index) => `m-${String(index).padStart(4, '0')}`);
    await Promise.all(
      names.map((name, index) =>
        admin.request({
          method: 'POST',
          path,
          body: {
            apiVersion: 'machine.sapcloud.io/v1alpha1',
            kind: 'Machine',
            metadata: { name, labels: index === 0 ? {} : { node: `node-${name}` } },
          },
        }),
      ),
    );
    await admin.request({
      method: 'PATCH',
      path: `${path}/m-0001/status`,
      body: { status: { currentStatus: { phase: 'Failed' } } },
      contentType: 'application/merge-patch+json',
    });
    const expected = names.slice(1).map((name) => ({ node: `node-${name}`, phase: name === 'm-0001' ? 'Failed' : '' }));
    expect(await list()).toEqual({ ok: true, value: expected });
  });

  test('5.2 a deadline that is over is a time-out, not a wait', async () => {
    const { machines, shoot, now } = await stage();
    expect(await machines.listMachines(shoot, now() - 1, present)).toMatchObject({
      ok: false,
      failure: { stage: 'machines', reason: 'timeout' },
    });
  });
}
