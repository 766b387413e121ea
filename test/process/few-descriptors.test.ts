import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seedStage } from '@dwd/testing/seed-stage.ts';

/** As many files and connections as are open now, and `more`, may be open from now on. */
function allowDescriptors(pid: number, more: number): void {
  const most = readdirSync(`/proc/${pid}/fd`).length + more;
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);
}

test('11.4 4.4 one descriptor is left: 40 shoots that are cut off at once are protected, one after the other', async (context) => {
  const stage = await seedStage(context, { shoots: 40, nodes: 3 });
  const program = stage.prober('prober', `--journal-dir=${stage.dir}/journal`);
  await stage.until(() => stage.seed.shoots.every(({ api }) => api.requests.count > 0), 'every shoot is probed');
  allowDescriptors(program.pid, 1);
  for (const shoot of stage.seed.shoots) stage.cutOff(shoot);
  await stage.until(
    () => stage.seed.shoots.every((shoot) => Object.values(stage.replicas(shoot)).every((count) => count === 0)),
    'all is at 0',
  );
  allowDescriptors(program.pid, 1_000);
  for (const shoot of stage.seed.shoots) stage.heal(shoot);
  await stage.until(
    () => stage.seed.shoots.every((shoot) => stage.replicas(shoot)['kube-controller-manager'] === 2),
    'all is back',
  );
  program.kill('SIGTERM');
  expect(await program.end()).toMatchObject({ code: 0, stderr: '' });
});
