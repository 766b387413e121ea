import { NEVER, Subject, concat, finalize, of, throwError, type Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { whilePresent } from '../../src/effects/supervise.ts';

/** Plays with sets of keys. Each key's stream says when it begins, and the log says when it is left. */
function stage(run: (key: string) => Observable<string> = () => NEVER) {
  const keys = new Subject<ReadonlySet<string>>();
  const log: string[] = [];
  const all = whilePresent(keys, (key) =>
    concat(of(`${key} on`), run(key)).pipe(finalize(() => log.push(`${key} off`))),
  ).subscribe({
    next: (value) => log.push(value),
    error: (error: unknown) => log.push(String(error)),
    complete: () => log.push('complete'),
  });
  const show = (...present: string[]) => {
    keys.next(new Set(present));
    return log.splice(0);
  };
  return { keys, log, all, show };
}

test('3 a key runs once from its arrival to its departure, and anew when it comes back', () => {
  const { show } = stage();
  expect(show('a')).toEqual(['a on']);
  expect(show('a')).toEqual([]);
  expect(show('a', 'b')).toEqual(['b on']);
  expect(show('b')).toEqual(['a off']);
  expect(show('b', 'a')).toEqual(['a on']);
  expect(show()).toEqual(['b off', 'a off']);
});

test('3 a key that leaves is gone before a key that comes begins', () => {
  const { show } = stage();
  show('a');
  expect(show('b')).toEqual(['a off', 'b on']);
});

test('3 one that has ended by itself is not run again before it has left', () => {
  const { show } = stage(() => of('done'));
  expect(show('a')).toEqual(['a on', 'done', 'a off']);
  expect(show('a')).toEqual([]);
  show();
  expect(show('a')).toEqual(['a on', 'done', 'a off']);
});

test('3.4 an error of one that nobody caught ends all, and so does one of the set', () => {
  const broken = stage((key) => (key === 'b' ? throwError(() => new Error('broken')) : NEVER));
  broken.show('a');
  expect(broken.show('b', 'a')).toEqual(['b on', 'Error: broken', 'a off', 'b off']);
  const lost = stage();
  lost.show('a');
  lost.keys.error(new Error('lost'));
  expect(lost.log).toEqual(['Error: lost', 'a off']);
});

test('1.4 unsubscribing ends all', () => {
  const { show, all, log } = stage();
  show('a', 'b');
  all.unsubscribe();
  expect(log).toEqual(['a off', 'b off']);
});

test('3 the end of the set leaves the present keys running', () => {
  const { show, keys, log } = stage();
  show('a');
  keys.complete();
  expect(log).toEqual([]);
});

test('1.4 unsubscribing while a new key’s stream emits ends that stream too, and the others never begin', () => {
  const keys = new Subject<ReadonlySet<string>>();
  const log: string[] = [];
  const run = (key: string) => concat(of(`${key} on`), NEVER).pipe(finalize(() => log.push(`${key} off`)));
  const all = whilePresent(keys, run).subscribe((value) => {
    log.push(value);
    all.unsubscribe();
  });
  keys.next(new Set(['a', 'b']));
  expect(log).toEqual(['a on', 'a off']);
});
