import type { Slip } from './slip.ts';

const shootEffects: readonly string[] = ['test/model/shoot-effects.test.ts'];
const guardShoots: readonly string[] = ['test/model/guard-shoots.test.ts'];

/** Each command carried out once, and the runtime. */
export const effectsSlips: readonly Slip[] = [
  {
    file: 'src/effects/shoot-effects.ts',
    find: 'return { askedAt, answer: await shoots.listLeases(shoot, deadlineAt, signal, by) };',
    put: 'const answer = await shoots.listLeases(shoot, deadlineAt, signal);\n        return { askedAt: Math.max(askedAt, clock.now()), answer };',
    says: 'a slow answer makes leases expire',
    tests: shootEffects,
  },
  {
    file: 'src/effects/shoot-effects.ts',
    find: 'withdraw: ({ number }) => withdrawals.withdraw(number)',
    put: 'withdraw: () => writes.withdraw(0)',
    says: 'a write is never taken back',
    tests: shootEffects,
  },
  {
    file: 'src/effects/supervise.ts',
    find: 'backoff(bugs, restartBackoff)',
    put: 'shortestPause',
    says: 'a machine that fails for days is started every second',
    tests: guardShoots,
  },
  {
    file: 'src/effects/supervise.ts',
    find: '>= healthyAfter ? 1 : bugs + 1',
    put: '>= healthyAfter ? bugs + 1 : bugs + 1',
    says: 'a bug a day comes to the longest pause',
    tests: guardShoots,
  },
  {
    file: 'src/effects/supervise.ts',
    find: 'departure$().pipe(map(({ at }) => of(goneTurn(at)))),',
    put: '',
    says: 'a shoot that goes while its machine pauses is never gone',
    tests: guardShoots,
  },
  {
    file: 'src/effects/supervise.ts',
    find: 'supervision.input(subject, bugs > 0)',
    put: 'supervision.input(subject, false)',
    says: 'a machine that is started afresh waits for its initial delay',
    tests: guardShoots,
  },
  {
    file: 'src/effects/guard-shoots.ts',
    find: 'again || followed.has(shoot)',
    put: 'again',
    says: 'a shoot that a standby followed waits for its initial delay',
    tests: ['test/roles/leading.test.ts'],
  },
  {
    file: 'src/effects/run-machine.ts',
    find: '.pipe(observeOn(queueScheduler))',
    put: '',
    says: 'an effect that answers at once re-enters a turn',
    tests: ['test/model/run-machine.test.ts'],
  },
  {
    file: 'src/effects/run-machine.ts',
    find: 'for (const work of running) work.unsubscribe();',
    put: '',
    says: 'the effects of a machine that has ended go on',
    tests: ['test/model/run-machine.test.ts', 'test/model/guard-shoots.test.ts'],
  },
  {
    file: 'src/effects/shared-effects.ts',
    find: 'replaced$.next();',
    put: '',
    says: 'timers that were replaced still wake',
    tests: ['test/model/shoot-effects.test.ts', 'test/model/weeder-effects.test.ts'],
  },
  {
    file: 'src/effects/while-present.ts',
    find: 'running.delete(key);',
    put: '',
    says: 'a shoot that comes back is not guarded',
    tests: ['test/model/while-present.test.ts'],
  },
  {
    file: 'src/effects/abortable.ts',
    find: 'if (!isOver) abort.abort();',
    put: '',
    says: 'a probe goes on after its machine has ended',
    tests: shootEffects,
  },
  {
    file: 'src/effects/abortable.ts',
    find: "ended.addEventListener('abort', () => withdrawal.abort());",
    put: '',
    says: 'a machine that ends leaves its writes in the queue',
    tests: ['test/model/shoot-effects.test.ts', 'test/model/weeder-effects.test.ts'],
  },
  {
    file: 'src/effects/weeder-effects.ts',
    find: 'left$.pipe(filter((one) => one === number))',
    put: 'left$',
    says: 'the end of one watch ends the next as well',
    tests: ['test/model/weeder-effects.test.ts'],
  },
];
