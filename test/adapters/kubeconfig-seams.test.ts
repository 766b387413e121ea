// What we reach for behind client-node's types (docs/decisions/0017). Each of these falls first where a new version of it moves one.
import { KubeConfig, type User } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { loadKubeConfig } from '../../src/adapters/credentials/client-node.ts';

const notRun = () => {
  throw new Error('this is ours');
};
const plugin = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login', interactiveMode: 'Never' };
const oidc = (issuer: unknown): User => ({
  name: 'me',
  authProvider: {
    name: 'oidc',
    config: {
      // Of 1970, so that it is to be renewed.
      'id-token': `${btoa('{}')}.${btoa('{"exp":1}')}.x`,
      'refresh-token': 'r',
      'client-id': 'us',
      'idp-issuer-url': issuer,
    },
  },
});
const headersOf = (user: User) => loadKubeConfig('https://seed', user, notRun).applyToHTTPSOptions({ headers: {} });

test('1.5 authenticators: its list is there, and one of them runs plugins', () => {
  const list = Reflect.get(new KubeConfig(), 'authenticators') as readonly object[];
  expect(list.filter((one) => 'execFn' in one)).toHaveLength(1);
});

test('1.5 execFn: a plugin is run by ours, and nothing else is spawned', async () => {
  await expect(headersOf({ name: 'me', exec: plugin })).rejects.toThrow('this is ours');
});

test('1.5 the issuer: as a text its OIDC library refuses it, so we give a URL. Where the text is taken, that is needless', async () => {
  await expect(headersOf(oidc('https://127.0.0.1:1'))).rejects.toThrow('"server" must be an instance of URL');
  await expect(headersOf(oidc(new URL('https://127.0.0.1:1')))).rejects.toThrow('fetch failed');
});
