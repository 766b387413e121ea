import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Law } from '../law.ts';

/** No call of the host may hold up the loop for longer. */
const longestStand: Millis = 500;

/** Lines that wait, what is offered of them at once, and a last line with the one that tells of a loss. */
const mostLineBytes = 1_048_576 + 2 * 65_536;
/** Each may hold one thread of the pool: a write, a look for the file, and one of listing, removing and opening. A file that was closed may have its own. */
const mostDiskCalls = 6;

/** Whatever the host does, its processes go on. Pauses that happen to a process are not its own. */
export const neverStands: Law = {
  name: '11.1 11.4 the loop never waits for its host',
  begin(scene, { breaks }) {
    let judged = 0;
    return {
      look() {
        for (const { process } of scene.slots) {
          if (process === undefined) continue;
          judged += 1;
          const stands = scene.now() - (process.standsSince ?? scene.now());
          if (stands > longestStand)
            breaks(`${process.name} stands still in a call of its host, for ${stands} ms so far`);
        }
      },
      counts: () => ({ 'looks at whether the loop goes on': judged }),
    };
  },
};

/** What an output or a disk does not take is dropped, and what is asked of it is not asked again and again. */
export const boundsOfHosts: Law = {
  name: '9.6 11.1 what waits for the host has a bound',
  begin(scene, { breaks }) {
    const most = { bytes: 0, calls: 0 };
    return {
      look() {
        for (const { process } of scene.slots) {
          if (process === undefined) continue;
          const { lineBytes, diskCalls } = process.waiting();
          most.bytes = Math.max(most.bytes, lineBytes);
          most.calls = Math.max(most.calls, diskCalls);
          if (lineBytes > mostLineBytes)
            breaks(`${lineBytes} bytes of the log of ${process.name} wait, and ${mostLineBytes} at most`);
          if (diskCalls > mostDiskCalls)
            breaks(`${diskCalls} calls of ${process.name} wait for its disk, and ${mostDiskCalls} at most`);
        }
      },
      counts: () => ({
        'lives in which lines were dropped or nearly so': most.bytes > 900_000 ? 1 : 0,
        'lives in which a disk was asked all that may be asked at once': most.calls >= 3 ? 1 : 0,
      }),
    };
  },
};
