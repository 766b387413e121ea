import { NEVER, Subject, concat, of, take, throwError, type Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { runMachine, type Steps } from '../../src/effects/run-machine.ts';

type Result = Readonly<{ snapshot: readonly string[]; commands: readonly string[] }>;

/** Remembers what it met; an event `a>b,c` commands b and c. */
const machine: Steps<string, readonly string[], string, Result> = {
  first: () => ({ snapshot: [], commands: ['begin'] }),
  take: (before, event) => {
    if (event === 'bug') throw new Error('a bug');
    return { snapshot: [...before, event], commands: event.split('>')[1]?.split(',') ?? [] };
  },
};

function run(carryOut: (command: string) => Observable<string>, outside: Observable<string> = NEVER) {
  const log: string[] = [];
  const running = runMachine(machine, outside, (command: string) => {
    log.push(`do ${command}`);
    return carryOut(command);
  }).subscribe({
    next: ({ event, before, result }) =>
      log.push(
        `${event ?? 'start'} after ${before === undefined ? 'nothing' : `[${before.join(' ')}]`} = ${result.snapshot.length}`,
      ),
    error: (error: unknown) => log.push(String(error)),
    complete: () => log.push('complete'),
  });
  return { log, running };
}

test('9.1 each event is taken whole, carried out, and then told, though effects answer at once', () => {
  const { log } = run((command) => (command === 'begin' ? of('one>x,y') : command === 'x' ? of('two>z') : of('three')));
  expect(log).toEqual([
    'do begin',
    'start after nothing = 0',
    'do x',
    'do y',
    'one>x,y after [] = 1',
    'do z',
    'two>z after [one>x,y] = 2',
    'three after [one>x,y two>z] = 3',
    'three after [one>x,y two>z three] = 4',
  ]);
});

test('9.1 events that the seed sent before the machine began are taken after its start', () => {
  const { log } = run(() => NEVER, concat(of('early', 'too'), NEVER));
  expect(log.map((line) => line.split(' ')[0])).toEqual(['do', 'start', 'early', 'too']);
});

test('3.4 a machine or an effect that fails ends the run once its turn was told, and nothing more is carried out', () => {
  const events = new Subject<string>();
  const met = run(() => NEVER, events);
  events.next('bug');
  events.next('after');
  expect(met.log.slice(2)).toEqual(['Error: a bug']);

  const failing = run((command) => (command === 'begin' ? of('one>x,y', 'two') : throwError(() => new Error(command))));
  expect(failing.log.slice(-3)).toEqual(['do x', 'one>x,y after [] = 1', 'Error: x']);

  const throwing = run(() => {
    throw new Error('at once');
  });
  expect(throwing.log).toEqual(['do begin', 'start after nothing = 0', 'Error: at once']);

  const lost = run(
    () => NEVER,
    throwError(() => new Error('lost')),
  );
  expect(lost.log).toEqual(['Error: lost']);
});

test('1.4 unsubscribing ends what is under way', () => {
  const left: string[] = [];
  const events = new Subject<string>();
  const { running, log } = run(() => new Subject<string>(), events);
  running.add(() => left.push('left'));
  running.unsubscribe();
  events.next('late');
  expect([left, log.length, events.observed]).toEqual([['left'], 2, false]);
});

test('1.4 a listener that unsubscribes when it is told of a turn ends what the turn began, and nothing more is taken', () => {
  const begun: Subject<string>[] = [];
  const turns = runMachine(machine, of('one>x'), () => {
    const effect = new Subject<string>();
    begun.push(effect);
    return effect;
  });
  turns.pipe(take(1)).subscribe();
  expect(begun.map(({ observed }) => observed)).toEqual([false]);
});
