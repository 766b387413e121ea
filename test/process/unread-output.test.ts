import { expect, test, type TestContext } from 'vitest';
import { seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { freePort } from '@dwd/lab/real/processes.ts';
import { StandingPipe } from '@dwd/testing/standing-pipe.ts';

/** Its end, for a process. */
function fullPipe({ dir }: SeedStage, name: string, context: Pick<TestContext, 'onTestFinished'>): number {
  const pipe = new StandingPipe(dir, name, context);
  pipe.fill();
  return pipe.end;
}

test.concurrent('11.1 1.4 nobody reads its outputs: 40 shoots that are cut off at once are protected, its health is told, and SIGTERM ends it in time with code 0', async (context) => {
  const stage = await seedStage(context, { shoots: 40, nodes: 3 });
  const stdout = fullPipe(stage, 'out', context);
  const stderr = fullPipe(stage, 'err', context);
  const port = await freePort();
  const program = stage.proberWith({ stdout, stderr }, 'prober', `--health-bind-addr=127.0.0.1:${port}`);
  await stage.until(() => stage.seed.shoots.every(({ api }) => api.requests.count > 0), 'every shoot is probed');
  for (const shoot of stage.seed.shoots) stage.cutOff(shoot);
  await stage.until(
    () => stage.seed.shoots.every((shoot) => Object.values(stage.replicas(shoot)).every((count) => count === 0)),
    'all is at 0',
  );
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  const told = Date.now();
  program.kill('SIGTERM');
  expect(await program.end()).toMatchObject({ code: 0, signal: null });
  expect(Date.now() - told).toBeLessThan(5_000);
});

/** A fault that nothing in the program catches. */
const bugOnSignal = `data:text/javascript,${encodeURIComponent("process.on('SIGWINCH', () => { throw new Error('a bug'); });")}`;

test.concurrent('1.4 9.4 a bug that nobody catches ends it with code 1, and its last line is written', async (context) => {
  const stage = await seedStage(context);
  const program = stage.proberWith({ env: { NODE_OPTIONS: `--import=${bugOnSignal}` } }, 'prober');
  await program.line('state changed', { to: 'probing' });
  program.kill('SIGWINCH');
  expect(await program.end()).toMatchObject({ code: 1, stderr: '' });
  await program.line(/^the prober ends by a bug: a bug$/);
});

/** The same, as soon as a write is on the wire: before anybody was told of the turn that commands it. */
const bugOnWrite = `data:text/javascript,${encodeURIComponent(`
  import { subscribe } from 'node:diagnostics_channel';
  subscribe('undici:client:sendHeaders', ({ request }) => {
    if (request.method === 'PATCH') throw new Error('a bug');
  });
`)}`;

test.concurrent('1.4 9.1 what was not told yet is told before a bug ends it', async (context) => {
  const stage = await seedStage(context);
  const program = stage.proberWith({ env: { NODE_OPTIONS: `--import=${bugOnWrite}` } }, 'prober');
  await program.line('state changed', { to: 'probing' });
  stage.cutOff(stage.shoot);
  expect(await program.end()).toMatchObject({ code: 1 });
  const told = program.lines.findIndex(({ to }) => to === 'scalingDown');
  const ends = program.lines.findIndex(({ line }) => line === 'the prober ends by a bug');
  expect([told, ends]).not.toContain(-1);
  expect(told).toBeLessThan(ends);
});

test.concurrent('1.4 11.1 so it does where nobody reads its outputs', async (context) => {
  const stage = await seedStage(context);
  const stdout = fullPipe(stage, 'out', context);
  const stderr = fullPipe(stage, 'err', context);
  const env = { NODE_OPTIONS: `--import=${bugOnSignal}` };
  const program = stage.proberWith({ env, stdout, stderr }, 'prober');
  await stage.until(() => stage.shoot.api.requests.count > 0, 'the shoot is probed');
  program.kill('SIGWINCH');
  expect(await program.end()).toMatchObject({ code: 1, signal: null });
});
