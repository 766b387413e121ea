import { expect, test } from 'vitest';
import type { ShootPath } from '../../src/domain/prober/shoot-path.ts';
import { originalReplicas, quickConfig, seedStage, type SeedStage } from './seed-stage.ts';
import { metricsOf } from './served.ts';

const newerName = 'kubeConfigSecretName: shoot-access-dependency-watchdog-probe';

/** The older generation's, with the same dependants and times that fit into a test. */
const olderConfig = quickConfig.replace(
  newerName,
  `internalKubeConfigSecretName: dwd-internal
externalKubeConfigSecretName: dwd-external
internalProbeFailureBackOffDuration: 2s
probeTimeout: 2s`,
);

const nothing = Object.fromEntries(Object.keys(originalReplicas).map((name) => [name, 0]));

/** Connections that came to the load balancer of a path so far. */
function asked({ shoot }: SeedStage, path: ShootPath): number {
  return shoot.paths[path].connectionCount;
}

test.for([{ kind: 'refuse' }, { kind: 'cut' }, { kind: 'hang' }, { kind: 'reset' }] as const)(
  '4.9, 6.3, S5 a load balancer that does $kind: all go down, stay down across a restart, and come back with the path',
  async (fault, context) => {
    const stage = await seedStage(context, { configText: olderConfig });
    const { shoot } = stage;
    const first = stage.prober('prober-1');
    await first.line('state changed', { to: 'probing' });
    await shoot.paths.break('external', fault);
    await first.line('state changed', { from: 'probing', to: 'leaseFailed' });
    await first.line('state changed', { from: 'leaseFailed', to: 'scalingDown' });
    await first.line('state changed', { to: 'scaledDown' });
    expect(stage.replicas()).toEqual(nothing);
    first.kill('SIGKILL');
    await first.end();

    // Both tokens are new, and the path is still broken.
    shoot.rotateSecret();
    const second = stage.prober('prober-2');
    await second.line('state changed', { to: 'scaledDown' });
    const probes = asked(stage, 'internal');
    await stage.until(() => asked(stage, 'internal') > probes + 2, 'two more probes');
    expect(stage.replicas()).toEqual(nothing);
    expect(stage.writes('prober-2')).toEqual([]);
    shoot.rotateSecret('external');
    await shoot.paths.heal('external');
    await second.line('state changed', { from: 'scalingUp', to: 'probing' });
    expect([stage.replicas(), stage.annotations()]).toEqual([originalReplicas, []]);
  },
);

test('4.9 while the internal path fails nothing is scaled and the external one is not asked, whatever happens to it', async (context) => {
  const stage = await seedStage(context, { configText: olderConfig });
  const { shoot } = stage;
  const program = stage.prober('prober');
  await program.line('state changed', { to: 'probing' });
  await shoot.paths.break('internal', { kind: 'refuse' });
  const failures = `dwd_probe_failures_total{shoot="${shoot.name}",probe="internal",reason="unreachable"}`;
  await expect.poll(async () => (await metricsOf(program))[failures], { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
  // The question that was side by side with the first failure is over.
  const before = asked(stage, 'external');
  // A connection that is cut was counted before.
  await shoot.paths.break('external', { kind: 'cut' });
  await expect.poll(async () => (await metricsOf(program))[failures], { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
  expect([asked(stage, 'external'), stage.writes(), stage.replicas()]).toEqual([before, [], originalReplicas]);
  expect(Object.keys(await metricsOf(program)).filter((name) => name.includes('probe="external"'))).toEqual([]);

  await shoot.paths.heal('internal');
  await program.line('state changed', { to: 'scaledDown' });
  expect(stage.replicas()).toEqual(nothing);
  await shoot.paths.heal('external');
  await program.line('state changed', { from: 'scalingUp', to: 'probing' });
  expect([stage.replicas(), stage.annotations()]).toEqual([originalReplicas, []]);
});

test('4.1, 4.9 without the external Secret nothing is known of its path, and nothing is scaled', async (context) => {
  const stage = await seedStage(context, { configText: olderConfig });
  stage.shoot.removeSecret('external');
  const program = stage.prober('prober');
  const failures = `dwd_probe_failures_total{shoot="${stage.shoot.name}",probe="external",reason="kubeconfig"}`;
  await expect.poll(async () => (await metricsOf(program))[failures], { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
  expect([asked(stage, 'external'), stage.writes()]).toEqual([0, []]);
  await stage.shoot.paths.break('external', { kind: 'refuse' });
  stage.shoot.rotateSecret('external');
  await program.line('state changed', { to: 'scaledDown' });
});
