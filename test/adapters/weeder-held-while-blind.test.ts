import { BehaviorSubject } from 'rxjs';
import { expect, test } from 'vitest';
import { heldWhileBlind } from '../../src/adapters/weeder-seed/pod-remover.ts';
import type { DeletionAnswer } from '../../src/domain/weeder/pod-ledger.ts';
import { settled } from '@dwd/testing/virtual-clock.ts';

const pod = { name: 'p', uid: 'u-1' };

function stage(isLive: boolean) {
  const live = new BehaviorSubject(isLive);
  const sent: string[] = [];
  const withdrawal = new AbortController();
  const remover = heldWhileBlind(
    {
      remove(_, { name }, withdrawn): Promise<DeletionAnswer> {
        if (withdrawn.aborted) return Promise.resolve({ outcome: 'withdrawn' });
        sent.push(name);
        return Promise.resolve({ outcome: 'deleted' });
      },
    },
    live,
  );
  return { live, sent, withdrawal, answer: remover.remove('a', pod, withdrawal.signal) };
}

test('7.2 a pod goes at once while the services are followed', async () => {
  const { answer, live, sent } = stage(true);
  expect([await answer, sent]).toEqual([{ outcome: 'deleted' }, ['p']]);
  expect(live.observed).toBe(false);
});

test('7.2 a deletion waits while the services are not followed, and goes when they are', async () => {
  const { answer, live, sent } = stage(false);
  await settled();
  expect(sent).toEqual([]);
  live.next(true);
  expect([await answer, sent]).toEqual([{ outcome: 'deleted' }, ['p']]);
  expect(live.observed).toBe(false);
});

test('7.2 a deletion that waits can be taken back, and leaves nothing behind', async () => {
  const { answer, live, sent, withdrawal } = stage(false);
  withdrawal.abort();
  expect([await answer, sent]).toEqual([{ outcome: 'withdrawn' }, []]);
  expect(live.observed).toBe(false);
});

test('7.2 what is withdrawn before it began is not sent', async () => {
  const withdrawn = AbortSignal.abort();
  const asked: boolean[] = [];
  const remover = heldWhileBlind(
    {
      remove(_, __, signal) {
        asked.push(signal.aborted);
        return Promise.resolve({ outcome: 'withdrawn' });
      },
    },
    new BehaviorSubject(false),
  );
  expect([await remover.remove('a', pod, withdrawn), asked]).toEqual([{ outcome: 'withdrawn' }, [true]]);
});
