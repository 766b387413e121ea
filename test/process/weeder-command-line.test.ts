import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Program } from '../support/program.ts';
import { seedStage } from './seed-stage.ts';

test.concurrent.for([
  [['weeder'], /^dependency-watchdog weeder: .*--config-file/],
  [['weeder', '--config-file=x', '--watch-duration=1s'], /^dependency-watchdog weeder: .*watch-duration/],
  [['weeder', '--config-file=x', '--kube-api-qps=many'], /^dependency-watchdog weeder: .*kube-api-qps/],
  [['weeder', '--config-file=x', 'stray'], /^dependency-watchdog weeder: unexpected argument "stray"/],
] as const)('1.2 `%s` ends with code 2, and says why', async ([args, says], context) => {
  const { code, stdout, stderr } = await new Program(context, args).end();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(says);
});

test.concurrent('1.1 `weeder -h` prints its usage with code 0', async (context) => {
  const { code, stdout, stderr } = await new Program(context, ['weeder', '-h']).end();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: dependency-watchdog weeder --config-file=FILE/);
});

test.concurrent('1.3 a wrong configuration ends it with code 1, every problem named, and nothing is asked of the seed', async (context) => {
  const stage = await seedStage(context, {
    shoots: 0,
    weederConfigText: `watchDuration: 0s
servicesAndDependantSelectors:
  Kube_API:
    podSelectors: []
  etcd-main-client:
    podSelectors:
    - matchExpressions:
      - {key: role, operator: Among, values: [a]}
      - {key: role, operator: In}
    - matchLabels: {'not a key': x}
`,
  });
  const { code, stdout, stderr } = await stage.weeder('weeder', '--enable-leader-election').end();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const etcd = 'servicesAndDependantSelectors.etcd-main-client.podSelectors';
  for (const path of ['watchDuration', 'servicesAndDependantSelectors.Kube_API', `${etcd}[0]`, `${etcd}[1]`])
    expect(stderr.split('\n').filter((line) => line.startsWith(`  ${path}`))).not.toEqual([]);
  for (const found of ['0s', 'Among', 'not a key']) expect(stderr).toContain(found);
  expect(stage.seed.api.connections).toBe(0);
});

test.concurrent('1.3 a configuration of the prober is none of the weeder', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const { code, stderr } = await stage.weeder('weeder', `--config-file=${stage.configFile}`).end();
  expect(code).toBe(1);
  expect(stderr).toContain('servicesAndDependantSelectors');
  expect(stage.seed.api.connections).toBe(0);
});

test.concurrent('1.2 an address for metrics that is taken ends it with code 1', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await stage.weeder('weeder', `--metrics-bind-addr=127.0.0.1:${port}`).end();
  expect(code).toBe(1);
  expect(stderr).toBe(
    `dependency-watchdog weeder: --metrics-bind-addr=127.0.0.1:${port}: the port is in use by another process; give another address, or 0 to turn it off\n`,
  );
  expect(stage.seed.api.requests.count).toBe(0);
});

test.concurrent('7 1.2 a selector for every pod, an unknown key and --pprof-bind-addr are warnings, each said once', async (context) => {
  const stage = await seedStage(context, {
    shoots: 0,
    weederConfigText: 'watchDuraton: 1m\nservicesAndDependantSelectors: {kube-apiserver: {podSelectors: [{}]}}\n',
  });
  const program = stage.weeder('weeder', '--pprof-bind-addr=:8081', '--concurrent-reconciles=5');
  await program.line('the first lists of the seed are in');
  const warnings = program.lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
  expect(warnings).toHaveLength(3);
  expect(warnings.join('\n')).toMatch(/pprof-bind-addr/);
  expect(warnings.join('\n')).toMatch(/watchDuraton.*watchDuration/s);
  expect(warnings.join('\n')).toMatch(/selects every pod/);
});
