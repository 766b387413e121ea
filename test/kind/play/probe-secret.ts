import type { V1Secret } from '@kubernetes/client-node';
import { tolerating } from '@dwd/lab/real/operator-client.ts';
import { kubeconfigSecret } from '@dwd/simulator/shoot/shoot-objects.ts';
import type { Cluster } from '@dwd/lab/test/support/cluster.ts';

const name = 'shoot-access-dependency-watchdog-probe';

/** Which kubeconfig of a shoot's probe a Secret holds: the only one, or that of one of two paths (SPEC 2.2). */
type SecretOf = 'probe' | 'internal' | 'external';

const names: Readonly<Record<SecretOf, string>> = {
  probe: name,
  internal: `${name}-internal`,
  external: `${name}-external`,
};

/** Writes a Secret of a shoot's probe, over one that may be there. */
export async function writeProbeSecret(
  { operator: { core } }: Cluster,
  namespace: string,
  of: SecretOf,
  kubeconfig: string,
): Promise<void> {
  const secret = { namespace, body: kubeconfigSecret(namespace, names[of], kubeconfig) as V1Secret };
  const made = await tolerating([409], core.createNamespacedSecret(secret));
  if (made === undefined) await core.replaceNamespacedSecret({ ...secret, name: names[of] });
}
