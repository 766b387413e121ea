import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Credentials } from '../../src/adapters/credentials/credentials.ts';
import { findCredentials } from '../../src/adapters/credentials/find-credentials.ts';
import { kubeconfigCredentials } from '../../src/adapters/credentials/kubeconfig-credentials.ts';
import { errorWords } from '../../src/adapters/words/plain-words.ts';
import { issueCertificates } from '@dwd/simulator/api/certificates.ts';

const secret = 'c6f1a6c0ffee4e0fb0a7';
const certificates = await issueCertificates('admin');
const others = await issueCertificates('other');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dwd-kubeconfig-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function file(text: string, mode = 0o644): string {
  const path = join(folder, `file-${count++}`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const server = 'https://seed.example.org';

function kubeconfig(cluster: object = {}, user: object = { token: secret }, more: object = {}): string {
  return stringify({
    clusters: [{ name: 'seed', cluster: { server, ...cluster } }],
    users: [{ name: 'admin', user }],
    contexts: [{ name: 'here', context: { cluster: 'seed', user: 'admin' } }],
    'current-context': 'here',
    ...more,
  });
}

/** What is said of a kubeconfig that cannot be used: what follows the file's name. */
async function fault(text: string): Promise<string> {
  const path = file(text);
  const said = await kubeconfigCredentials([path])
    .read(false)
    .then(() => 'nothing', errorWords);
  expect(said).not.toContain(secret);
  expect(said).not.toMatch(/undefined|null|PRIVATE|\n/);
  const beginning = `the kubeconfig ${path} cannot be used: `;
  expect(said.slice(0, beginning.length)).toBe(beginning);
  return said.slice(beginning.length).replaceAll(folder, '.');
}

const ofUser = (user: object) => kubeconfig({}, user);
const ofExec = (exec: object) => ofUser({ exec: { apiVersion: 'client.authentication.k8s.io/v1', ...exec } });
const plugin = (script: string, mode = 0o755) => ofExec({ command: file(`#!/bin/sh\n${script}\n`, mode) });
const context = (cluster: string, user: string) => ({ contexts: [{ name: 'here', context: { cluster, user } }] });

const atUser = 'context "here", user "admin"';
const atCluster = 'context "here", cluster "seed"';
const ways = 'a token, a tokenFile, a client certificate with its key, or exec';
const pair = { 'client-certificate-data': base64(certificates.certificate) };

const faults: Readonly<Record<string, readonly [text: () => string, says: string | RegExp]>> = {
  'is empty': [() => '', 'the file is empty'],
  'holds comments only': [() => '# nothing\n', 'the file is empty'],
  'is not YAML': [
    () => `users: [{name: a, user: {token: ${secret}}\nclusters: []\n`,
    /^it is not YAML: there is an error at line \d$/,
  ],
  'is a text': [
    () => secret,
    'it is not a kubeconfig: found a text, expected clusters, users, contexts and current-context',
  ],
  'is another mapping': [
    () => 'probeInterval: 30s\n',
    'it is not a kubeconfig: found a mapping of probeInterval, expected clusters, users, contexts and current-context',
  ],
  'is another object': [
    () => `kind: Secret\ndata: {kubeconfig: ${secret}}\n`,
    'it is not a kubeconfig: found kind Secret, expected Config',
  ],
  'has no current context': [
    () => kubeconfig({}, {}, { 'current-context': '' }),
    'current-context is missing; "kubectl config use-context NAME" sets one (found "here")',
  ],
  'has a current context that is not there': [
    () => kubeconfig({}, {}, { 'current-context': 'there' }),
    'current-context is "there", which is not in contexts (found "here")',
  ],
  'has no contexts': [
    () => 'clusters: []\nusers: []\ncurrent-context: here\n',
    'current-context is "here", which is not in contexts (found none)',
  ],
  'names a missing cluster': [
    () => kubeconfig({}, {}, context('sead', 'admin')),
    'context "here" names the cluster "sead", which is not in clusters (found "seed")',
  ],
  'names a missing user': [
    () => kubeconfig({}, {}, context('seed', 'root')),
    'context "here" names the user "root", which is not in users (found "admin")',
  ],
  'names no user': [() => kubeconfig({}, {}, context('seed', '')), 'context "here" names no user'],
  'has no server': [() => kubeconfig({ server: '' }), `${atCluster}, server is missing; expected https://HOST:PORT`],
  'has a server without a scheme': [
    () => kubeconfig({ server: 'seed:443' }),
    `${atCluster}, server must be a URL such as https://HOST:PORT`,
  ],
  'has a password in its server': [
    () => kubeconfig({ server: `https://me:${secret}@seed` }),
    `${atCluster}, server must not hold a user or a password`,
  ],
  'has an http server': [
    () => kubeconfig({ server: 'http://seed:8080' }),
    `${atCluster}, server must begin with https; found http://seed:8080, where anybody could read the credentials`,
  ],
  'goes through a proxy': [
    () => kubeconfig({ 'proxy-url': `http://me:${secret}@proxy` }),
    `${atCluster}, proxy-url is not supported; remove it, and reach the seed without a proxy`,
  ],
  'skips verification, and names an authority': [
    () => kubeconfig({ 'insecure-skip-tls-verify': true, 'certificate-authority-data': base64(certificates.ca) }),
    `${atCluster}: insecure-skip-tls-verify contradicts certificate-authority; remove one of them`,
  ],
  'names a missing authority': [
    () => kubeconfig({ 'certificate-authority': 'ca.crt' }),
    `${atCluster}, certificate-authority: ./ca.crt: no such file`,
  ],
  'names a directory as its authority': [
    () => kubeconfig({ 'certificate-authority': folder }),
    `${atCluster}, certificate-authority: .: it is a directory`,
  ],
  'has an authority that is no PEM': [
    () => kubeconfig({ 'certificate-authority-data': 'x' }),
    `${atCluster}, certificate-authority-data must hold a certificate in PEM`,
  ],
  'has an authority that is broken': [
    () => kubeconfig({ 'certificate-authority-data': base64(certificates.ca.replace(/\n.{20}/, '\n')) }),
    `${atCluster}, certificate-authority-data holds a certificate that cannot be read`,
  ],
  'has no credentials': [() => ofUser({}), `${atUser} has no credentials; expected ${ways}`],
  'has a token that YAML takes for a number': [
    () => ofUser({ token: 12_345_678 }),
    `${atUser}, token must be a text; put it in quotes`,
  ],
  'has a token of several lines': [
    () => ofUser({ token: `${secret}\nHost: x` }),
    `${atUser}, token holds characters that no token has`,
  ],
  'names a missing token file': [() => ofUser({ tokenFile: 'token' }), `${atUser}, tokenFile: ./token: no such file`],
  'names an empty token file': [() => ofUser({ tokenFile: file('\n') }), `${atUser}, tokenFile: the file is empty`],
  'has a certificate without a key': [
    () => ofUser(pair),
    `${atUser} has a client-certificate, but client-key is missing`,
  ],
  'has a key without a certificate': [
    () => ofUser({ 'client-key-data': base64(certificates.key) }),
    `${atUser} has a client-key, but client-certificate is missing`,
  ],
  'names a missing certificate': [
    () => ofUser({ 'client-certificate': 'me.crt', 'client-key': 'me.key' }),
    `${atUser}, client-certificate: ./me.crt: no such file`,
  ],
  'names a missing key': [
    () => ofUser({ ...pair, 'client-key': 'me.key' }),
    `${atUser}, client-key: ./me.key: no such file`,
  ],
  'has a key that is none': [
    () => ofUser({ ...pair, 'client-key-data': base64(secret) }),
    `${atUser}, client-key-data must hold a private key in PEM`,
  ],
  'has a key of another certificate': [
    () => ofUser({ ...pair, 'client-key-data': base64(others.key) }),
    `${atUser}, client-key-data is not the key of the client certificate`,
  ],
  'has an auth-provider': [
    () => ofUser({ 'auth-provider': { name: 'gcp' } }),
    `${atUser}, auth-provider is not supported; use ${ways}`,
  ],
  'acts for a group': [
    () => ofUser({ token: secret, 'as-groups': ['g'] }),
    `${atUser}, as-groups is not supported; remove it`,
  ],
  'has a plugin that is not installed': [
    () => ofExec({ command: 'dwd-no-such-plugin' }),
    `${atUser}, exec: the plugin "dwd-no-such-plugin" was not found; install it, or use a token or a certificate`,
  ],
  'has a plugin with a hint how to install it': [
    () => ofExec({ command: 'dwd-no-such-plugin', installHint: 'Get it from\nexample.org' }),
    `${atUser}, exec: the plugin "dwd-no-such-plugin" was not found; Get it from example.org`,
  ],
  'has a plugin without a command': [() => ofExec({}), `${atUser}, exec.command is missing`],
  'has a plugin that needs a terminal': [
    () => ofExec({ command: 'x', interactiveMode: 'Always' }),
    `${atUser}, exec.interactiveMode is Always, but there is no terminal here; use a token or a certificate`,
  ],
  'has a plugin that may not be run': [
    () => plugin('true', 0o644),
    /the plugin ".*" may not be run: permission denied$/,
  ],
  'has a plugin that fails': [
    () => plugin('echo no >&2; echo log in first >&2; exit 3'),
    /the plugin ".*" failed with exit code 3: log in first$/,
  ],
  'has a plugin that fails in silence': [
    () => plugin('exit 1'),
    /the plugin ".*" failed with exit code 1, and said nothing$/,
  ],
  'has a plugin that is killed': [
    () => plugin('kill -TERM $$'),
    /the plugin ".*" was ended by SIGTERM, and said nothing$/,
  ],
  'has a plugin that waits for a password': [
    () => plugin('read password || exit 4'),
    /failed with exit code 4, and said nothing$/,
  ],
  'has a plugin that prints nothing': [() => plugin('true'), /must print an ExecCredential as JSON; found nothing$/],
  'has a plugin that prints a token': [
    () => plugin(`echo ${secret}`),
    /must print an ExecCredential as JSON; found something else$/,
  ],
  'has a plugin that prints other JSON': [
    () => plugin(`echo '{"token": "${secret}"}'`),
    /printed neither status\.token nor status\.clientCertificateData with status\.clientKeyData$/,
  ],
};

test.for(Object.entries(faults))(
  '1.5, 9.4 a kubeconfig that %s is refused in one sentence',
  async ([, [text, says]]) => {
    const said = await fault(text());
    expect(said).toMatch(typeof says === 'string' ? new RegExp(`^${RegExp.escape(says)}$`) : says);
  },
);

test('1.5 a kubeconfig that is not there, and several of which none is, are named', async () => {
  const path = join(folder, 'none');
  await expect(findCredentials(path, {}).read(false)).rejects.toThrow(
    `the kubeconfig ${path} cannot be used: no such file`,
  );
  await expect(findCredentials(folder, {}).read(false)).rejects.toThrow('cannot be used: it is a directory');
  const both = [join(folder, 'a'), join(folder, 'b')];
  expect(() => findCredentials(undefined, { KUBECONFIG: both.join(delimiter) })).toThrow(
    `no kubeconfig found: $KUBECONFIG names ${both.join(', ')}, and none of them exists`,
  );
});

test('1.5 of several files, the one that is broken is named', async () => {
  const [good, broken] = [file(kubeconfig()), file('{{{')];
  const source = findCredentials(undefined, { KUBECONFIG: [good, broken].join(delimiter) });
  await expect(source.read(false)).rejects.toThrow(`${good}, ${broken} cannot be used: ${broken} is not YAML`);
});

async function read(text: string, now?: number): Promise<Credentials> {
  return await kubeconfigCredentials([file(text)], { now: () => now ?? Date.parse('2026-01-01T00:00:00Z') }).read(
    false,
  );
}

test('1.5 what works and is most likely wrong is a warning', async () => {
  expect((await read(kubeconfig())).warnings).toBeUndefined();
  expect((await read(kubeconfig({ 'insecure-skip-tls-verify': true }))).warnings).toEqual([
    `${atCluster}: insecure-skip-tls-verify is set, so anybody in between can pose as the seed`,
  ]);
  const bundle = `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${certificates.ca}`;
  expect((await read(kubeconfig({ 'certificate-authority-data': base64(bundle) }))).warnings).toEqual([
    `${atCluster}, certificate-authority-data: 1 of 2 certificates cannot be read, and is not trusted`,
  ]);
  const user = { ...pair, 'client-key-data': base64(certificates.key) };
  expect((await read(kubeconfig({}, user))).warnings).toBeUndefined();
  expect((await read(kubeconfig({}, user), Date.parse('2100-01-01T00:00:00Z'))).warnings).toEqual([
    `${atUser}, client-certificate-data expired at 2099-01-01T00:00:00.000Z; the seed will refuse it`,
  ]);
});

test('1.5 an exec plugin is told what client-go tells it, and may give a certificate', async () => {
  const seen = join(folder, 'seen');
  const answer = {
    kind: 'ExecCredential',
    status: { clientCertificateData: certificates.certificate, clientKeyData: certificates.key },
  };
  const output = file(JSON.stringify(answer));
  const command = file(`#!/bin/sh\necho "$1 $OWN $KUBERNETES_EXEC_INFO" > ${seen}\ncat ${output}\n`, 0o755);
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: `./${command.slice(folder.length + 1)}`,
    args: ['login'],
    env: [{ name: 'OWN', value: 'o' }],
    provideClusterInfo: true,
  };
  expect(await read(kubeconfig({}, { exec }))).toMatchObject({
    headers: {},
    tls: { cert: certificates.certificate, key: certificates.key },
  });
  const [first, own, ...info] = readFileSync(seen, 'utf8').trim().split(' ');
  expect([first, own]).toEqual(['login', 'o']);
  expect(JSON.parse(info.join(' '))).toEqual({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server } },
  });
});

test.for([
  ['2000-01-01T00:00:00Z', ['Bearer t-1', 'Bearer t-2']],
  ['2099-01-01T00:00:00Z', ['Bearer t-1', 'Bearer t-1']],
] as const)('1.5 an exec plugin is asked again once what it gave has expired: %s', async ([until, tokens]) => {
  const calls = join(folder, `calls-${until}`);
  const credential = `{"status":{"token":"t-%s","expirationTimestamp":"${until}"}}`;
  const command = file(
    `#!/bin/sh\necho x >> ${calls}\nprintf '${credential}' "$(wc -l < ${calls} | tr -d ' ')"\n`,
    0o755,
  );
  const source = kubeconfigCredentials([file(ofExec({ command }))]);
  const token = async () => (await source.read(false)).headers['authorization'];
  expect([await token(), await token()]).toEqual(tokens);
});

function idToken(endsAt: number): string {
  const parts = [{ alg: 'none' }, { exp: endsAt }];
  const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${encoded.join('.')}.${secret}`;
}

const ofIssuer = (config: object) => ofUser({ 'auth-provider': { name: 'oidc', config } });

test('1.5 an id-token of an OIDC issuer is used while it lasts', async () => {
  const token = idToken(4_000_000_000);
  expect((await read(ofIssuer({ 'id-token': token }))).headers).toEqual({ authorization: `Bearer ${token}` });
});

test('1.5, 9.4 an OIDC issuer that gives no token is one sentence', async () => {
  const needs = 'it needs an id-token, and to renew that a refresh-token, a client-id and an idp-issuer-url';
  expect(await fault(ofIssuer({}))).toBe(`${atUser}, auth-provider oidc gave no token: ${needs}`);
  expect(await fault(ofIssuer({ 'id-token': idToken(1) }))).toBe(
    `${atUser}, auth-provider oidc gave no token: ${needs}`,
  );
  expect(await fault(ofIssuer({ 'id-token': `${secret}.${secret}.x` }))).toBe(
    `${atUser}, auth-provider oidc: the id-token can be neither used nor renewed; log in again`,
  );
  const renewed = { 'id-token': idToken(1), 'refresh-token': secret, 'client-id': 'us' };
  expect(await fault(ofIssuer({ ...renewed, 'idp-issuer-url': 'https://127.0.0.1:2/' }))).toBe(
    `${atUser}, auth-provider oidc: the issuer gave no new token: connection refused`,
  );
  expect(await fault(ofIssuer({ ...renewed, 'idp-issuer-url': 'issuer' }))).toBe(
    `${atUser}, auth-provider oidc: idp-issuer-url must be a URL such as https://HOST`,
  );
});
