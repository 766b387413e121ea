/** `npm run real -- weeding|node`: recoveries of etcd on a real API server, or a real node. Outages of nodes and of paths are `npm run meltdown`. */
import { runOneOf } from './options/run-one-of.ts';

await runOneOf('real', {
  node: () => import('./real-node.ts'),
  weeding: () => import('./real-weeding.ts'),
});
