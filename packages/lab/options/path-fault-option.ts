import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import { oneOfOption } from './read-options.ts';

/** How a load balancer may fail, by the names that an option takes. `slow` is slower than a kubelet waits. */
export const pathFaults = {
  refuse: { kind: 'refuse' },
  cut: { kind: 'cut' },
  hang: { kind: 'hang' },
  reset: { kind: 'reset' },
  slow: { kind: 'slow', delay: 15_000 },
} as const satisfies Readonly<Record<PathFault['kind'], PathFault>>;

/** Throws a sentence for the operator where the text names none. */
export function pathFault(text: string): PathFault {
  return pathFaults[oneOfOption('fault', text, Object.keys(pathFaults) as readonly PathFault['kind'][])];
}
