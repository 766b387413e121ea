import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { markAnnotation as mark, replicasAnnotation as record } from '../../src/domain/prober/resource-view.ts';
import { runRelease } from '../../src/commands/release.ts';
import type { EmbeddedShoot } from '../../src/simulator/shoot/embedded-shoot.ts';
import { plainConfig, roleStage, type RoleStage } from '../support/role-stage.ts';

/** As a prober that was killed in an outage leaves it. */
function leaveDown({ dependants }: EmbeddedShoot): void {
  for (const name of dependants.names) {
    dependants.annotate(name, { [mark]: '', [record]: '2' });
    dependants.scale(name, 0);
  }
}

const replicas = ({ dependants }: EmbeddedShoot) => dependants.names.map((name) => dependants.get(name)!.desired);

async function release(stage: RoleStage) {
  const config = join(stage.dir, 'release.yaml');
  const kubeconfig = join(stage.dir, 'release.kubeconfig');
  writeFileSync(config, plainConfig);
  writeFileSync(kubeconfig, stage.seed.addUser('prober:operator'));
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const code = await runRelease([`--config-file=${config}`, `--kubeconfig=${kubeconfig}`], {
    out: say,
    err: say,
    env: {},
  });
  return { code, said: said.join('\n') };
}

test.each([
  ['Create', 'Processing'],
  ['Restore', 'Error'],
  ['Reconcile', 'Failed'],
])('1.1 3.2 a shoot whose last operation is %s, %s is given back: nothing excludes it', async (type, state) => {
  await using stage = await roleStage();
  const [shoot] = stage.seed.shoots;
  leaveDown(shoot!);
  shoot!.lastOperation(type, state);
  expect(await release(stage)).toMatchObject({ code: 0 });
  expect(replicas(shoot!)).toEqual([2, 2]);
});

test('1.1 3.1 a shoot that migrates is left alone', async () => {
  await using stage = await roleStage();
  const [shoot] = stage.seed.shoots;
  leaveDown(shoot!);
  shoot!.migrate();
  const { code, said } = await release(stage);
  expect(code).toBe(0);
  expect(said).toContain('left alone, the shoot migrates');
  expect(replicas(shoot!)).toEqual([0, 0]);
});
