// What one probe of a healthy shoot costs this process (CPU, all threads), beside a bare client that does the same two
// requests over a fresh connection. The shoot runs in a process of its own. Usage: node bench/probe-cost.ts [nodes]
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { systemClock } from '../src/adapters/clock/wall-clock.ts';
import { kubeShootApi } from '../src/adapters/shoot/kube-shoot-api.ts';
import { issueCertificates, kubeconfigText } from '../src/simulator/api/certificates.ts';
import { gardenerConfig } from '../test/support/prober-configs.ts';

const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases?limit=500';
const token = 'x'.repeat(900);
const probesEachRound = 50;
const rounds = 16;

type Shoot = Readonly<{ url: string; ca: string }>;

function leaseOf(index: number): object {
  const name = `shoot--project--name-worker-abcde-z1-5d9f8-${index}`;
  const fields = { 'f:holderIdentity': {}, 'f:leaseDurationSeconds': {}, 'f:renewTime': {} };
  return {
    metadata: {
      name,
      namespace: 'kube-node-lease',
      uid: '5a0c3c11-9d5b-4b6f-8a0e-0f1f3bd0f6a1',
      resourceVersion: String(123_456 + index),
      creationTimestamp: '2026-11-01T10:00:00Z',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: '5a0c3c11-9d5b-4b6f-8a0e-0f1f3bd0f6a2' }],
      managedFields: [
        { manager: 'kubelet', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': fields } },
      ],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: new Date().toISOString().replace('Z', '000Z') },
  };
}

async function serve(nodes: number): Promise<void> {
  const certificates = await issueCertificates('bench');
  const items = Array.from({ length: nodes }, (_, index) => leaseOf(index));
  const leases = JSON.stringify({ kind: 'LeaseList', apiVersion: 'coordination.k8s.io/v1', metadata: {}, items });
  const version = JSON.stringify({ major: '1', minor: '33', gitVersion: 'v1.33.1', platform: 'linux/amd64' });
  const server = createServer({ cert: certificates.certificate, key: certificates.key }, ({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(url === '/version' ? version : leases);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    process.send?.({ url: `https://127.0.0.1:${port}`, ca: certificates.ca } satisfies Shoot);
  });
}

async function ours({ url, ca }: Shoot): Promise<() => Promise<number>> {
  const kubeconfig = { text: kubeconfigText({ name: 'bench', server: url, ca, token }), version: '1' };
  const api = kubeShootApi({
    kubeconfigOf: () => kubeconfig,
    config: gardenerConfig,
    clock: systemClock,
    onRequest: () => undefined,
  });
  const never = new AbortController().signal;
  return async () => {
    const answer = await api.listLeases('bench', systemClock.now() + 30_000, never);
    if (!answer.ok) throw new Error(answer.failure.detail);
    return answer.value.leases.length;
  };
}

async function bare({ url, ca }: Shoot): Promise<() => Promise<number>> {
  const ask = async (agent: Agent, path: string): Promise<unknown> => {
    const request = get(url + path, { agent, headers: { authorization: `Bearer ${token}` } });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return JSON.parse((await buffer(answer)).toString());
  };
  return async () => {
    const agent = new Agent({ keepAlive: true, ca });
    await ask(agent, '/version');
    const { items } = (await ask(agent, leasesPath)) as { items: unknown[] };
    agent.destroy();
    return items.length;
  };
}

/** Milliseconds of CPU for each of a round's probes. */
async function round(probe: () => Promise<number>, nodes: number): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < probesEachRound; count++)
    if ((await probe()) !== nodes) throw new Error('not every lease came');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / probesEachRound;
}

async function measure(nodes: number, child: ChildProcess): Promise<void> {
  const [shoot] = (await once(child, 'message')) as [Shoot];
  const probes = { ours: await ours(shoot), bare: await bare(shoot) };
  const costs = { ours: [] as number[], bare: [] as number[] };
  for (let turn = 0; turn <= rounds; turn++)
    for (const who of ['ours', 'bare'] as const) {
      const cost = await round(probes[who], nodes);
      // The first round warms up.
      if (turn > 0) costs[who].push(cost);
    }
  // The least of the rounds, because anything else on this machine can only add to it.
  const [own, peer] = [Math.min(...costs.ours), Math.min(...costs.bare)];
  process.stdout.write(
    `a probe of ${nodes} nodes: ${own.toFixed(2)} ms of CPU; a bare client: ${peer.toFixed(2)} ms; ratio ${(own / peer).toFixed(2)}\n`,
  );
}

const nodes = Number(process.argv[2] ?? 100);
if (process.send === undefined) {
  const child = fork(import.meta.filename, [String(nodes)]);
  try {
    await measure(nodes, child);
  } finally {
    child.kill();
  }
} else {
  await serve(nodes);
}
