import { expect, test } from 'vitest';
import { hideSecrets } from '../../src/adapters/words/secrets.ts';

test.each([
  ['token eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJr.c2lnbmF0 here', 'token [hidden] here'],
  ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [hidden]'],
  ['Authorization: Basic YWRtaW46aHVudGVyMg==', 'Authorization: Basic [hidden]'],
  ['at https://admin:secret@host/path', 'at https://[hidden]@host/path'],
  ['a -----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY----- b', 'a [hidden] b'],
  ['a -----BEGIN CERTIFICATE-----\nMIIB "', 'a [hidden]'],
  ['at https://admin:"\\secret@host/path', 'at https://[hidden]@host/path'],
  ['certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t', 'certificate-authority-data: [hidden]'],
])('9.4 hidden: %s', (text, hidden) => {
  expect(hideSecrets(text)).toBe(hidden);
});

test.each([
  'shoot--basic--bearer and basic, bearer: short words',
  'shoot--proj--name-worker-a-z1-7d9f8-abcde',
  'basic authentication failed; bearer token missing',
  'https://kube-apiserver.shoot--a--b.svc/version',
  'apps/v1/Deployment/kube-controller-manager',
  '{"renewedAt":1790000000123.25}',
])('9.4 left as it is: %s', (text) => {
  expect(hideSecrets(text)).toBe(text);
});

test('9.4 4.7 a megabyte that begins like a token again and again is looked through in a moment', () => {
  const hostile = 'eyJ'.repeat(350_000);
  expect(hideSecrets(hostile)).toBe(hostile);
});
