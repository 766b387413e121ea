import { expect, test } from 'vitest';
import { chooseProvider } from '../kind/choose-provider.ts';
import { FakeCommands } from './fake-commands.ts';

const chosen = (env: NodeJS.ProcessEnv, obstacle: string | undefined = 'we are not root') => {
  const { provider, because } = chooseProvider(env, () => obstacle);
  return `${provider.name}: ${because}`;
};

test.each(['local', 'kubeconfig', 'kind', 'node'])(
  'DWD_PROVIDER=%s is taken at its word, whatever there is',
  (name) => {
    expect(chosen({ DWD_PROVIDER: name })).toBe(`${name}: DWD_PROVIDER says so`);
  },
);

test('a provider that is none is refused, and those that are named', () => {
  expect(() => chooseProvider({ DWD_PROVIDER: 'minikube' })).toThrow(
    'DWD_PROVIDER is "minikube"; it can be local, kubeconfig, kind, node, or unset',
  );
});

test('kind where Docker answers and kind is installed', (context) => {
  const commands = new FakeCommands(context).add('docker', 'exit 0').add('kind', 'exit 0');
  expect(chosen(commands.env)).toBe('kind: Docker answers, and kind is installed');
});

test('local, with the reason, where no Docker engine answers', (context) => {
  const commands = new FakeCommands(context).add('docker', 'exit 1').add('kind', 'exit 0');
  expect(chosen(commands.env)).toBe('local: no Docker engine answers, and no real node can be run: we are not root');
  expect(commands.calls).toEqual(['docker version']);
});

test('local where there is no docker at all, or no kind', (context) => {
  const commands = new FakeCommands(context);
  expect(chosen(commands.env)).toBe('local: no Docker engine answers, and no real node can be run: we are not root');
  commands.add('docker', 'exit 0');
  expect(chosen(commands.env)).toBe(
    'local: Docker is there, but kind is not installed, and no real node can be run: we are not root',
  );
});

test('a real node where there is no kind, and the machine lets us', (context) => {
  const commands = new FakeCommands(context);
  const { provider, because } = chooseProvider(commands.env, () => undefined);
  expect(provider.name).toBe('node');
  expect(because).toBe('no Docker engine answers, and a real node can be run here');
});
