import { readFileSync } from 'node:fs';
import { Subject } from 'rxjs';
import { expect, test, type TestContext } from 'vitest';
import { runStatus } from '../../src/commands/status.ts';
import { leader, seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';

/** As an operator with the weeder's own grants; the program's clock is the real one. */
async function status(stage: SeedStage, ...flags: readonly string[]) {
  const { io, out, err } = heardIo();
  const args = [
    `--config-file=${stage.weederConfigFile}`,
    `--kubeconfig=${stage.kubeconfigOf('operator', 'weeder')}`,
    ...flags,
  ];
  const code = await runStatus(args, io, { terminal: undefined, colours: false, interrupted$: new Subject() });
  return { code, lines: out.map((line) => line.replaceAll(/ {2,}/g, '  ')), out: out.join('\n'), err: err.join('\n') };
}

const controller = { labels: { role: 'controller' } };

/** A service that is down with a dependant that crash-loops for it, one that is back with some left, and one that is well. */
async function threeServices(context: TestContext): Promise<SeedStage> {
  const stage = await seedStage(context, { shoots: 0 });
  const { plain } = stage;
  plain.slice('shoot--a--calm', 'kube-apiserver', [true]);
  plain.add('shoot--a--calm', 'scheduler', { ...controller, loops: null });
  plain.slice('shoot--a--left', 'kube-apiserver', [true, false]);
  for (const name of ['ccm', 'csi', 'kcm', 'mcm']) plain.add('shoot--a--left', name, controller);
  plain.slice('shoot--a--down', 'etcd-main-client', [false]);
  plain.add('shoot--a--down', 'kube-apiserver-0', { labels: { role: 'apiserver' } });
  // No selector of etcd picks it.
  plain.add('shoot--a--down', 'kcm', controller);
  leader(1_500, 'weeder')(stage);
  return stage;
}

test('9.8 with the weeder’s configuration it shows the services, and who of their dependants crash-loops', async (context) => {
  const stage = await threeServices(context);
  const { code, lines, out, err } = await status(stage);
  expect(lines[0]).toMatch(/^The weeder \S+ leads: it renewed its Lease garden\/dwd-weeder-leader-election /);
  expect(lines.slice(2)).toEqual([
    'NAMESPACE  SERVICE  STATE  READY  CRASH-LOOPING',
    'shoot--a--down  etcd-main-client  not available  0/1  kube-apiserver-0',
    'shoot--a--left  kube-apiserver  available  1/2  ccm, csi, kcm and 1 more',
    'shoot--a--calm  kube-apiserver  available  1/1  -',
    '',
    '3 services: 1 not available, 2 available; 5 dependants crash-loop',
  ]);
  expect([code, err]).toEqual([0, '']);
  const page = readFileSync(new URL('../../docs/status.md', import.meta.url), 'utf8');
  expect(page, 'the sample of the page').toContain(out.split('\n').slice(2).join('\n'));
  expect(stage.writes(), 'it writes nothing').toEqual([]);
});

test('9.8 the same of one shoot, in full and as JSON', async (context) => {
  const stage = await threeServices(context);
  expect((await status(stage, 'left', '-owide')).lines.slice(3)).toEqual([
    'shoot--a--left  kube-apiserver  available  1/2  ccm, csi, kcm, mcm',
    '',
    '1 service: 1 available; 4 dependants crash-loop',
  ]);
  const { code, out } = await status(stage, '-ojson', 'shoot--a--down');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    status: 1,
    leader: { is: 'led', lease: 'garden/dwd-weeder-leader-election' },
    services: [
      {
        namespace: 'shoot--a--down',
        service: 'etcd-main-client',
        available: false,
        ready: 0,
        endpoints: 1,
        crashLooping: [{ pod: 'kube-apiserver-0', containers: ['kube-apiserver-0'] }],
      },
    ],
  });
});

test('9.8 7.7 of one shoot it names what crash-loops and no selector picks', async (context) => {
  const stage = await threeServices(context);
  const { plain } = stage;
  plain.add('shoot--a--left', 'csi-b', { labels: { role: 'main' } });
  plain.add('shoot--a--left', 'well', { labels: { role: 'main' }, loops: null });
  const one = await status(stage, 'left');
  expect(one.lines.at(-1)).toBe('1 crash-looping pod that no selector picks: csi-b');
  for (let index = 0; index < 11; index += 1) plain.add('shoot--a--left', `csi-${index}`, { labels: { role: 'main' } });
  expect((await status(stage, 'left')).lines.at(-1)).toMatch(
    /^12 crash-looping pods that no selector picks: .* and 2 more$/,
  );
  const { out } = await status(stage, '-ojson', 'left');
  expect(JSON.parse(out)).toMatchObject({
    unselected: expect.arrayContaining([{ pod: 'csi-b', containers: ['csi-b'] }]),
  });
  expect((await status(stage)).out).not.toContain('no selector');
  expect((await status(stage, 'calm')).lines.at(-1)).toBe('1 service: 1 available; no dependant crash-loops');
});

test('9.8 it ends with code 1 where no weeder is known to lead', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const none = await status(stage);
  expect(none.code).toBe(1);
  expect(none.lines[0]).toMatch(/^Nobody is seen to lead: there is no Lease garden\/dwd-weeder-leader-election\./);
  expect(none.lines.at(-1)).toBe('0 services; no dependant crash-loops');
  expect(none.err).toMatch(/has none of the services of the configuration$/);
  leader(10 * 60_000, 'weeder')(stage);
  const stale = await status(stage);
  expect(stale.code).toBe(1);
  expect(stale.lines[0]).toMatch(/^Nobody leads: .* No pod is deleted now\.$/);
});

test('9.8 what only a prober can be asked is refused there', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  for (const flag of ['--watch', '--prober=localhost:9645']) {
    const { code, err } = await status(stage, flag);
    const [name] = flag.split('=');
    expect([code, err]).toEqual([
      1,
      `dependency-watchdog status: ${name} is of the prober's status, and the configuration is the weeder's`,
    ]);
  }
});
