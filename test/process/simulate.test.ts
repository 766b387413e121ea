import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { program } from '@dwd/testing/program.ts';

type Line = Readonly<Record<string, unknown> & { kind: string }>;

test('1.1 9.2 9.3 9.6 a simulation is served from its first line on, SIGUSR2 begins another outage, and a terminal that closes ends it', async (context) => {
  const args = ['simulate', '--json', '--keep', '--shoots=1', '--nodes=2', '--speed=25', '--seed=7'];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  context.onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (kind: string, rest: Readonly<Record<string, unknown>> = {}): Promise<Line> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`it ended before ${kind}`);
      const line = JSON.parse(value) as Line;
      if (line.kind === kind && Object.entries(rest).every(([name, wanted]) => line[name] === wanted)) return line;
    }
  };

  const places = await next('places');
  expect(places['processId']).toBe(child.pid);
  // Too early, and yet it does not end the process, as it would without a listener. The outage is over within five seconds.
  child.kill('SIGUSR2');
  for (const place of ['metrics', 'healthz', 'journal']) {
    const answer = await fetch(String(places[place]));
    expect([place, answer.status]).toEqual([place, 200]);
    await answer.text();
  }
  // For this machine alone.
  expect(new URL(String(places['journal'])).hostname).toBe('127.0.0.1');

  await next('remark', { text: 'No other outage begins yet: this one is not over.' });
  await next('kept');
  child.kill('SIGUSR2');
  expect(await next('phase', { phase: 'outage' })).toHaveProperty('outage', 2);
  child.kill('SIGHUP');
  // It was in the middle of an outage.
  expect(await ended).toEqual([1, null]);
  expect(existsSync(String(places['kubeconfig']))).toBe(false);
});
