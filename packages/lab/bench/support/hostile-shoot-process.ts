// The API server of the hostile shoots, in a process of its own: what it costs to make their answers is no cost of the
// prober's, nor of the honest shoots'. It is started with the name of the attack.
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import process from 'node:process';
import { issueCertificates, kubeconfigText } from '@dwd/simulator/api/certificates.ts';
import { leaseObject, nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { serve } from './forked.ts';
import { attacks } from '@dwd/testing/attacks.ts';

const attack = attacks.find(({ name }) => name === process.argv[2]);
const certificates = await issueCertificates('hostile');
const names = Array.from({ length: 5 }, (_, index) => `node-00${index + 1}`);

const server = createServer({ cert: certificates.certificate, key: certificates.key }, ({ url = '' }, response) => {
  const resource = url === '/version' ? '/version' : url.startsWith('/api/v1/nodes') ? 'nodes' : 'leases';
  const answer = attack?.answers?.[resource];
  response.on('error', () => response.destroy());
  if (answer === undefined) sayUsual(resource, response);
  else answer(response, Date.now());
});
server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
server.listen(0, '127.0.0.1', 1_024, () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const { ca } = certificates;
  const kubeconfig = kubeconfigText({ name: 'hostile', server: `https://127.0.0.1:${port}`, ca, token: 'x' });
  serve({ kubeconfig: () => kubeconfig } satisfies HostileShootCommands);
});

export type HostileShootCommands = Readonly<{ kubeconfig(): string }>;

function sayUsual(resource: '/version' | 'leases' | 'nodes', response: ServerResponse): void {
  const now = Date.now();
  const said = {
    '/version': { major: '1', minor: '34', gitVersion: 'v1.34.4' },
    leases: { kind: 'LeaseList', items: names.map((name) => leaseObject(name, now - 5_000)) },
    nodes: { kind: 'NodeList', items: names.map((name) => nodeObject(name, now)) },
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said[resource]));
}
