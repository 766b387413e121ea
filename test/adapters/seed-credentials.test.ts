import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Credentials } from '../../src/adapters/credentials/credentials.ts';
import { findCredentials } from '../../src/adapters/credentials/find-credentials.ts';
import { SeedConnection } from '../../src/adapters/seed-client/seed-connection.ts';
import { issueCertificates } from '@dwd/simulator/api/certificates.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dwd-credentials-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function kubeconfig(name: string, told: { server?: string; cluster?: object; user?: object } = {}): string {
  const { server = `https://${name}:443`, cluster = {}, user = { token: `token-of-${name}` } } = told;
  return file(
    name,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server, ...cluster } }],
      users: [{ name, user }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    }),
  );
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

const { ca: podCa } = await issueCertificates('pod');

function serviceAccount(token = 'pod-token'): string {
  file('sa/token', `${token}\n`);
  return join(file('sa/ca.crt', podCa), '..');
}

async function readOf(flag: string | undefined, env: NodeJS.ProcessEnv, directory = folder): Promise<Credentials> {
  return findCredentials(flag, env, { serviceAccountDirectory: directory }).read(false);
}

test('1.2 the flag comes first, then $KUBECONFIG, then the service account, then the home', async () => {
  const flag = kubeconfig('flag');
  const env = kubeconfig('env');
  const account = serviceAccount();
  kubeconfig('.kube/config', { server: 'https://home:443' });
  const all = { ...pod, KUBECONFIG: env, HOME: folder };
  const server = async (flag: string | undefined, env: NodeJS.ProcessEnv): Promise<string> =>
    (await readOf(flag, env, account)).server;
  expect(await server(flag, all)).toBe('https://flag:443');
  expect(await server('', all)).toBe('https://env:443');
  expect(await server(undefined, { ...all, KUBECONFIG: '' })).toBe('https://10.0.0.1:443');
  expect(await server(undefined, { HOME: folder })).toBe('https://home:443');
});

test('1.2 where nothing leads to the seed, it is said what was looked for', () => {
  expect(() =>
    findCredentials(undefined, { HOME: folder, ...pod }, { serviceAccountDirectory: join(folder, 'nothing') }),
  ).toThrow(
    /^no kubeconfig found: --kubeconfig and \$KUBECONFIG are not set, this pod has no token .*, and there is no file .*\.kube.config$/,
  );
  expect(() => findCredentials(undefined, {}, { serviceAccountDirectory: folder })).toThrow(
    'are not set, this is not a pod with a service account, and $HOME is not set',
  );
});

test('1.2 the service account: token and authority from files, read again each time', async () => {
  const account = serviceAccount();
  const source = findCredentials(
    undefined,
    { ...pod, KUBERNETES_SERVICE_HOST: 'fd00::1' },
    { serviceAccountDirectory: account },
  );
  expect(await source.read(false)).toEqual({
    server: 'https://[fd00::1]:443',
    headers: { authorization: 'Bearer pod-token' },
    tls: { ca: podCa },
  });
  file('sa/ca.crt', `${podCa}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`);
  expect(await source.read(false)).toMatchObject({
    tls: { ca: podCa },
    warnings: [expect.stringMatching(/ca.crt: 1 of 2 certificates cannot be read, and is not trusted$/)],
  });
  serviceAccount('next');
  expect((await source.read(false)).headers).toEqual({ authorization: 'Bearer next' });
});

test('1.2 a kubeconfig: inline and as files beside it', async () => {
  const { ca, certificate, key } = await issueCertificates('seed');
  file('dir/ca.crt', ca);
  file('dir/key', key);
  const path = kubeconfig('dir/config', {
    cluster: { 'certificate-authority': 'ca.crt', 'tls-server-name': 'seed' },
    user: { 'client-certificate-data': base64(certificate), 'client-key': 'key', as: 'somebody' },
  });
  expect(await readOf(path, {})).toEqual({
    server: 'https://dir/config:443',
    headers: { 'impersonate-user': 'somebody' },
    tls: { ca, cert: certificate, key, servername: 'seed' },
  });
});

test('1.2 a kubeconfig: password, token file, skipped verification', async () => {
  const basic = kubeconfig('basic', {
    user: { username: 'me', password: 'pw' },
    cluster: { 'insecure-skip-tls-verify': true },
  });
  expect(await readOf(basic, {})).toMatchObject({
    headers: { authorization: `Basic ${base64('me:pw')}` },
    tls: { rejectUnauthorized: false },
    warnings: [
      'context "basic", cluster "basic": insecure-skip-tls-verify is set, so anybody in between can pose as the seed',
    ],
  });
  const path = kubeconfig('dir/byFile', { user: { tokenFile: 'token', token: 'old' } });
  file('dir/token', 'one\n');
  const source = findCredentials(path, {});
  expect((await source.read(false)).headers).toEqual({ authorization: 'Bearer one' });
  file('dir/token', 'two\n');
  expect((await source.read(false)).headers).toEqual({ authorization: 'Bearer two' });
});

test('1.2 a kubeconfig: an exec plugin is run once, and again when its token is refused', async () => {
  const count = join(folder, 'count');
  const credential =
    '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t-%s"}}';
  const plugin = file(
    'plugin',
    `#!/bin/sh\necho x >> ${count}\nprintf '${credential}' "$(wc -l < ${count} | tr -d ' ')"\n`,
  );
  chmodSync(plugin, 0o755);
  const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: plugin, args: [] } };
  const source = findCredentials(kubeconfig('exec', { user }), {});
  const token = async (fresh: boolean): Promise<unknown> => (await source.read(fresh)).headers['authorization'];
  expect([await token(false), await token(false), await token(true), await token(false)]).toEqual([
    'Bearer t-1',
    'Bearer t-1',
    'Bearer t-2',
    'Bearer t-2',
  ]);
});

test('1.2 a kubeconfig that changes is read again', async () => {
  const source = findCredentials(kubeconfig('one', { user: { token: 'a' } }), {});
  expect((await source.read(false)).headers).toEqual({ authorization: 'Bearer a' });
  kubeconfig('one', { user: { token: 'b' } });
  expect((await source.read(false)).headers).toEqual({ authorization: 'Bearer b' });
});

test('1.2 several files in $KUBECONFIG: the first to name a thing wins, missing ones are passed over', async () => {
  const first = kubeconfig('first', { user: { token: 'of-first' } });
  const second = file(
    'second',
    stringify({
      clusters: [{ name: 'first', cluster: { server: 'https://wrong' } }],
      users: [{ name: 'first', user: { token: 'wrong' } }],
      contexts: [{ name: 'other', context: { cluster: 'first', user: 'first' } }],
      'current-context': 'other',
    }),
  );
  const env = { KUBECONFIG: [join(folder, 'gone'), first, second].join(delimiter) };
  expect(await readOf(undefined, env)).toMatchObject({
    server: 'https://first:443',
    headers: { authorization: 'Bearer of-first' },
  });
});

test('1.2 as another user, and with its groups, each in a header of its own', async () => {
  const own = { HOME: folder, ...pod };
  const at = { serviceAccountDirectory: serviceAccount() };
  const asked = { ...at, as: 'eve', asGroups: ['a', 'b'] };
  expect(await findCredentials(undefined, own, asked).read(false)).toMatchObject({
    headers: { authorization: 'Bearer pod-token', 'impersonate-user': 'eve', 'impersonate-group': ['a', 'b'] },
  });
  const nobody = await findCredentials(undefined, own, { ...at, as: '', asGroups: ['a'] }).read(false);
  expect(Object.keys(nobody.headers)).toEqual(['authorization']);
});

test('1.2 a name of any language is sent as its UTF-8, and one that would break its header is refused with its place', async () => {
  const [own, at] = [{ HOME: folder, ...pod }, { serviceAccountDirectory: serviceAccount() }];
  const { headers } = await findCredentials(undefined, own, { ...at, as: 'Jörg', asGroups: ['李'] }).read(false);
  expect(Buffer.from(String(headers['impersonate-user']), 'latin1').toString()).toBe('Jörg');
  expect(Buffer.from(String(headers['impersonate-group']), 'latin1').toString()).toBe('李');
  const odd = { ...at, as: 'eve', asGroups: ['a', 'b\r\nc: d'] };
  expect(() => findCredentials(undefined, own, odd)).toThrow(
    '--as-group holds a line break or another control character',
  );
  const path = kubeconfig('broken', { user: { token: 'a', as: 'a\nb' } });
  await expect(readOf(path, {})).rejects.toThrow(/user "broken".*, as holds a line break or another control/);
});

async function tokenAfter(connection: SeedConnection): Promise<string> {
  return String((await connection.wire()).headers['authorization'] ?? '');
}

test('1.2 credentials that cannot be read again are used on, and it is said; only new TLS material makes new connections', async () => {
  const clock = new VirtualClock();
  const { ca } = await issueCertificates('one');
  const warned: string[] = [];
  let answer: Credentials | Error = new Error('no such file');
  const read = async (): Promise<Credentials> => {
    await Promise.resolve();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const connection = new SeedConnection(
    { origin: 'x', read },
    clock,
    (problem) => problem !== undefined && warned.push(problem),
  );
  await expect(connection.wire()).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'no credentials for the seed: no such file',
  });

  const credentials = { server: 'https://seed', headers: { authorization: 'one' }, tls: { ca } };
  answer = credentials;
  const { dispatcher } = await connection.wire();
  answer = { ...credentials, headers: { authorization: 'two' } };
  await clock.advanceBy(60_000);
  expect(await tokenAfter(connection)).toBe('one');
  await settled();
  expect(await tokenAfter(connection)).toBe('two');
  expect((await connection.wire()).dispatcher).toBe(dispatcher);

  answer = new Error('gone');
  await clock.advanceBy(60_000);
  expect([await tokenAfter(connection), await tokenAfter(connection)]).toEqual(['two', 'two']);
  await settled();
  expect(warned).toEqual(['gone']);

  answer = { ...credentials, tls: { ca: `${ca}\n${ca}` } };
  await clock.advanceBy(60_000);
  await connection.wire();
  await settled();
  expect((await connection.wire()).dispatcher).not.toBe(dispatcher);
  await connection.close();
});
