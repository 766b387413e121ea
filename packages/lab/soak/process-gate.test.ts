import { expect, test } from 'vitest';
import { ProcessGate } from './process-gate.ts';

/** A gate, what happened behind it, and the tasks that run soon. */
function gated() {
  const soon: (() => void)[] = [];
  const done: string[] = [];
  const gate = new ProcessGate((task) => void soon.push(task));
  const says = (what: string) => (): void => void done.push(what);
  const settle = (): void => {
    for (let next = soon.shift(); next !== undefined; next = soon.shift()) next();
  };
  return { gate, done, says, soon, settle };
}

test('what comes for a process that stands still waits; then news go before timers, each with all that comes of it', () => {
  const { gate, done, says, soon, settle } = gated();
  gate.run(says('before'));
  gate.pause();
  gate.fire(says('timer'));
  gate.run(says('first'));
  gate.run(says('second'));
  expect(done).toEqual(['before']);
  gate.resume();
  expect(done).toEqual(['before', 'first']);
  expect(soon).toHaveLength(1);
  gate.run(says('third, while it catches up'));
  settle();
  expect(done).toEqual(['before', 'first', 'second', 'third, while it catches up', 'timer']);
  gate.fire(says('after'));
  expect(done.at(-1)).toBe('after');
});

test('a process that stands still again while it catches up keeps the rest, and one that crashes does nothing more', () => {
  const { gate, done, says, settle } = gated();
  gate.pause();
  gate.run(() => gate.pause());
  gate.run(says('held again'));
  gate.resume();
  settle();
  expect(done).toEqual([]);
  gate.resume();
  settle();
  expect(done).toEqual(['held again']);
  gate.pause();
  gate.run(says('never'));
  gate.resume();
  gate.shut();
  gate.run(says('never'));
  settle();
  expect(done).toEqual(['held again', 'never']);
});
