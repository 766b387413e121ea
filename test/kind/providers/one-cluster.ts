import { AuthorizationV1Api, VersionApi } from '@kubernetes/client-node';
import { Cluster } from '@dwd/lab/test/support/cluster.ts';
import type { Clusters } from '../provider.ts';

const everything = { group: '*', version: '*', resource: '*', verb: '*' };

/**
 * A cluster that is seed and shoots at once, and runs its own controllers, by its kubeconfig files. Rejects where it does not
 * answer, or where we are not its administrator; changes nothing.
 */
export async function oneCluster(files: string, say: (line: string) => void): Promise<Clusters> {
  const cluster = await Cluster.by(files);
  const { config } = cluster.operator;
  const { server } = cluster.credentials;
  const { gitVersion } = await config
    .makeApiClient(VersionApi)
    .getCode()
    .catch((cause: unknown) => {
      throw new Error(`The cluster ${server} gives no answer that its kubeconfig lets us read.`, { cause });
    });
  const body = { spec: { resourceAttributes: everything } };
  const { status } = await config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({ body });
  if (status?.allowed !== true)
    throw new Error(`The scenarios need an administrator of ${server}: they make users, kinds and nodes.`);
  say(`${server} is the seed, and the one that all shoots are in`);
  return { seed: files, shoots: [files], runsControllers: true, account: `Kubernetes ${gitVersion}` };
}
