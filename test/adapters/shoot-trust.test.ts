import type { LookupFunction } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { ScriptedServer } from '@dwd/testing/scripted-server.ts';
import { oddAuthority, servedBy, type Authority } from './shoot-odd-certificates.ts';
import { unverified } from '../support/unverified.ts';
import { fine, kubeconfigFor, shootStage, token } from '@dwd/testing/shoot-stage.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const user = (certificate: string, key: string) => ({
  token: '',
  'client-certificate-data': base64(certificate),
  'client-key-data': base64(key),
});

/** A stage whose server shows a certificate for these names. */
async function serving(authority: Authority, names: readonly string[], notAfter?: Date, lookup?: LookupFunction) {
  const server = new ScriptedServer(servedBy(authority, await authority.issue(names, notAfter)), fine);
  return shootStage(fine, { server: await server.listen(), ...(lookup === undefined ? {} : { lookup }) });
}

test('4.2 an expired certificate is refused, and named as that', async () => {
  await using stage = await serving(await oddAuthority('a'), ['127.0.0.1'], new Date('2021-01-01T00:00:00Z'));
  const answer = await stage.leases();
  expect(answer).toMatchObject({ ok: false, failure: { reason: 'certificate' } });
  expect(!answer.ok && answer.failure.detail).toMatch(
    /^the certificate of 127.0.0.1:\d+ does not verify: it has expired$/,
  );
});

// What Node's own rules say, whoever is asked first.
test.each<readonly [boolean, string, readonly string[]]>([
  [true, 'api.one.example', ['kubernetes', 'api.one.example']],
  [true, 'API.one.example', ['api.one.EXAMPLE']],
  [true, 'api.one.example', ['*.one.example']],
  [true, 'ap-1.one.example', ['ap*.one.example']],
  [true, '127.0.0.1', ['kubernetes', '127.0.0.1']],
  [true, '2001:db8::1', ['2001:db8:0:0:0:0:0:1']],
  [false, 'one.example', ['*.one.example', 'api.one.example']],
  [false, 'two.api.one.example', ['*.one.example', 'api.one.example']],
  [false, 'one.example', ['*.example.com', '*.example']],
  [false, 'somebody', ['api.one.example']],
  [false, '127.0.0.2', ['127.0.0.1']],
  [false, '2001:db8::2', ['2001:db8::1']],
  // OpenSSL takes a name that begins with a dot for all names below it, ends one at a null, and throws at some.
  [false, '.example', ['api.one.example']],
  [false, 'api.one.example\0.two', ['api.two.example']],
  [false, 'fe80::1%lo', ['fe80::2']],
])('4.2 %s: %j is what a certificate for %j vouches for', async (passes, name, names) => {
  await using stage = await serving(await oddAuthority('a'), names);
  stage.kubeconfig = kubeconfigFor(stage.server, { 'tls-server-name': name });
  expect((await stage.leases()).ok).toBe(passes);
  expect(stage.server.received).toHaveLength(passes ? 2 : 0);
});

const here: LookupFunction = (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]);

test('4.2 an address as tls-server-name is verified, and not the host in its place', async () => {
  const name = 'kube-apiserver.example';
  await using stage = await serving(await oddAuthority('a'), [name], undefined, here);
  const { port } = new URL(stage.server.url);
  const named = { url: `https://${name}:${port}`, ca: stage.server.ca };
  stage.kubeconfig = kubeconfigFor(named);
  expect((await stage.leases()).ok).toBe(true);
  stage.kubeconfig = kubeconfigFor(named, { 'tls-server-name': '192.0.2.7' });
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { reason: 'certificate' } });
  expect(stage.server.received).toHaveLength(2);
});

test('4.2 no variable of the environment turns the looking at certificates off', async () => {
  await using stage = await serving(await oddAuthority('a'), ['elsewhere.example']);
  using _ = unverified();
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { reason: 'certificate' } });
  stage.kubeconfig = kubeconfigFor({ url: stage.server.url, ca: (await oddAuthority('b')).ca });
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { reason: 'certificate' } });
  expect(stage.server.received).toEqual([]);
});

test.each([
  ['of different names', 'old', 'new'],
  ['of one name', 'same', 'same'],
])('4.2 a bundle of authorities %s, as during a rotation, trusts each of them', async (_, one, other) => {
  const [old, next] = [await oddAuthority(one), await oddAuthority(other)];
  await using stage = await serving(next, ['127.0.0.1']);
  stage.kubeconfig = kubeconfigFor({ url: stage.server.url, ca: `${old.ca}\n${next.ca}` });
  expect((await stage.leases()).ok).toBe(true);
});

test('4.2 a bundle that holds no certificate trusts nobody', async () => {
  await using stage = await shootStage(fine);
  const ca = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  stage.kubeconfig = kubeconfigFor({ url: stage.server.url, ca });
  expect(await stage.leases()).toMatchObject({ ok: false });
  expect(stage.server.received).toEqual([]);
});

test.each([
  ['TLS 1.3', {}],
  ['TLS 1.2', { maxVersion: 'TLSv1.2' } as const],
  ['another group', { ecdhCurve: 'P-384' }],
])('4.2 an inline client certificate is shown, without a token too (%s)', async (_, old) => {
  const authority = await oddAuthority('a');
  const [own, client] = [await authority.issue(['127.0.0.1']), await authority.issue(['probe'])];
  const shown: string[] = [];
  const server = createServer(
    { cert: own.certificate, key: own.key, ca: authority.ca, requestCert: true, rejectUnauthorized: true, ...old },
    (socket: TLSSocket) => {
      shown.push(socket.getPeerCertificate().subjectaltname ?? '');
      socket.on('error', () => undefined);
      socket.once('data', (request: Buffer) => {
        expect(request.toString()).not.toMatch(/authorization/i);
        socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n');
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await using stage = await shootStage(fine);
  const target = { url: `https://127.0.0.1:${port}`, ca: authority.ca };
  stage.kubeconfig = kubeconfigFor(target, {}, user(client.certificate, client.key));
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { reason: 'refused' } });
  expect(shown).toEqual(['DNS:probe']);

  stage.kubeconfig = kubeconfigFor(target, {}, user(client.certificate, own.key));
  const unfit = await stage.leases();
  expect(unfit).toMatchObject({ ok: false, failure: { reason: 'kubeconfig' } });
  expect(JSON.stringify(unfit)).not.toContain('KEY');
  server.close();
});

test('4.1 a token that is renewed in place is used by the next probe', async () => {
  await using stage = await shootStage(fine);
  await stage.leases();
  stage.kubeconfig = kubeconfigFor(stage.server, {}, { token: 'renewed' });
  await stage.leases();
  const sent = stage.server.received.map(({ headers }) => headers.authorization);
  expect(sent).toEqual([`Bearer ${token}`, `Bearer ${token}`, 'Bearer renewed', 'Bearer renewed']);
});

const noYaml = 'it is no YAML';
const noKubeconfig = 'current-context names no context';

test.each<[string, string, string]>([
  ['no YAML', 'a: [b', noYaml],
  ['two documents', 'a: b\n---\nc: d', noYaml],
  ['a bomb of aliases', 'a: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]', noYaml],
  ['a deep nest', '['.repeat(60_000), noYaml],
  ['a megabyte', `a: ${'x'.repeat(1_048_576)}`, 'it is above 65536 characters'],
  ['an empty text', '', noKubeconfig],
  ['a list', '- a', noKubeconfig],
  ['a key said twice', 'a: b\na: c', noKubeconfig],
])('4.1 %s for a kubeconfig is unreadable, and repeats nothing', async (_, text, problem) => {
  await using stage = await shootStage(fine);
  stage.kubeconfig = text;
  const detail = `the shoot's kubeconfig cannot be used: ${problem}`;
  expect(await stage.leases()).toEqual({ ok: false, failure: { stage: 'version', reason: 'kubeconfig', detail } });
  expect(stage.server.connections).toBe(0);
});
