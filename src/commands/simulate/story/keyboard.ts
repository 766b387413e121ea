import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { ReadStream } from 'node:tty';
import { Observable } from 'rxjs';

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
