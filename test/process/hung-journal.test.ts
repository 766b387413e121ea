import { execFileSync } from 'node:child_process';
import { constants, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { seedStage } from '@dwd/testing/seed-stage.ts';
import { fetchFrom } from './served.ts';

/** At SIGWINCH every thread that writes files waits, as on a disk that hangs: who opens a pipe for reading waits for its writer. At SIGURG comes a bug. */
const hanging = `
import { open } from 'node:fs';
process.on('SIGWINCH', () => {
  for (let thread = 0; thread < 128; thread++) open(process.env.PIPE, 'r', () => undefined);
});
process.on('SIGURG', () => {
  throw new Error('a bug');
});`;

async function hungProber(context: TestContext) {
  const stage = await seedStage(context);
  const [dir, pipe] = [join(stage.dir, 'journal'), join(stage.dir, 'pipe')];
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hanging)}`, PIPE: pipe };
  const program = stage.proberWith({ env }, 'prober', `--journal-dir=${dir}`);
  await program.line('state changed', { to: 'probing' });
  const numbers = () =>
    readdirSync(dir)
      .flatMap((name) => readFileSync(join(dir, name), 'utf8').split('\n'))
      .filter((line) => line.startsWith('{"seq"'))
      .map((line) => (JSON.parse(line) as { seq: number }).seq);
  await stage.until(() => numbers().length > 0, 'turns are on the disk');
  program.kill('SIGWINCH');
  stage.cutOff(stage.shoot);
  await stage.until(() => Object.values(stage.replicas(stage.shoot)).every((count) => count === 0), 'all is at 0');
  const { text } = await fetchFrom(program, 'inspector', '/journal');
  const last = Number(/"seq":(\d+)[^\n]*\n?$/.exec(text)?.[1]);
  expect(last, 'the disk does not answer').toBeGreaterThan(numbers().length + 5);
  return { program, numbers, last, letGo: () => void openSync(pipe, constants.O_WRONLY) };
}

const unanswered = /^the disk of the journal does not answer: at the end \d+ events may be missing in /;

test.concurrent('9.6 11.1 1.4 a disk that hangs holds up neither the way down nor the end, and what it lacks is said', async (context) => {
  const { program } = await hungProber(context);
  const told = Date.now();
  program.kill('SIGTERM');
  expect(await program.end()).toMatchObject({ code: 0, signal: null });
  expect(Date.now() - told).toBeLessThan(5_000);
  await program.line(unanswered);
});

test.concurrent('9.6 11.1 1.4 nor the end by a bug', async (context) => {
  const { program } = await hungProber(context);
  const told = Date.now();
  program.kill('SIGURG');
  program.kill('SIGURG');
  expect(await program.end()).toMatchObject({ code: 1, signal: null });
  expect(Date.now() - told).toBeLessThan(5_000);
  await program.line(unanswered);
});

test.concurrent('9.6 L3 1.4 the last turns before the end are in the journal on disk, though the disk had not taken any for a while', async (context) => {
  const { program, numbers, last, letGo } = await hungProber(context);
  program.kill('SIGTERM');
  await program.line('the prober ends');
  letGo();
  expect(await program.end()).toMatchObject({ code: 0, signal: null });
  const all = numbers();
  expect(all).toEqual(all.map((_, index) => index + 1));
  expect(all.length).toBeGreaterThanOrEqual(last);
});
