// One HTTPS server that stands for the API servers of any number of shoots: it says the same to all of them, from
// bytes that it made before, so that a thousand shoots cost little of the machine on which the prober is measured.
// It is started with the count of their nodes, and, where they are hostile, with the name of an attack: what that answers costs
// neither the prober nor the honest shoots anything.
import { createServer } from 'node:https';
import process from 'node:process';
import { issueCertificates, kubeconfigText } from '@dwd/simulator/api/certificates.ts';
import { renewTickets } from '@dwd/simulator/api/renewed-tickets.ts';
import { leaseObject, nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { attacks } from '@dwd/testing/attacks.ts';
import { serve } from './forked.ts';

const [, , count, attackName] = process.argv;
const attack = attacks.find(({ name }) => name === attackName);
const names = Array.from({ length: Number(count) }, (_, index) =>
  attackName === undefined ? `shoot--project--name-worker-abcde-z1-5d9f8-${index}` : `node-00${index + 1}`,
);
const certificates = await issueCertificates('shoots');
const version = Buffer.from(
  JSON.stringify({ major: '1', minor: '34', gitVersion: 'v1.34.4', platform: 'linux/amd64' }),
);
// The seed has no Machines of healthy ones: with nodes nobody could judge these shoots (SPEC 5.8).
const items = attackName === undefined ? [] : names.map((name) => nodeObject(name, Date.now()));
const nodes = Buffer.from(JSON.stringify({ kind: 'NodeList', apiVersion: 'v1', metadata: {}, items }));
let leases = Buffer.from('');
setInterval(renew, 1_000);
renew();

/** Connections and requests so far. */
const met = { connections: 0, requests: 0 };
const server = createServer({ cert: certificates.certificate, key: certificates.key }, ({ url }, response) => {
  met.requests += 1;
  const resource = url === '/version' ? url : url?.startsWith('/api/v1/nodes') === true ? 'nodes' : 'leases';
  const hostile = attack?.answers?.[resource];
  response.on('error', () => response.destroy());
  if (hostile !== undefined) return hostile(response, Date.now());
  const body = { '/version': version, nodes, leases }[resource];
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
renewTickets(server);
server.on('connection', (socket) => {
  met.connections += 1;
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', 1_024, () => {
  const address = server.address();
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const { ca } = certificates;
  // As long as a service account's.
  const token = 'x'.repeat(900);
  const kubeconfig = kubeconfigText({ name: 'shoots', server: url, ca, token });
  serve({ reach: () => ({ url, ca, token, kubeconfig }), met: () => met } satisfies ShootsCommands);
});

export type ShootsCommands = Readonly<{
  reach(): Readonly<{ url: string; ca: string; token: string; kubeconfig: string }>;
  met(): Readonly<{ connections: number; requests: number }>;
}>;

/** As many bytes as a real API server sends for each. */
function renew(): void {
  const now = Date.now();
  const fields = { 'f:holderIdentity': {}, 'f:leaseDurationSeconds': {}, 'f:renewTime': {} };
  const managedFields = [
    { manager: 'kubelet', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': fields } },
  ];
  const items = names.map((name, index) => {
    const lease = leaseObject(name, now - (index * 10_000) / names.length);
    return { ...lease, metadata: { ...(lease['metadata'] as object), uid: crypto.randomUUID(), managedFields } };
  });
  const list = { kind: 'LeaseList', apiVersion: 'coordination.k8s.io/v1', metadata: { resourceVersion: '1' }, items };
  leases = Buffer.from(JSON.stringify(list));
}
