import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import { LineSplitter, readLines } from '../../src/adapters/reading/bounded-bytes.ts';
import { nameRequest, wordsOf } from '../../src/adapters/seed-client/request-sender.ts';
import { statusError, transportError } from '../../src/adapters/kube/request-failure.ts';

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts.map((one) => one % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(start, cut);
    start = cut;
  }
}

const tooLong = () => new Error('too long');

test('6.2 however a stream is cut into chunks, its lines are the same', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `"${text.replaceAll(/\s/gu, '.')}"`);
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat()), fc.boolean(), async (lines, cuts, ended) => {
      const text = lines.join('\n') + (ended ? '\n' : '');
      const seen: string[] = [];
      for await (const one of readLines(inPieces(Buffer.from(text), cuts), new LineSplitter(1_000, tooLong)))
        seen.push(one);
      expect(seen).toEqual(text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
    }),
  );
});

test('6.2 a line beyond its limit ends the stream, wherever it is cut', async () => {
  const bytes = Buffer.from(`${'a'.repeat(10)}\n${'b'.repeat(11)}\nc`);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const line of readLines(inPieces(bytes, [cut]), new LineSplitter(11, tooLong))) seen.push(line);
    };
    await expect(read()).rejects.toThrow('too long');
    expect(seen).toEqual(['aaaaaaaaaa\n']);
  }
});

test.each([
  ['GET', '/api/v1/namespaces/a/pods', {}, 'list', 'pods', 'list pods a'],
  ['GET', '/api/v1/pods', { watch: '1' }, 'watch', 'pods', 'watch pods'],
  ['GET', '/apis/apps/v1/deployments', { watch: 'true' }, 'watch', 'deployments', 'watch deployments'],
  ['GET', '/apis/apps/v1/namespaces/a/deployments/b', {}, 'get', 'deployments', 'get deployments a/b'],
  [
    'PATCH',
    '/apis/apps/v1/namespaces/a/deployments/b/scale',
    {},
    'patch',
    'deployments/scale',
    'patch deployments/scale a/b',
  ],
  ['GET', '/apis/extensions.gardener.cloud/v1alpha1/clusters', {}, 'list', 'clusters', 'list clusters'],
  ['GET', '/apis/extensions.gardener.cloud/v1alpha1/clusters/c', {}, 'get', 'clusters', 'get clusters c'],
  ['GET', '/api/v1/namespaces', {}, 'list', 'namespaces', 'list namespaces'],
  ['GET', '/api/v1/namespaces/a', {}, 'get', 'namespaces', 'get namespaces a'],
  ['POST', '/apis/coordination.k8s.io/v1/namespaces/garden/leases', {}, 'create', 'leases', 'create leases garden'],
  ['PUT', '/apis/coordination.k8s.io/v1/namespaces/garden/leases/l', {}, 'update', 'leases', 'update leases garden/l'],
  ['DELETE', '/api/v1/namespaces/a/pods/p', {}, 'delete', 'pods', 'delete pods a/p'],
  ['GET', '/apis/apps/v1', {}, 'get', 'discovery', 'get discovery'],
  ['GET', '/api/v1', {}, 'get', 'discovery', 'get discovery'],
  ['GET', '/version', {}, 'get', 'version', 'get version'],
] as const)('9.2 %s %s %j is %s %s', (method, path, query, verb, resource, words) => {
  const name = nameRequest(method, path, query);
  expect(name).toMatchObject({ verb, resource });
  expect(wordsOf(name)).toBe(words);
});

function withCode(code: string, cause?: unknown): Error {
  return Object.assign(new Error('fetch failed', { cause }), code === '' ? {} : { code });
}

const untrusted = "the server's certificate does not verify";

test.each([
  ['ECONNREFUSED', 'unreachable', 'connection refused'],
  ['ECONNRESET', 'unreachable', 'connection reset'],
  ['UND_ERR_SOCKET', 'unreachable', 'the server closed the connection'],
  ['ENOTFOUND', 'unreachable', 'no such host'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'unreachable', 'the server does not speak TLS'],
  ['ENEW', 'unreachable', 'the connection failed (ENEW)'],
  ['constructor', 'unreachable', 'the connection failed (constructor)'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'timed out'],
  ['ETIMEDOUT', 'timeout', 'timed out'],
  ['CERT_HAS_EXPIRED', 'certificate', `${untrusted} (it has expired)`],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate', `${untrusted} (it is from an unknown authority)`],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate', `${untrusted} (it is from an unknown authority)`],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate', `${untrusted} (it is for another name)`],
  ['CERT_REVOKED', 'certificate', `${untrusted} (CERT_REVOKED)`],
  ['HPE_INVALID_CONSTANT', 'garbled', 'the answer is no HTTP (HPE_INVALID_CONSTANT)'],
])('9.2 9.4 an error with %s, or caused by one, is %s, in plain words', (code, kind, why) => {
  const expected = { kind, status: 0, why, message: `get pods a failed: ${why}` };
  expect(transportError('get pods a', withCode(code))).toMatchObject(expected);
  expect(transportError('get pods a', withCode('', withCode(code)))).toMatchObject(expected);
  expect(transportError('get pods a', withCode('ECONNREFUSED', withCode(code)))).toMatchObject({ kind });
});

test('9.2 of several addresses, a certificate that did not verify is reported before a refused connection', () => {
  const error = new AggregateError([withCode('ECONNREFUSED'), withCode('CERT_HAS_EXPIRED')]);
  expect(transportError('get pods', error).kind).toBe('certificate');
  expect(transportError('get pods', 'a text').message).toBe('get pods failed: the connection failed (a text)');
  const own = new KubeError('timeout', 'own');
  expect(transportError('get pods', own)).toBe(own);
});

test('4.5 a Status becomes one line, with its reason and when to come back', () => {
  const body = JSON.stringify({
    kind: 'Status',
    reason: 'TooManyRequests',
    message: 'slow\n down',
    details: { retryAfterSeconds: 3 },
  });
  expect(statusError('get pods', { status: 429, retryAfter: undefined, body }, 0)).toMatchObject({
    kind: 'status',
    status: 429,
    reason: 'TooManyRequests',
    retryAfter: 3_000,
    message: 'get pods was answered 429 TooManyRequests: slow down',
  });
  expect(statusError('get pods', { status: 429, retryAfter: '7', body }, 0).retryAfter).toBe(7_000);
  const hinted = statusError('get pods', { status: 401, retryAfter: undefined, body: '', hint: 'look at x' }, 0);
  expect(hinted).toMatchObject({ message: 'get pods was answered 401', why: '401: look at x' });
  const page = statusError(
    'get pods',
    { status: 502, retryAfter: undefined, body: `<h1>bad</h1>${'x'.repeat(9_000)}` },
    0,
  );
  expect(page).toMatchObject({ status: 502, reason: '', retryAfter: undefined });
  expect(page.message).toMatch(/^get pods was answered 502: <h1>bad/);
  expect(page.message.length).toBeLessThan(700);
  expect(statusError('get pods', { status: 404, retryAfter: undefined, body: '' }, 0).message).toBe(
    'get pods was answered 404',
  );
});
