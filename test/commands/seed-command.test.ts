import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configOfSeed } from '../../src/commands/seed-config.ts';
import { runRelease } from '../../src/commands/release.ts';
import { statusFlagSet } from '../../src/commands/status.ts';
import { FakeKubeClient, refusal } from '@dwd/testing/fake-kube-client.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { seedStage } from '@dwd/testing/seed-stage.ts';
import { status } from '../support/ran-status.ts';

const prober = (flag: string, mountPath: string) => ({
  spec: {
    template: {
      spec: {
        containers: [
          {
            command: ['/usr/local/bin/dependency-watchdog', 'prober', flag],
            volumeMounts: [
              { name: 'token', mountPath: '/var/run/secrets' },
              { name: 'mine', mountPath },
            ],
          },
        ],
        volumes: [
          { name: 'token', projected: {} },
          { name: 'mine', configMap: { name: 'config-abc' } },
        ],
      },
    },
  },
});
const mounted = prober('--config-file=/etc/dwd/dep-config.yaml', '/etc/dwd');
const gardeners = "Gardener's usual configuration";

test.each([
  [
    'its ConfigMap',
    [mounted, { data: { 'dep-config.yaml': 'probeInterval: 20s' } }],
    'the ConfigMap garden/config-abc',
  ],
  [
    'a ConfigMap without that file',
    [mounted, { data: {} }],
    `${gardeners} (the ConfigMap garden/config-abc has no dep-config.yaml)`,
  ],
  [
    'another volume',
    [prober('--config-file=/x/y.yaml', '/etc/dwd')],
    `${gardeners} (the Deployment garden/dependency-watchdog-prober mounts no ConfigMap at /x/y.yaml)`,
  ],
  ['no Deployment', [refusal(404, 'NotFound')], `${gardeners} (was answered 404 NotFound)`],
  [
    'a ConfigMap that may not be read',
    [mounted, refusal(403, 'Forbidden')],
    `${gardeners} (was answered 403 Forbidden)`,
  ],
])(
  "9.8 without a file, the configuration is that of the prober in the seed, else Gardener's: %s",
  async (_, answers, from) => {
    const left: unknown[] = [...answers];
    const client = new FakeKubeClient(() => {
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    });
    const found = await configOfSeed(client, 'garden');
    expect(found.from).toBe(from);
    expect(parse(found.text)).toMatchObject({ probeInterval: from.startsWith(gardeners) ? '30s' : '20s' });
    expect(client.asked.map(({ path }) => path)[0]).toBe(
      '/apis/apps/v1/namespaces/garden/deployments/dependency-watchdog-prober',
    );
  },
);

test('9.8 a seed that does not answer has no configuration', async () => {
  const client = new FakeKubeClient(() => {
    throw refusal(500);
  });
  await expect(configOfSeed(client, 'garden')).rejects.toThrow('500');
});

test('9.8, 1.1 status and release say by which configuration they go', async (context) => {
  const stage = await seedStage(context);
  const { err, out } = await status(stage, '--config-file=');
  expect(err).toMatch(/^dependency-watchdog status: it goes by Gardener's usual configuration \(.*\)$/m);
  expect(out).toMatch(/^shoot--/m);
  const heard = heardIo();
  await runRelease(['--dry-run', `--kubeconfig=${stage.kubeconfigOf('operator')}`], heard.io);
  expect(heard.err.join('\n')).toMatch(/^dependency-watchdog release: it goes by Gardener's usual configuration/m);
});

test.each([
  ['5', 5_000],
  ['1m30s', 90_000],
  ['0', 0],
])('1.2 --request-timeout=%s is read as kubectl reads it', (text, millis) => {
  const parsed = statusFlagSet.parse([`--request-timeout=${text}`, '--as=eve', '--as-group=a', '--as-group=b']);
  expect(parsed).toMatchObject({ ok: true, values: { requestTimeout: millis, as: 'eve', asGroup: ['a', 'b'] } });
});

test.each(['status', 'release'] as const)(
  '1.2 %s is refused a group without a user, and time that runs backwards',
  async (command) => {
    const { io, err } = heardIo();
    const run = command === 'release' ? runRelease : (await import('../../src/commands/status.ts')).runStatus;
    expect(await run(['--as-group=system:masters'], io)).toBe(2);
    expect(await run(['--as=', '--as-group=system:masters'], io)).toBe(2);
    expect(await run(['--request-timeout=-1s'], io)).toBe(2);
    expect(err.join('\n')).toMatch(/--as-group is of use with --as alone[^]*--request-timeout must be at least 0s/);
  },
);
