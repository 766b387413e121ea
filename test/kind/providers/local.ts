import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endTheLiving } from '@dwd/lab/real/clearing-up.ts';
import { RealApiServer } from '@dwd/lab/real/api-server.ts';
import { prepareGround } from '@dwd/lab/control-plane/prepare-ground.ts';
import type { Provider } from '../provider.ts';

/** Two, so that shoots have neighbours in their own cluster and in another one. */
const shoots = ['shoots-1', 'shoots-2'];

/** Processes of this machine: one etcd, one API server that is the seed, and some that are shoots. No controllers run. */
export function localProvider(env: NodeJS.ProcessEnv = process.env): Provider {
  return {
    name: 'local',
    start: async (directory, say) => {
      const ground = await prepareGround('kind', say, { directory, env });
      const servers = await Promise.all(['seed', ...shoots].map((name) => RealApiServer.start(ground, name)));
      const [seed, ...others] = servers.map((server, index) => {
        const file = join(directory, `admin-${index}.kubeconfig`);
        writeFileSync(file, server.kubeconfig('admin'));
        return file;
      });
      await Promise.all(servers.map((server) => server.close()));
      const account = `an API server that is the seed and ${others.length} for shoots`;
      return { seed: seed!, shoots: others, runsControllers: false, account };
    },
    stop: endTheLiving,
  };
}
