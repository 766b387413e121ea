import { expect, test } from 'vitest';
import { takenPort } from '@dwd/testing/taken-port.ts';
import { seedStage } from '@dwd/testing/seed-stage.ts';

// What an operator gets wrong, and what the program says of it, is in `first-night`. Here is what it asks of the seed meanwhile.

test.concurrent.for([
  ['prober', 'kubeConfigSecretName: ""\nprobeInterval: 30\ndependentResourceInfos: []\n', 'probeInterval'],
  ['weeder', 'watchDuration: 0s\nservicesAndDependantSelectors: {Kube_API: {podSelectors: []}}\n', 'watchDuration'],
] as const)(
  '1.3 a wrong configuration ends the %s with code 1, and nothing is asked of the seed',
  async ([role, text, key], context) => {
    const stage = await seedStage(context);
    const wrong = stage.file('wrong.yaml', text);
    const { code, stdout, stderr } = await stage[role](
      'one',
      `--config-file=${wrong}`,
      '--enable-leader-election',
    ).end();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^  ${key} \\(line \\d\\)$`, 'm'));
    expect([stage.seed.api.requests.count, stage.seed.api.connections]).toEqual([0, 0]);
  },
);

test.concurrent('1.2, 9.4 a kubeconfig that is not there, or is broken, ends it with code 1, and its token is not quoted', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const token = 'c6f1a6c0ffee4e0fb0a7';
  const broken = stage.file('broken.yaml', `kind: Config\nusers: [{name: a, user: {token: ${token}}\nclusters: []\n`);
  const endings = ['/nowhere', broken].map((path) => stage.prober('prober', `--kubeconfig=${path}`).end());
  const [missing, unread] = await Promise.all(endings);
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing?.stderr).toMatch(
    /^dependency-watchdog prober: the kubeconfig \/nowhere cannot be used: no such file\n$/,
  );
  expect(unread).toMatchObject({ code: 1, stdout: '' });
  expect(unread?.stderr).toMatch(
    /^dependency-watchdog prober: the kubeconfig .* cannot be used: it is not YAML: there is an error at line 3\n$/,
  );
  expect(unread?.stderr).not.toContain(token);
});

test.concurrent('1.2 an address that is taken ends either role with code 1 before it asks the seed, but that of the inspector', async (context) => {
  const stage = await seedStage(context);
  const port = await takenPort(context);
  const taken = (what: string) => `--${what}-bind-addr=127.0.0.1:${port}`;
  const said = 'the port is in use by another process; give another address, or 0 to turn it off';
  for (const [role, what] of [
    ['prober', 'metrics'],
    ['prober', 'health'],
    ['weeder', 'metrics'],
  ] as const)
    expect(await stage[role]('one', taken(what)).end()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `dependency-watchdog ${role}: ${taken(what)}: ${said}\n`,
    });
  expect(stage.seed.api.requests.count).toBe(0);
  const program = stage.prober('prober', taken('inspector'));
  const { level, problem } = await program.line('the inspector is not served');
  expect([level, problem]).toEqual(['warn', `${taken('inspector')}: ${said}`]);
  await program.line('state changed', { to: 'probing' });
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
