import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import process from 'node:process';
import type { Millis } from '../../domain/time.ts';
import { after } from '../clock/plain-clock.ts';
import type { Output } from './bounded-lines.ts';

/**
 * For so long lines are gathered before they are written together. A write wakes whoever reads, which costs as much as two turns of a machine, and an
 * outage of many shoots has thousands of lines.
 */
const gatheredFor: Millis = 10;

/** How often a pipe, a socket or a terminal that is full is offered its bytes again. A reader that stands still costs next to nothing. */
const offerEvery: Millis = 50;

/**
 * Standard output (1) or standard error (2) of this process. What may have a reader that stands still is written without blocking. A
 * file has none, but its disk may hang: that holds a thread of the pool, and not the loop.
 */
export function machineOutput(descriptor: 1 | 2): Output {
  const unblocked = withoutBlocking(descriptor);
  return unblocked === undefined ? pooled(descriptor) : polled(unblocked);
}

/** A descriptor of the same output, on which a write never waits; undefined where there is none, as for a file. */
function withoutBlocking(descriptor: 1 | 2): number | undefined {
  const seen = fstatSync(descriptor);
  if (seen.isFIFO() || seen.isCharacterDevice())
    try {
      // Opened anew, so that the flag is ours alone: other processes may share the descriptor that we were given, and may take the flag away.
      return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // Its owner may be another user, or nobody reads it any more.
    }
  if (!seen.isFIFO() && !seen.isSocket()) return undefined;
  // Node sets the flag on a pipe or a socket as soon as it is asked for its stream. It cannot be set in another way.
  void (descriptor === 1 ? process.stdout : process.stderr);
  return descriptor;
}

/** Whether nobody reads the pipe any more to which this descriptor leads. A write would tell, but there may be nothing to be written. */
export function hasLostItsReader(descriptor: number): boolean {
  if (!fstatSync(descriptor).isFIFO()) return false;
  try {
    closeSync(openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENXIO';
  }
}

function polled(descriptor: number): Output {
  return {
    write(bytes, taken) {
      const offer = (): void => {
        let written = 0;
        try {
          written = writeSync(descriptor, bytes);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
            taken(error as Error, 0);
            return;
          }
        }
        if (written === 0) after(offerEvery, offer);
        else taken(null, written);
      };
      // Lines that come meanwhile go with the next write. So they come after the commands of their turns, too.
      after(gatheredFor, offer);
    },
  };
}

function pooled(descriptor: number): Output {
  return { write: (bytes, taken) => write(descriptor, bytes, 0, bytes.length, null, taken) };
}
