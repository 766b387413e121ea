import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNodePrograms } from '@dwd/lab/real-node/node-programs.ts';
import { RealNode } from '@dwd/lab/real-node/real-node.ts';
import type { Provider } from '../provider.ts';
import { oneCluster } from './one-cluster.ts';

/** A cluster of one real node on this machine, without Docker: seed and shoots at once. */
export function nodeProvider(env: NodeJS.ProcessEnv = process.env): Provider {
  let node: RealNode | undefined;
  return {
    name: 'node',
    start: async (directory, say) => {
      const programs = await findNodePrograms(say, env);
      say('starting a node with its control plane, in namespaces of their own');
      node = await RealNode.start(programs, join(directory, 'node'));
      const file = join(directory, 'node.kubeconfig');
      writeFileSync(file, node.server.kubeconfig('admin'));
      return oneCluster(file, say);
    },
    stop: async () => await node?.stop(),
  };
}
