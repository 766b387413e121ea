import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readKubeconfig } from '../../src/domain/prober/kubeconfig.ts';

const pem = '-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n';
const key = '-----BEGIN EC PRIVATE KEY-----\nMHc=\n-----END EC PRIVATE KEY-----\n';
const clientPair = { 'client-certificate-data': btoa(pem), 'client-key-data': btoa(key) };

function document(cluster: object = {}, user: object = { token: 'secret' }): object {
  const server = 'https://kube-apiserver.shoot--a--b.svc';
  return {
    'current-context': 'here',
    contexts: [
      { name: 'there', context: { cluster: 'there', user: 'there' } },
      { name: 'here', context: { cluster: 'c', user: 'u' } },
    ],
    clusters: [
      { name: 'there', cluster: { server: 'https://there', 'insecure-skip-tls-verify': true } },
      { name: 'c', cluster: { server, 'certificate-authority-data': btoa(pem), ...cluster } },
    ],
    users: [
      { name: 'there', user: { exec: { command: 'sh' } } },
      { name: 'u', user },
    ],
  };
}

const problemOf = (read: unknown) => {
  const reading = readKubeconfig(read);
  return reading.usable ? 'none' : reading.problem;
};

test('4.2 what the current context names is taken, and nothing else', () => {
  expect(readKubeconfig(document())).toEqual({
    usable: true,
    credentials: {
      server: { host: 'kube-apiserver.shoot--a--b.svc', port: 443, prefix: '' },
      ca: pem,
      token: 'secret',
    },
  });
});

test.each([
  ['https://a:6443', { host: 'a', port: 6443, prefix: '' }],
  ['https://a/k8s/clusters/b/', { host: 'a', port: 443, prefix: '/k8s/clusters/b' }],
  ['https://[fd00::1]:6443', { host: 'fd00::1', port: 6443, prefix: '' }],
  ['https://10.0.0.1', { host: '10.0.0.1', port: 443, prefix: '' }],
])('4.2 the server %s', (server, expected) => {
  expect(readKubeconfig(document({ server }))).toMatchObject({ usable: true, credentials: { server: expected } });
});

test.each([
  ['http://a', "the cluster's server is not https"],
  ['file:///etc/passwd', "the cluster's server is not https"],
  ['https://u:p@a', "the cluster's server carries a user"],
  ['https://a/?x=y', "the cluster's server carries a query"],
  ['https://a/#b', "the cluster's server carries a query"],
  ['a:443', "the cluster's server is not https"],
  ['', "the cluster's server is no URL"],
  [7, "the cluster's server is missing or no text"],
])('4.2 the server %j is refused', (server, problem) => {
  expect(problemOf(document({ server }))).toBe(problem);
});

test.each<[string, unknown]>([
  ['certificate-authority', '/etc/ca.crt'],
  ['insecure-skip-tls-verify', true],
  ['insecure-skip-tls-verify', 'yes'],
  ['proxy-url', 'socks5://a'],
])('4.2 %s of %j in a cluster is refused by name', (field, value) => {
  expect(problemOf(document({ [field]: value }))).toMatch(new RegExp(`^the cluster's ${field} is refused: [a-z ]+$`));
});

test.each<[string, unknown]>([
  ['exec', { command: 'sh' }],
  ['exec', {}],
  ['auth-provider', { name: 'gcp' }],
  ['tokenFile', '/var/run/token'],
  ['client-certificate', '/a'],
  ['client-key', '/a'],
  ['as', 'admin'],
  ['as-uid', '7'],
  ['as-groups', ['system:masters']],
  ['as-user-extra', { a: ['b'] }],
  ['username', 'admin'],
  ['password', 'x'],
])('4.2 %s of %j in a user is refused by name', (field, value) => {
  expect(problemOf(document({}, { token: 'secret', [field]: value }))).toMatch(
    new RegExp(`^the user's ${field} is refused: [a-z ]+$`),
  );
});

test('4.2 what Go writes for an unset field is unset', () => {
  const user = { token: 'secret', exec: null, tokenFile: '', 'client-certificate-data': '', username: '' };
  const cluster = { 'insecure-skip-tls-verify': false, 'proxy-url': '', 'tls-server-name': '' };
  expect(problemOf(document(cluster, user))).toBe('none');
});

test.each<[unknown]>([[''], [null], [undefined]])('4.1 a token of %j is no token yet', (token) => {
  expect(problemOf(document({}, { token }))).toBe('no token yet');
});

test.each<[string, string]>([
  ['a\r\nx: y', "the user's token has characters that no header may carry"],
  ['a b', "the user's token has characters that no header may carry"],
  ['\u0000', "the user's token has characters that no header may carry"],
  ['ü', "the user's token has characters that no header may carry"],
  ['x'.repeat(20_000), "the user's token is too long"],
])('4.2 a token that is none is refused', (token, problem) => {
  expect(problemOf(document({}, { token }))).toBe(problem);
});

test('4.2 a client certificate comes with its key, with or without a token', () => {
  const client = { certificate: pem, key };
  expect(readKubeconfig(document({}, clientPair))).toMatchObject({ usable: true, credentials: { client } });
  expect(readKubeconfig(document({}, { ...clientPair, token: 'secret' }))).toMatchObject({
    usable: true,
    credentials: { client, token: 'secret' },
  });
  expect(problemOf(document({}, { ...clientPair, 'client-key-data': undefined }))).toBe(
    "the user's client-key-data is missing or no text",
  );
});

test.each<[string, unknown]>([
  ['missing or no text', undefined],
  ['missing or no text', 7],
  ['not the base64 of a PEM certificate', 'not base64!'],
  ['not the base64 of a PEM certificate', btoa('not PEM')],
])('4.2 an authority that is %s is refused: the roots of the web vouch for no shoot', (problem, value) => {
  expect(problemOf(document({ 'certificate-authority-data': value }))).toBe(
    `the cluster's certificate-authority-data is ${problem}`,
  );
});

test.each<[unknown, string]>([
  [undefined, 'current-context names no context'],
  ['text', 'current-context names no context'],
  [{ ...document(), 'current-context': '' }, 'current-context names no context'],
  [{ ...document(), 'current-context': 'nowhere' }, 'current-context names no context'],
  [{ ...document(), contexts: {} }, 'current-context names no context'],
  [{ ...document(), clusters: [] }, 'the current context names no cluster'],
  [{ ...document(), users: null }, 'the current context names no user'],
])('4.1 a document that leads nowhere is unreadable (%#)', (read, problem) => {
  expect(problemOf(read)).toBe(problem);
});

test('4.2 every problem is named at once', () => {
  expect(problemOf(document({ server: 'http://a' }, { exec: {}, as: 'b' }))).toBe(
    "the cluster's server is not https; the user's exec is refused: it would run a program here; " +
      "the user's as is refused: it would act as somebody else",
  );
});

test('4.2 9.4 no problem repeats a value, and nothing makes the reading throw', () => {
  const canary = 'CANARY';
  const odd = fc.oneof(fc.constant(canary), fc.constant([canary]), fc.constant({ [canary]: canary }), fc.constant(7));
  const fields = [
    'server',
    'certificate-authority-data',
    'token',
    'exec',
    'client-certificate-data',
    'client-key-data',
  ];
  const some = fc.dictionary(fc.constantFrom(...fields), odd);
  fc.assert(
    fc.property(some, some, (cluster, user) => {
      expect(problemOf(document(cluster, user))).not.toContain(canary);
    }),
  );
});
