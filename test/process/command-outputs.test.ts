import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { Program } from '@dwd/testing/program.ts';
import { StandingPipe } from '@dwd/testing/standing-pipe.ts';
import { leads, seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { mark, record } from '@dwd/testing/stage.ts';

function fullDisk({ onTestFinished }: TestContext): number {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  return full;
}

function onSeed(stage: SeedStage): readonly string[] {
  return [`--config-file=${stage.configFile}`, `--kubeconfig=${stage.kubeconfigOf('operator')}`];
}

test.concurrent('11.2 `release` on a full disk gives everything back, says what it could not write, and ends with code 3', async (context) => {
  const stage = await seedStage(context);
  const { dependants } = stage.shoot;
  for (const name of dependants.names) {
    dependants.annotate(name, { [mark]: '', [record]: '2' });
    dependants.scale(name, 0);
  }
  const program = new Program(context, ['release', ...onSeed(stage)], { stdout: fullDisk(context) });
  expect(await program.end()).toMatchObject({
    code: 3,
    stderr: 'dependency-watchdog release: the standard output could not be written: no space left on the device\n',
  });
  expect(new Set(Object.values(stage.replicas()))).toEqual(new Set([2]));
});

test.concurrent('11.2 a command that fails on a full disk keeps its own code, also where its errors cannot be written', async (context) => {
  const full = fullDisk(context);
  const args = ['validate', '--config-file=/nowhere'];
  expect(await new Program(context, args, { stdout: full, stderr: full }).end()).toMatchObject({ code: 1 });
  expect(await new Program(context, ['validate', '--example=prober'], { stdout: full }).end()).toMatchObject({
    code: 3,
  });
});

test.concurrent('11.2 `status --watch` ends when its reader is gone, and asks the seed no more', async (context) => {
  const stage = await seedStage(context);
  leads(stage);
  const pipe = new StandingPipe(stage.dir, 'pipe', context);
  const program = new Program(context, ['status', '--watch', ...onSeed(stage)], { stdout: pipe.end });
  await context.expect.poll(() => pipe.read(), { timeout: 60_000 }).toContain('shoot--demo--01');
  pipe.close();
  expect(await program.end()).toMatchObject({ code: 0, stderr: '' });
});

test.concurrent('11.2 `simulate` ends when its reader is gone', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'dwd-simulate-'));
  context.onTestFinished(() => rmSync(dir, { recursive: true }));
  const pipe = new StandingPipe(dir, 'pipe', context);
  const program = new Program(context, ['simulate', '--keep', '--shoots=1', '--nodes=2'], { stdout: pipe.end });
  await context.expect.poll(() => pipe.read(), { timeout: 60_000 }).toContain('kubeconfig');
  pipe.close();
  expect(await program.end()).toMatchObject({ code: 0, signal: null });
});

test.concurrent('11.3 SIGUSR1 opens no debugger', async (context) => {
  const stage = await seedStage(context);
  const program = stage.prober('prober');
  const { ports } = (await program.line('the prober starts')) as unknown as { ports: { health: number } };
  program.kill('SIGUSR1');
  // Node would say on standard error that it listens. It is served once more, so the signal has arrived.
  expect((await fetch(`http://127.0.0.1:${ports.health}/healthz`)).status).toBe(200);
  program.kill('SIGTERM');
  expect(await program.end()).toMatchObject({ code: 0, stderr: '' });
});
