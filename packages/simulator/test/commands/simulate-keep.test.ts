import { EventEmitter } from 'node:events';
import { NEVER, Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { runSimulate } from '../../commands/simulate.ts';
import { processKeys, hearOrders } from '../../commands/simulate/story/orders.ts';
import type { StorySurroundings } from '../../commands/simulate/story/story-run.ts';
import { wantsColours, type Terminal } from 'dependency-watchdog/commands/terminal/terminal.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { hastyStory } from '@dwd/testing/hasty-clock.ts';

/** A terminal as wide as most; `seen` gets what is written to it, without its colours and moves. */
function terminalThat(seen: (text: string) => void): Terminal {
  return {
    colours: false,
    size: () => ({ columns: 80, rows: 24 }),
    // eslint-disable-next-line no-control-regex
    write: (text) => seen(text.replaceAll(/\u001b\[[?\d]*[a-zA-Z]/g, '')),
    onResize: () => () => {},
    onExit: () => () => {},
  };
}

function orders(flags: { keep: boolean; json: boolean }, hasTerminal = true) {
  const [interrupted$, another$, keys$] = [new Subject<void>(), new Subject<void>(), new Subject<string>()];
  const { io } = heardIo();
  const terminal = hasTerminal ? terminalThat(() => {}) : undefined;
  const heard = hearOrders({ io, terminal, interrupted$, another$, keys$ } satisfies StorySurroundings, flags);
  const given: string[] = [];
  heard.orders$.subscribe((order) => given.push(order));
  let ended = false;
  void heard.interrupted.then(() => (ended = true));
  const isEnded = async () => {
    await Promise.resolve();
    return ended;
  };
  return { heard, given, another$, keys$, interrupted$, isEnded };
}

test('1.1 with --keep, in a terminal, o begins an outage and h heals it; q and Ctrl-C end', async () => {
  const { heard, given, keys$, another$, isEnded } = orders({ keep: true, json: false });
  expect(heard.keys).toBe(true);
  for (const key of ['o', 'x', 'h', 'O']) keys$.next(key);
  another$.next();
  expect(given).toEqual(['outage', 'heal', 'outage']);
  expect(await isEnded()).toBe(false);
  keys$.next('q');
  expect(await isEnded()).toBe(true);
  const other = orders({ keep: true, json: false });
  other.keys$.next('\u0003');
  expect(await other.isEnded()).toBe(true);
  heard.close();
  expect([keys$.observed, another$.observed]).toEqual([false, false]);
});

test.for([
  ['without --keep', { keep: false, json: false }, true],
  ['with --json', { keep: true, json: true }, true],
  ['in a pipe', { keep: true, json: false }, false],
] as const)('1.1 %s the keyboard is left alone, and a signal is heard', ([, flags, hasTerminal]) => {
  const { heard, given, keys$, another$ } = orders(flags, hasTerminal);
  expect([heard.keys, keys$.observed]).toEqual([false, false]);
  another$.next();
  expect(given).toEqual(['outage']);
});

test('1.1 the keyboard gives each key, and gets its own way back when nobody listens any more', () => {
  const modes: boolean[] = [];
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (mode: boolean) => void modes.push(mode),
    setEncoding: () => {},
    resume: () => {},
    pause: () => {},
  });
  const keyboard = stream as unknown as Parameters<typeof processKeys>[0];
  const keys: string[] = [];
  const listening = processKeys(keyboard, () => false)!.subscribe((key) => keys.push(key));
  stream.emit('data', 'oh');
  listening.unsubscribe();
  stream.emit('data', 'q');
  expect([keys, modes, stream.listenerCount('data')]).toEqual([['o', 'h'], [true, false], 0]);
  expect(processKeys(keyboard, () => true)).toBeUndefined();
  stream.isTTY = false;
  expect(processKeys(keyboard, () => false)).toBeUndefined();
});

test('1.1 in a terminal another outage is painted and summed up, and one that is healed at once needs nothing', async () => {
  const keys$ = new Subject<string>();
  const goesOn = 'Seed and prober go on until you press q. Press o for another outage.';
  let [all, pressed] = ['', ''];
  const { io, err } = heardIo();
  const code = await hastyStory(io, ({ begun, clockAt }) => {
    const terminal = terminalThat((text) => {
      all += text;
      begun();
      const next = { '': goesOn, o: 'A NAT gateway fails', oh: goesOn }[pressed];
      if (next === undefined || !text.includes(next)) return;
      const key = { '': 'o', o: 'h', oh: 'q' }[pressed]!;
      pressed += key;
      queueMicrotask(() => keys$.next(key));
    });
    const args = ['--keep', '--shoots=1', '--nodes=2', '--speed=1', '--seed=7'];
    return runSimulate(args, io, { clockAt, terminal, interrupted$: NEVER, keys$ });
  });
  expect({ code, err }).toEqual({ code: 0, err: [] });
  const [first, second] = all.split('Press o for another outage.');
  expect(first).toContain('1 outage, 1 shoot brought back, in time.');
  expect(first).toContain('kubectl get deployments -A');
  expect(second).toContain('1 shoot connected again before there was anything to do.');
  expect(second).toContain('Outage 2 is over.');
  // What can be done with the seed is said once; where it is, above each picture.
  expect(second).not.toContain('kubectl get deployments -A');
  for (const part of [first!, second!]) expect(part).toContain('  journal  curl http://127.0.0.1:');
  expect(keys$.observed).toBe(false);
});

const able = { isTTY: true, hasColors: (): boolean => true };
test.for([
  ['a terminal that has colours', able, {}, true],
  ['a terminal that has none', { isTTY: true, hasColors: (): boolean => false }, {}, false],
  ['a pipe', {}, {}, false],
  ['NO_COLOR', able, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR', able, { NO_COLOR: '' }, true],
  ['FORCE_COLOR in a pipe', {}, { FORCE_COLOR: '1' }, true],
  ['an empty FORCE_COLOR in a pipe', {}, { FORCE_COLOR: '' }, true],
  ['FORCE_COLOR=0', able, { FORCE_COLOR: '0' }, false],
  ['NO_COLOR and FORCE_COLOR', able, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
] as const)('1.1 colours with %s: %s', ([, stream, env, wanted]) => {
  expect(wantsColours(stream, env)).toBe(wanted);
});
