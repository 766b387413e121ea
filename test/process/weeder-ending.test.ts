import { expect, test } from 'vitest';
import type { Program } from '@dwd/testing/program.ts';
import { seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';

const namespace = 'shoot--a--one';
const service = 'kube-apiserver';
const dependants = 300;

/** So many of one service are under way at a time (SPEC 7.3); what was sent before the end may arrive after it was said. */
const underWay = 10;

/** A weeder in the midst of a window: a part of the dependants is deleted, the others wait for the rate limit. */
async function midWindow(stage: SeedStage): Promise<Program> {
  const { plain } = stage;
  plain.slice(namespace, service, [false]);
  for (let index = 0; index < dependants; index += 1)
    plain.add(namespace, `pod-${index}`, { labels: { role: 'controller' } });
  // 25 at once, then 25 a second; 8 of them are lists and watches at most.
  const slow = ['--kube-api-qps=1', '--kube-api-burst=1'];
  const program = stage.weeder('weeder', '--enable-leader-election', ...slow);
  await program.line('leadership', { leadership: 'leading' });
  await program.line('the first lists of the seed are in');
  plain.slice(namespace, service, [true]);
  await stage.until(() => stage.writes().length >= 20, 'deletions, and a queue of them');
  return program;
}

/** Sends the signal. Returns how the process ended, and how many deletions came after it had logged that it ends. */
async function endBy(stage: SeedStage, program: Program, signal: NodeJS.Signals) {
  const said = program.line('the weeder ends', { why: signal }).then(() => stage.writes().length);
  program.kill(signal);
  const { code, stderr } = await program.end();
  return { code, stderr, late: stage.writes().length - (await said) };
}

test.concurrent.for(['SIGTERM', 'SIGINT'] as const)(
  '1.4 %s within a window: code 0 in time, the Lease released, and what waits for the rate limit is never sent',
  async (signal, context) => {
    const stage = await seedStage(context, { shoots: 0 });
    const program = await midWindow(stage);
    const { code, stderr, late } = await endBy(stage, program, signal);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(late).toBeLessThanOrEqual(underWay);
    expect(stage.leaseOf('weeder')).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    expect(stage.plain.left.length).toBeGreaterThan(dependants / 2);
  },
);

test.concurrent('1.4 SIGTERM while the seed answers no deletion and no watch any more: code 0 in time', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const { plain, seed } = stage;
  plain.slice(namespace, service, [true]);
  const program = stage.weeder('weeder', '--enable-leader-election');
  await program.line('state changed', { to: 'recovering' });
  await context.expect.poll(() => seed.api.watches).toBe(2);
  seed.api.setFault({ kind: 'flood', as: 'drip' }, ({ verb }) => verb === 'delete');
  plain.add(namespace, 'kcm', { labels: { role: 'controller' } });
  await context.expect.poll(() => seed.api.requests.all.some(({ verb }) => verb === 'delete')).toBe(true);
  seed.api.setFault({ kind: 'hang', at: 'answer' });
  const { code, stderr, late } = await endBy(stage, program, 'SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(late).toBe(0);
});
