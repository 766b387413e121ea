import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oncePerIncarnation } from '../../src/adapters/weeder-seed/pod-remover.ts';
import { SeedHistory } from '../../src/adapters/reflector/seed-history.ts';
import type { DeletionAnswer } from '../../src/domain/weeder/pod-ledger.ts';
import type { PodRef } from '../../src/domain/weeder/pod.ts';
import type { PodRemover } from '../../src/effects/ports.ts';
import { settled } from '@dwd/testing/virtual-clock.ts';

const pod = { name: 'p', uid: 'u-1' };
const never = new AbortController().signal;
const failed: DeletionAnswer = { outcome: 'failed', reason: '500', detail: 'no' };

/** Answers when the test says so, and ignores withdrawals. */
class HeldRemover implements PodRemover {
  readonly asked: string[] = [];
  readonly #held: PromiseWithResolvers<DeletionAnswer>[] = [];

  remove(namespace: string, { uid }: PodRef): Promise<DeletionAnswer> {
    this.asked.push(`${namespace}/${uid}`);
    const held = Promise.withResolvers<DeletionAnswer>();
    this.#held.push(held);
    return held.promise;
  }

  get underWay(): number {
    return this.#held.length;
  }

  async answer(answer: DeletionAnswer | Error): Promise<void> {
    const held = this.#held.shift();
    if (answer instanceof Error) held?.reject(answer);
    else held?.resolve(answer);
    await settled();
  }
}

function stage(limit?: number) {
  const held = new HeldRemover();
  const history = new SeedHistory();
  return { held, history, remover: oncePerIncarnation(held, history, limit) };
}

test('S8 a caller that asks while a deletion is under way waits for it, and then it has been done', async () => {
  const { held, remover } = stage();
  const first = remover.remove('a', pod, never);
  const others = [remover.remove('a', pod, never), remover.remove('a', pod, never)];
  await settled();
  expect(held.asked).toEqual(['a/u-1']);
  await held.answer({ outcome: 'deleted' });
  expect(await first).toEqual({ outcome: 'deleted' });
  expect(await Promise.all(others)).toEqual([{ outcome: 'deletedBefore' }, { outcome: 'deletedBefore' }]);
  expect(await remover.remove('a', pod, never)).toEqual({ outcome: 'deletedBefore' });
  expect(held.asked).toHaveLength(1);
});

test('S8 6.6 an incarnation that a backup has brought back may be deleted again', async () => {
  const { held, history, remover } = stage();
  const first = remover.remove('a', pod, never);
  const underWay = remover.remove('a', { ...pod, uid: 'u-2' }, never);
  await settled();
  await held.answer({ outcome: 'deleted' });
  expect(await first).toEqual({ outcome: 'deleted' });
  history.goBack();
  await held.answer({ outcome: 'deleted' });
  expect(await underWay, 'of the history before').toEqual({ outcome: 'deleted' });
  for (const uid of ['u-1', 'u-2']) {
    const again = remover.remove('a', { ...pod, uid }, never);
    await settled();
    await held.answer({ outcome: 'deleted' });
    expect(await again).toEqual({ outcome: 'deleted' });
    expect(await remover.remove('a', { ...pod, uid }, never)).toEqual({ outcome: 'deletedBefore' });
  }
});

test('7.3 where the first try comes to nothing, the next one has its own', async () => {
  for (const nothing of [failed, { outcome: 'throttled' }, { outcome: 'withdrawn' }] as const) {
    const { held, remover } = stage();
    const first = remover.remove('a', pod, never);
    const others = [remover.remove('a', pod, never), remover.remove('a', pod, never)];
    await held.answer(nothing);
    expect(await first).toEqual(nothing);
    expect([held.asked.length, held.underWay]).toEqual([2, 1]);
    await held.answer({ outcome: 'deleted' });
    expect(await Promise.all(others)).toEqual([{ outcome: 'deleted' }, { outcome: 'deletedBefore' }]);
  }
});

test('7.3 a bug in the first try is nobody else’s', async () => {
  const { held, remover } = stage();
  const first = remover.remove('a', pod, never).catch((error: unknown) => String(error));
  const other = remover.remove('a', pod, never);
  await held.answer(new Error('a bug'));
  expect(await first).toBe('Error: a bug');
  await held.answer({ outcome: 'gone' });
  expect(await other).toEqual({ outcome: 'gone' });
});

test('7.3 a request that is withdrawn while it waits for another’s deletion is answered at once, and asks for nothing', async () => {
  const { held, remover } = stage();
  void remover.remove('a', pod, never);
  const withdrawal = new AbortController();
  const other = remover.remove('a', pod, withdrawal.signal);
  await settled();
  withdrawal.abort();
  expect(await other).toEqual({ outcome: 'withdrawn' });
  expect(await remover.remove('a', { ...pod, uid: 'u-2' }, withdrawal.signal)).toEqual({ outcome: 'withdrawn' });
  await held.answer(failed);
  expect(held.asked).toEqual(['a/u-1']);
});

test('S8 the memory is bounded: the oldest are forgotten first', async () => {
  const { held, remover } = stage(2);
  for (const uid of ['u-1', 'u-2', 'u-3']) {
    const asked = remover.remove('a', { name: 'p', uid }, never);
    await held.answer({ outcome: 'deleted' });
    await asked;
  }
  expect(await remover.remove('a', { name: 'p', uid: 'u-2' }, never)).toEqual({ outcome: 'deletedBefore' });
  expect(await remover.remove('a', { name: 'p', uid: 'u-3' }, never)).toEqual({ outcome: 'deletedBefore' });
  void remover.remove('a', pod, never);
  await settled();
  expect(held.asked).toHaveLength(4);
});

test('S8 whoever asks and whatever comes of it, an incarnation is deleted once, never twice at a time, and everybody is answered', async () => {
  const answers = fc.constantFrom<DeletionAnswer>(
    { outcome: 'deleted' },
    failed,
    { outcome: 'gone' },
    { outcome: 'withdrawn' },
  );
  const steps = fc.array(
    fc.oneof(
      fc.record({ do: fc.constant('ask' as const), uid: fc.nat(2) }),
      fc.record({ do: fc.constant('answer' as const), answer: answers }),
      fc.record({ do: fc.constant('withdraw' as const), which: fc.nat(5) }),
    ),
    { maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const { held, remover } = stage();
      const asked: { uid: string; answer: Promise<DeletionAnswer>; withdrawal: AbortController }[] = [];
      for (const step of history) {
        if (step.do === 'ask') {
          const withdrawal = new AbortController();
          const uid = `u-${step.uid}`;
          asked.push({ uid, withdrawal, answer: remover.remove('a', { name: 'p', uid }, withdrawal.signal) });
          await settled();
        }
        if (step.do === 'answer') await held.answer(step.answer);
        if (step.do === 'withdraw') asked[step.which]?.withdrawal.abort();
        expect(held.underWay).toBeLessThanOrEqual(3);
      }
      while (held.underWay > 0) await held.answer({ outcome: 'deleted' });
      const outcomes = await Promise.all(asked.map(async ({ uid, answer }) => `${uid} ${(await answer).outcome}`));
      const deletions = outcomes.filter((one) => one.endsWith(' deleted'));
      expect(new Set(deletions).size).toBe(deletions.length);
    }),
  );
});
