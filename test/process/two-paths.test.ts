import { expect, test } from 'vitest';
import type { ShootPath } from '../../src/domain/prober/shoot-path.ts';
import { originalReplicas, quickConfig, seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';

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

test('4.9, 6.3, S5 a load balancer that drops every packet: all go down, stay down across a restart, and come back with the path', async (context) => {
  const stage = await seedStage(context, { configText: olderConfig });
  const { shoot } = stage;
  const first = stage.prober('prober-1');
  await first.line('state changed', { to: 'probing' });
  await shoot.paths.break('external', { kind: 'hang' });
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
});
