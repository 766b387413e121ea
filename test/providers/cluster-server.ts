import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';
import { issueCertificates, kubeconfigText } from '@dwd/simulator/api/certificates.ts';

export type ClusterServer = Readonly<{ url: string; kubeconfig: string; asked: readonly string[] }>;

/** What it answers to GET of a path; all else is not there. */
type Holds = Readonly<Record<string, unknown>>;

/** Answers what a provider asks of a cluster before anything else; whether we are its administrator is for the test to say. */
export async function clusterServer(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  { isAdministrator = true, holds = {} }: Readonly<{ isAdministrator?: boolean; holds?: Holds }> = {},
): Promise<ClusterServer> {
  const { ca, certificate, key } = await issueCertificates('cluster');
  const asked: string[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('Content-Type', 'application/json');
    if (request.headers.authorization !== 'Bearer admin') response.writeHead(401).end('{}');
    else if (request.url === '/version') response.end('{"gitVersion":"v1.99.0"}');
    else if (request.method === 'POST') response.end(JSON.stringify({ status: { allowed: isAdministrator } }));
    else if (Object.hasOwn(holds, request.url ?? '')) response.end(JSON.stringify(holds[request.url ?? '']));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, kubeconfig: kubeconfigText({ name: 'cluster', server: url, ca, token: 'admin' }) };
}
