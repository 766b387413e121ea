import { Cluster } from '../cluster.ts';
import type { Clusters, Provider } from '../provider.ts';

/** Any cluster that `$KUBECONFIG` leads to, as its administrator: it is the seed, and the one that all shoots are in. */
export const kubeconfig: Provider = {
  name: 'kubeconfig',
  start: (_, say) => {
    const files = process.env['KUBECONFIG'] ?? '';
    if (files === '')
      return Promise.reject(
        new Error(
          'The provider kubeconfig takes the cluster from KUBECONFIG, which is not set; it takes no default, since it writes there.',
        ),
      );
    return oneCluster(files, say);
  },
  stop: () => Promise.resolve(),
};

/** A cluster that is seed and shoots at once, and runs its own controllers. Rejects where it does not answer, or none run. */
export async function oneCluster(files: string, say: (line: string) => void): Promise<Clusters> {
  const cluster = await Cluster.by(files);
  try {
    const { gitVersion } = await cluster.get<{ gitVersion: string }>('/version');
    say(`the cluster ${cluster.credentials.server} is seed and shoot`);
    return { seed: files, shoots: [files], runsControllers: true, account: `Kubernetes ${gitVersion}` };
  } catch (error) {
    throw new Error(`The cluster ${cluster.credentials.server} does not answer.`, { cause: error });
  } finally {
    await cluster.close();
  }
}
