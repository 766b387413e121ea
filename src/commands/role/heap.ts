import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { after as afterTime, type After } from '../../adapters/clock/plain-clock.ts';
import type { Millis } from '../../domain/time.ts';

/** Hears what the role does, and chooses between memory and CPU. */
export type Heap = Readonly<{
  /** The role starts, or has scaled something. Called often. */
  works(): void;
  /** The role has read its first lists, and may not lead yet. */
  standsBy(): void;
}>;

// None of these flags can be said in NODE_OPTIONS.

/** An outage of many shoots is a matter of CPU. In a container without a limit, which is Gardener's way, V8 by itself would wait for as much as the node has: 247 MiB with 1,000 shoots, 155 with this, at the same CPU. */
const working = ['--heap-growing-percent=30', '--no-memory-saver-mode', '--no-flush-baseline-code'];

/** V8 collects sooner, closes gaps and gives back what is free (docs/performance.md): 16 MiB less with 500 shoots, for 2 % of a core. */
const calm = ['--heap-growing-percent=20', '--memory-saver-mode', '--flush-baseline-code'];

/** Longer than a start, and than what lies between two levels of dependants. */
const calmAfter: Millis = 60_000;

/** Tells V8 what this process's heap is to cost. */
export function v8Heap(tell: (flag: string) => void = setFlagsFromString, after: After = afterTime): Heap {
  let cancel: (() => void) | undefined;
  const rest = (): void => {
    cancel = undefined;
    calm.forEach((flag) => tell(flag));
  };
  return {
    works() {
      if (cancel === undefined) working.forEach((flag) => tell(flag));
      cancel?.();
      cancel = after(calmAfter, rest);
    },
    standsBy: collectGarbage,
  };
}

/** Gives back what the start left behind, in some 50 ms. V8 would not look for it before the heap has grown by much, which that of a standby never does. */
function collectGarbage(): void {
  // Only a new context gets the function.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: Readonly<{ type: 'major'; flavor: 'last-resort' }>) => void;
  collect({ type: 'major', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}
