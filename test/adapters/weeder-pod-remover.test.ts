import { expect, test } from 'vitest';

import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import { podRemover } from '../../src/adapters/weeder-seed/pod-remover.ts';
import { valueAt } from '../../src/domain/value-at.ts';
import { FakeKubeClient } from '@dwd/testing/fake-kube-client.ts';
import { answerJson } from '@dwd/testing/scripted-server.ts';
import { wiredClient } from '../support/wired-client.ts';

const pod = { name: 'kube-controller-manager-7d9f-x', uid: 'u-1' };
const never = new AbortController().signal;

/** The answer of a server that sends `body` with `status` for everything. */
async function answerTo(status: number, body: unknown, of: typeof pod = pod) {
  const { server, client } = await wiredClient((_request, response) => answerJson(response, body, status));
  const answer = await podRemover(client).remove('shoot--a', of, never);
  return { answer, server };
}

const status = (code: number, reason: string, message: string, details = {}) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message,
  reason,
  details,
  code,
});

const start = (name: string) => `Operation cannot be fulfilled on pods "${name}": `;

test('7.3 a deletion names the incarnation that is meant, and is urgent', async () => {
  const client = new FakeKubeClient(() => ({ kind: 'Pod' }));
  expect(await podRemover(client).remove('shoot--a', pod, never)).toEqual({ outcome: 'deleted' });
  expect(client.asked).toEqual([
    {
      method: 'DELETE',
      path: '/api/v1/namespaces/shoot--a/pods/kube-controller-manager-7d9f-x',
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'u-1' } },
      lane: 'urgent',
      timeout: 15_000,
      withdrawn: never,
    },
  ]);
});

test('7.3 a deletion names the version in which the pod was seen to crash-loop, and none is sent where the last that was seen is something else', async () => {
  const client = new FakeKubeClient(() => ({ kind: 'Pod' }));
  const seen = new Map([['shoot--a/u-1', '41']]);
  const remover = podRemover(client, (namespace, { uid }) => seen.get(`${namespace}/${uid}`));
  expect(await remover.remove('shoot--a', pod, never)).toEqual({ outcome: 'deleted' });
  expect(await remover.remove('shoot--a', { ...pod, uid: 'u-2' }, never)).toEqual({ outcome: 'withdrawn' });
  expect(client.asked.map(({ body }) => valueAt(body, 'preconditions'))).toEqual([
    { uid: 'u-1', resourceVersion: '41' },
  ]);
});

test('7.3 a pod that is not there is gone; a page that is not there says nothing of it', async () => {
  expect((await answerTo(404, status(404, 'NotFound', 'pods "x" not found'))).answer).toEqual({ outcome: 'gone' });
  expect((await answerTo(404, 'no such page')).answer).toMatchObject({ outcome: 'failed', reason: '404' });
});

test('7.3 a conflict is another incarnation only where it is the UID that does not match', async () => {
  const early =
    'the UID in the precondition (u-1) does not match the UID in record (u-2). The object might have been deleted and then recreated';
  const late =
    'StorageError: invalid object, Code: 4, Precondition failed: UID in precondition: u-1, UID in object meta: u-2';
  for (const [name, words] of [
    ['p', early],
    ['p', late],
    ['x'.repeat(253), early],
  ] as const) {
    const { answer } = await answerTo(409, status(409, 'Conflict', start(name) + words), { ...pod, name });
    expect(answer).toEqual({ outcome: 'replaced' });
  }
  const modified = `${start('p')}the object has been modified; please apply your changes to the latest version and try again`;
  const { answer } = await answerTo(409, status(409, 'Conflict', modified));
  expect(answer).toMatchObject({ outcome: 'failed', reason: 'conflict' });
  const other = await answerTo(
    409,
    status(409, 'Conflict', `${start('p')}the ResourceVersion in the precondition (7) does not match`),
  );
  expect(other.answer).toMatchObject({ outcome: 'failed', reason: 'conflict' });
});

test('7.3 a server that asks for a pause is heard', async () => {
  const client = new FakeKubeClient(() => {
    throw new KubeError('status', 'slow down', { status: 429, retryAfter: 7_000 });
  });
  expect(await podRemover(client).remove('a', pod, never)).toEqual({ outcome: 'throttled', retryAfter: 7_000 });
  const silent = await answerTo(429, status(429, 'TooManyRequests', 'Too many requests'));
  expect(silent.answer).toEqual({ outcome: 'throttled' });
  const told = await answerTo(429, status(429, 'TooManyRequests', 'Too many', { retryAfterSeconds: 3 }));
  expect(told.answer).toEqual({ outcome: 'throttled', retryAfter: 3_000 });
});

test('7.3 whatever else the seed says is a failure, with its status or its kind, and one line for the operator', async () => {
  const forbidden = await answerTo(403, status(403, 'Forbidden', 'pods "x" is forbidden:\n User "me"\tcannot delete'));
  expect(forbidden.answer).toEqual({
    outcome: 'failed',
    reason: '403',
    detail:
      'delete pods shoot--a/kube-controller-manager-7d9f-x was answered 403 Forbidden: pods "x" is forbidden: User "me" cannot delete',
  });
  expect((await answerTo(500, '')).answer).toMatchObject({ outcome: 'failed', reason: '500' });

  const kinds = ['overloaded', 'aborted', 'timeout', 'certificate', 'unreachable', 'garbled'] as const;
  for (const kind of kinds) {
    const client = new FakeKubeClient(() => {
      throw new KubeError(kind, `it was ${kind}`);
    });
    const answer = await podRemover(client).remove('a', pod, never);
    expect(answer).toEqual({ outcome: 'failed', reason: kind, detail: `it was ${kind}` });
  }
});

test('7.3 a bug of ours is not taken for an answer of the seed', async () => {
  const client = new FakeKubeClient(() => {
    throw new TypeError('a bug');
  });
  const failed = podRemover(client).remove('a', pod, never);
  await expect(failed as Promise<unknown>).rejects.toThrow('a bug');
});
