/** `npm run real -- paths|weeding|node`: an outage of each path, or recoveries of etcd, on real API servers; or a real node. Outages of nodes are `npm run meltdown`. */
import { runOneOf } from './options/run-one-of.ts';

await runOneOf('real', {
  paths: () => import('./real-paths.ts'),
  node: () => import('./real-node.ts'),
  weeding: () => import('./real-weeding.ts'),
});
