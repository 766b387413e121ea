/** `npm run real -- paths|weeding`: an outage of each path, or recoveries of etcd, on real API servers. Outages of nodes are `npm run meltdown`. */
import { runOneOf } from './options/run-one-of.ts';

await runOneOf('real', {
  paths: () => import('./real-paths.ts'),
  weeding: () => import('./real-weeding.ts'),
});
