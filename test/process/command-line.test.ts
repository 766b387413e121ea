import { expect, test } from 'vitest';
import { Program } from '../support/program.ts';
import { takenPort } from '../support/taken-port.ts';
import { seedStage } from './seed-stage.ts';

test.concurrent('1.2 the prober without --config-file ends with code 2, and names it', async (context) => {
  const { code, stdout, stderr } = await new Program(context, ['prober']).end();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^dependency-watchdog prober: .*--config-file/);
});

test.concurrent('1.2 an unknown flag ends the prober with code 2, and is named', async (context) => {
  const { code, stdout, stderr } = await new Program(context, [
    'prober',
    '--config-file=x',
    '--probe-intervall=1s',
  ]).end();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^dependency-watchdog prober: .*probe-intervall/);
});

test.concurrent('1.1 `release -h` prints its usage with code 0', async (context) => {
  const { code, stdout, stderr } = await new Program(context, ['release', '-h']).end();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: dependency-watchdog release --config-file=FILE/);
});

test.concurrent('1.3 a wrong configuration ends it with code 1, every problem named, and nothing is asked of the seed', async (context) => {
  const stage = await seedStage(context);
  const wrong = stage.file(
    'wrong.yaml',
    'kubeConfigSecretName: ""\nprobeInterval: 30\nnodeLeaseFailureFraction: 1.5\ndependentResourceInfos: []\n',
  );
  const program = stage.prober('prober', `--config-file=${wrong}`, '--enable-leader-election');
  const { code, stdout, stderr } = await program.end();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  for (const key of ['kubeConfigSecretName', 'probeInterval', 'nodeLeaseFailureFraction', 'dependentResourceInfos'])
    expect(stderr).toMatch(new RegExp(`^  ${key} \\(line \\d\\)$`, 'm'));
  expect(stage.seed.api.requests.count).toBe(0);
  expect(stage.seed.api.connections).toBe(0);
});

test.concurrent('1.2 without any way to the seed it ends with code 1, and says where it looked', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const program = new Program(context, ['prober', `--config-file=${stage.configFile}`], { env: { HOME: stage.dir } });
  const { code, stdout, stderr } = await program.end();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^dependency-watchdog prober: no kubeconfig found: --kubeconfig and \$KUBECONFIG are not set, .*\.kube\/config\n$/,
  );
});

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

test.concurrent.for(['metrics', 'health'])(
  '1.2 an address for %s that is taken ends it with code 1',
  async (what, context) => {
    const stage = await seedStage(context, { shoots: 0 });
    const port = await takenPort(context);
    const { code, stdout, stderr } = await stage.prober('prober', `--${what}-bind-addr=127.0.0.1:${port}`).end();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `dependency-watchdog prober: --${what}-bind-addr=127.0.0.1:${port}: the port is in use by another process; give another address, or 0 to turn it off\n`,
    );
    expect(stage.seed.api.requests.count).toBe(0);
  },
);

test.concurrent('1.2 an address for the inspector that is taken is a warning, and the prober goes on', async (context) => {
  const stage = await seedStage(context);
  const port = await takenPort(context);
  const program = stage.prober('prober', `--inspector-bind-addr=127.0.0.1:${port}`);
  const { level, problem } = await program.line('the inspector is not served');
  expect(level).toBe('warn');
  expect(problem).toBe(
    `--inspector-bind-addr=127.0.0.1:${port}: the port is in use by another process; give another address, or 0 to turn it off`,
  );
  await program.line('state changed', { to: 'probing' });
});
