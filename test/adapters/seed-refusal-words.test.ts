import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import type { Credentials } from '../../src/adapters/credentials/credentials.ts';
import { refusalWords } from '../../src/adapters/seed-client/refusal-words.ts';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import { RateLimit } from '../../src/adapters/seed-client/rate-limit.ts';
import { SeedConnection } from '../../src/adapters/seed-client/seed-connection.ts';
import { UndiciKubeClient } from '../../src/adapters/seed-client/undici-kube-client.ts';
import type { ServingCertificates } from '@dwd/simulator/api/certificates.ts';
import { answerJson, ScriptedServer } from '@dwd/testing/scripted-server.ts';
import { oddAuthority, servedBy } from './shoot-odd-certificates.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const kubeconfig = 'the kubeconfig /x/y';

/** Why requests to a server with these certificates fail; how often it was connected. */
async function failing(
  certificates: ServingCertificates,
  credentials: Partial<Credentials> = {},
  times = 1,
): Promise<Readonly<{ why: string; message: string; connections: number }>> {
  const server = await new ScriptedServer(certificates, (_request, response) => answerJson(response, {}, 401)).listen();
  const given = { server: server.url, headers: {}, tls: { ca: server.ca }, ...credentials };
  const connection = new SeedConnection({ origin: kubeconfig, read: () => Promise.resolve(given) }, systemClock);
  opened.push(
    () => connection.close(),
    () => server.close(),
  );
  const limit = new RateLimit(systemClock, 'unlimited');
  const client = new UndiciKubeClient({ connection, clock: systemClock, limit, userAgent: 'test' });
  let failure: unknown;
  for (let count = 0; count < times; count++)
    failure = await client.request({ method: 'GET', path: '/api/v1/pods' }).catch((error: unknown) => error);
  if (!(failure instanceof KubeError)) throw new Error('it did not fail');
  return { why: failure.why, message: failure.message, connections: server.connections };
}

const authority = await oddAuthority('seed CA');
const good = servedBy(authority, await authority.issue(['127.0.0.1']));

test('9.4 a certificate that has expired says since when', async () => {
  const expired = servedBy(authority, await authority.issue(['127.0.0.1'], new Date('2021-01-01T00:00:00Z')));
  const why = "the server's certificate expired on 2021-01-01T00:00:00.000Z: renew it";
  expect(await failing(expired)).toMatchObject({ why, message: `list pods failed: ${why}` });
});

test('9.4 a certificate of an unknown authority says which one, and what is trusted instead', async () => {
  const { ca } = await oddAuthority('another CA');
  const why = `the server's certificate is from an unknown authority ("seed CA"), not the one in ${kubeconfig}`;
  expect(await failing(good, { tls: { ca } })).toMatchObject({ why });
  expect((await failing(good, { tls: {} })).why).toContain(`, ${kubeconfig} names no authority`);
});

test('9.4 a certificate of an authority that took the same name with another key is from an unknown one', async () => {
  const { ca } = await oddAuthority('seed CA');
  expect((await failing(good, { tls: { ca } })).why).toContain('is from an unknown authority ("seed CA")');
});

test('9.4 a certificate for another name says for which', async () => {
  const other = servedBy(authority, await authority.issue(['seed.example', '10.0.0.1']));
  expect((await failing(other)).why).toBe(
    `the server's certificate is not for 127.0.0.1, but for seed.example, 10.0.0.1: look at server and tls-server-name in ${kubeconfig}`,
  );
  expect((await failing(good, { tls: { ca: good.ca, servername: 'a.example' } })).why).toContain(
    'is not for a.example',
  );
});

test('9.4 a server whose certificate does not verify is looked at once, and not at each try', async () => {
  const once = await failing(good, { tls: {} });
  const fiveTimes = await failing(good, { tls: {} }, 5);
  expect(fiveTimes.connections - once.connections).toBe(4);
});

const at = Date.parse('2026-11-22T12:00:00Z');
const jwt = (exp?: number) => `a.${Buffer.from(JSON.stringify({ sub: 'me', exp })).toString('base64url')}.b`;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const { certificate: oldCertificate } = await authority.issue(['me'], new Date('2021-01-01T00:00:00Z'));

test.each([
  ['an opaque token', bearer('opaque'), 'the token is not accepted, look at'],
  ['a token that is no JWT', bearer('a.b.c'), 'the token is not accepted, look at'],
  ['a token without an end', bearer(jwt()), 'the token is not accepted, look at'],
  ['a token for tomorrow', bearer(jwt(at / 1_000 + 86_400)), 'the token is not accepted, look at'],
  ['a token of yesterday', bearer(jwt(at / 1_000 - 86_400)), 'the token expired on 2026-11-21T12:00:00.000Z, look at'],
  ['a password', { headers: { authorization: 'Basic eDp5' } }, 'the user and the password are not accepted, look at'],
  ['a certificate', { tls: { cert: good.certificate } }, 'the client certificate is not accepted, look at'],
  [
    'an old certificate',
    { tls: { cert: oldCertificate } },
    'the client certificate expired on 2021-01-01T00:00:00.000Z, look at',
  ],
  ['what is no certificate', { tls: { cert: 'x' } }, 'the client certificate is not accepted, look at'],
  ['nothing', {}, 'there is no token and no client certificate in'],
])('9.4 a 401 with %s says what to look at', (_what, credentials, words) => {
  const all = { server: 'https://x', headers: {}, tls: {}, ...credentials };
  expect(refusalWords(all, kubeconfig, at)).toBe(`${words} ${kubeconfig}`);
});

test('9.4 a server that answers 401 is told with what to look at', async () => {
  const { why, message } = await failing(good, bearer('a-token-that-nobody-may-see'));
  expect(why).toBe(`401: the token is not accepted, look at ${kubeconfig}`);
  expect(message).toBe('list pods was answered 401');
});
