import { tolerating, type OperatorClient } from '../real/operator-client.ts';

/** What a token stops to hold with; it is created where it is not there. */
type Bound = Readonly<{ kind: 'Pod' | 'Secret'; name: string }>;

/**
 * A token of a ServiceAccount (`system:serviceaccount:garden:dependency-watchdog-prober`) from the API server, as kubelets and Gardener's
 * token-requestor ask for them.
 */
export async function boundToken({ core }: OperatorClient, user: string, { kind, name }: Bound): Promise<string> {
  const [, , namespace = '', account = ''] = user.split(':');
  const containers = [{ name: 'prober', image: 'localhost/dependency-watchdog' }];
  const pod = { metadata: { name }, spec: { serviceAccountName: account, containers } };
  if (kind === 'Secret')
    await tolerating([409], core.createNamespacedSecret({ namespace, body: { metadata: { name } } }));
  else await tolerating([409], core.createNamespacedPod({ namespace, body: pod }));
  const { metadata } =
    kind === 'Secret'
      ? await core.readNamespacedSecret({ namespace, name })
      : await core.readNamespacedPod({ namespace, name });
  const boundObjectRef = { apiVersion: 'v1', kind, name, uid: metadata?.uid ?? '' };
  const body = { spec: { audiences: [], expirationSeconds: 43_200, boundObjectRef } };
  const { status } = await core.createNamespacedServiceAccountToken({ namespace, name: account, body });
  if (status?.token === undefined) throw new Error(`no token came for ${user}`);
  return status.token;
}
