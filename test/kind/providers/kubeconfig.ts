import type { Provider } from '../provider.ts';
import { oneCluster } from './one-cluster.ts';

/**
 * Any cluster that `$KUBECONFIG` leads to, as its administrator: it is the seed, and the one that all shoots are in. There is no
 * default: it is written to, and what is written there is taken away in the end.
 */
export function kubeconfigProvider(env: NodeJS.ProcessEnv = process.env): Provider {
  return {
    name: 'kubeconfig',
    start: async (_, say) => {
      const files = env['KUBECONFIG'] ?? '';
      if (files === '') throw new Error('The provider kubeconfig takes its cluster from KUBECONFIG, which is not set.');
      return oneCluster(files, say);
    },
    stop: () => Promise.resolve(),
  };
}
