/** `npm run soak` plays whole seeds; `-- slips` tries the laws on single bugs, and `-- crash-points` crashes the program at each point of each flow. */
import { runOneOf } from '../options/run-one-of.ts';

await runOneOf(
  'soak',
  { slips: () => import('./slips/main.ts'), 'crash-points': () => import('./crash-points/main.ts') },
  () => import('./main.ts'),
);
