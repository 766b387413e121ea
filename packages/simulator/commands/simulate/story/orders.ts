import process from 'node:process';
import { NEVER, Subject, Subscription, take, Observable } from 'rxjs';
import type { SimulateFlags } from './simulate-flags.ts';
import type { StorySurroundings } from './story-run.ts';
import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';

/** What somebody asks of a story: to begin another outage, or to heal the one that goes on. */
export type Order = 'outage' | 'heal';

export type HeardOrders = Readonly<{
  orders$: Observable<Order>;
  /** Resolves once somebody wants the run to end. */
  interrupted: Promise<undefined>;
  /** Whether keys are heard, or only signals. */
  keys: boolean;
  /** Listens no more, and gives the keyboard back. */
  close(): void;
}>;

const ctrlC = '\u0003';

/**
 * Listens to signals, and to the keyboard where a picture is painted and the seed is kept: elsewhere there is nothing to press, and
 * whoever reads lines from a pipe wants their terminal as it is.
 */
export function hearOrders(
  { interrupted$, another$ = NEVER, keys$, terminal }: StorySurroundings,
  { keep, json }: Pick<SimulateFlags, 'keep' | 'json'>,
): HeardOrders {
  const orders$ = new Subject<Order>();
  const interrupted = Promise.withResolvers<undefined>();
  const end = (): void => interrupted.resolve(undefined);
  const listening = new Subscription();
  // Only the first one is heard, so that a second Ctrl-C ends a run that hangs.
  listening.add(interrupted$.pipe(take(1)).subscribe({ next: end, error: interrupted.reject }));
  listening.add(another$.subscribe(() => orders$.next('outage')));
  const keys = keep && !json && terminal !== undefined && keys$ !== undefined;
  if (keys)
    listening.add(
      keys$.subscribe((key) => {
        if (key === 'o') orders$.next('outage');
        if (key === 'h') orders$.next('heal');
        if (key === 'q' || key === ctrlC) end();
      }),
    );
  return { orders$, interrupted: interrupted.promise, keys, close: () => listening.unsubscribe() };
}

type KeyStream = Pick<ReadStream, 'isTTY' | 'setRawMode' | 'setEncoding' | 'on' | 'off' | 'resume' | 'pause'>;

const ctrlZ = '\u001a';

/**
 * The keys that are pressed in a terminal, one by one, while this is subscribed to; undefined if there is no terminal, or if
 * another program has it. The terminal then leaves Ctrl-C and Ctrl-Z to us: the first is a key like any other, the second suspends.
 */
export function processKeys(stream: KeyStream, isInBackground = belongsToAnother): Observable<string> | undefined {
  if (!stream.isTTY || isInBackground()) return undefined;
  return new Observable((observer) => {
    const read = (text: string): void => {
      for (const key of text) {
        if (key === ctrlZ) suspend();
        else observer.next(key);
      }
    };
    const suspend = (): void => {
      stream.setRawMode(false);
      process.once('SIGCONT', () => {
        if (!observer.closed && !isInBackground()) stream.setRawMode(true);
      });
      // The whole group, as the terminal does it: npm and the shell wait for us.
      process.kill(0, 'SIGTSTP');
    };
    // A terminal that is closed cannot be given back.
    stream.on('error', () => undefined);
    stream.setEncoding('utf8');
    stream.setRawMode(true);
    stream.on('data', read);
    stream.resume();
    return () => {
      stream.off('data', read);
      stream.pause();
      stream.setRawMode(false);
    };
  });
}

/**
 * Whether the terminal belongs to another process group, as after `simulate --keep &`. Whoever changes the terminal then is
 * stopped by the system. Only Linux says so in a file; elsewhere we assume that it is ours.
 */
function belongsToAnother(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After the program's name, which may hold anything: state, parent, group, session, terminal, the terminal's group.
    const [, , group, , , owner] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group !== owner;
  } catch {
    return false;
  }
}
