import { stringify } from 'yaml';

export type Kubeconfig = Readonly<{
  /** Of context, cluster and user alike, as Gardener names them. */
  name: string;
  server: string;
  /** PEM. */
  ca: string;
  token: string;
}>;

/** The YAML of a kubeconfig with everything inline. An empty token stays empty, as Gardener's Secret begins. */
export function kubeconfigText({ name, server, ca, token }: Kubeconfig): string {
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      users: [{ name, user: { token } }],
    },
    { lineWidth: 0 },
  );
}
