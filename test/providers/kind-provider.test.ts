import { expect, test } from 'vitest';
import { kindProvider } from '../kind/providers/kind.ts';
import { FakeCommands } from './fake-commands.ts';
import { clusterServer } from './cluster-server.ts';

const name = /dwd-scenarios-[0-9a-f]{6}/;

/** kind, as far as it is called: it writes the kubeconfig that stands in the variable. */
const kindThatWorks = `
case "$*" in
  'get clusters') ;;
  'create cluster '*)
    while [ "$1" != --kubeconfig ]; do shift; done
    printf '%s' "$KUBECONFIG_TEXT" > "$2" ;;
esac`;

test('a cluster is made with a name and a kubeconfig of its own, and deleted by that name', async (context) => {
  const server = await clusterServer(context);
  const commands = new FakeCommands(context).add('docker', '').add('kind', kindThatWorks);
  const said: string[] = [];
  const provider = kindProvider({ ...commands.env, KUBECONFIG_TEXT: server.kubeconfig, KUBECONFIG: 'never-touched' });
  const file = `${commands.directory}/kind.kubeconfig`;
  const clusters = await provider.start(commands.directory, (line) => said.push(line));
  expect(clusters).toEqual({ seed: file, shoots: [file], runsControllers: true, account: 'Kubernetes v1.99.0' });
  const made = name.exec(commands.calls.at(-1) ?? '')?.[0];
  expect(commands.calls).toEqual([
    'docker version',
    'kind get clusters',
    `kind create cluster --name ${made} --kubeconfig ${file} --wait 180s`,
  ]);
  expect(said).toEqual([`making the kind cluster ${made}`, expect.stringContaining('is the seed')]);

  await provider.stop();
  expect(commands.calls.at(-1)).toBe(`kind delete cluster --name ${made} --kubeconfig ${file}`);
  // Once is enough.
  await provider.stop();
  expect(commands.calls).toHaveLength(4);
});

test('DWD_KIND_IMAGE picks the image of its nodes', async (context) => {
  const server = await clusterServer(context);
  const commands = new FakeCommands(context).add('docker', '').add('kind', kindThatWorks);
  const env = { ...commands.env, KUBECONFIG_TEXT: server.kubeconfig, DWD_KIND_IMAGE: 'kindest/node:v1.34.0' };
  await kindProvider(env).start(commands.directory, () => undefined);
  expect(commands.calls.at(-1)).toMatch(/--wait 180s --image kindest\/node:v1\.34\.0$/);
});

test('clusters that other runs left are named, and left alone', async (context) => {
  const server = await clusterServer(context);
  const script = `[ "$1" = get ] && echo dwd-scenarios-old && echo somebody-elses; ${kindThatWorks}`;
  const commands = new FakeCommands(context).add('docker', '').add('kind', script);
  const said: string[] = [];
  const provider = kindProvider({ ...commands.env, KUBECONFIG_TEXT: server.kubeconfig });
  await provider.start(commands.directory, (line) => said.push(line));
  await provider.stop();
  expect(said[0]).toBe('left by other runs: dwd-scenarios-old; remove one with: kind delete cluster --name NAME');
  expect(commands.calls.filter((call) => call.includes('delete'))).toHaveLength(1);
  expect(commands.calls.join('\n')).not.toContain('dwd-scenarios-old');
});

test('it is refused where no Docker engine answers, or kind is not there; nothing was made, and nothing is deleted', async (context) => {
  const commands = new FakeCommands(context).add('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1');
  const provider = kindProvider(commands.env);
  const start = () => provider.start(commands.directory, () => undefined);
  await expect(start()).rejects.toThrow(
    'The provider kind cannot start: no Docker engine answers: start one, or take DWD_PROVIDER=local\nCannot connect to the Docker daemon',
  );
  commands.add('docker', '');
  await expect(start()).rejects.toThrow('The provider kind cannot start: kind cannot be run: install it');
  await provider.stop();
  expect(commands.calls).toEqual(['docker version', 'docker version']);
});

test('a cluster that was made only in part is deleted, and the error carries what kind said', async (context) => {
  const script = 'case "$1" in create) echo "ERROR: port is taken" >&2; exit 1 ;; esac';
  const commands = new FakeCommands(context).add('docker', '').add('kind', script);
  const provider = kindProvider(commands.env);
  await expect(provider.start(commands.directory, () => undefined)).rejects.toThrow(
    'kind could not make a cluster; it said:\nERROR: port is taken',
  );
  expect(commands.calls.at(-1)).toMatch(/^kind delete cluster --name dwd-scenarios-[0-9a-f]{6} /);
});

test('a cluster that cannot be deleted is reported by its name', async (context) => {
  const server = await clusterServer(context);
  const script = `[ "$1" = delete ] && echo "no engine" >&2 && exit 1; ${kindThatWorks}`;
  const commands = new FakeCommands(context).add('docker', '').add('kind', script);
  const provider = kindProvider({ ...commands.env, KUBECONFIG_TEXT: server.kubeconfig });
  await provider.start(commands.directory, () => undefined);
  await expect(provider.stop()).rejects.toThrow(
    /kind could not delete the cluster dwd-scenarios-\w+; it said:\nno engine/,
  );
});
