// What one probe of a healthy shoot costs this process (CPU, all threads): the leases' probe beside a bare client that does the
// same two requests over a fresh connection, and the probe of the older generation's two paths (SPEC 4.9). The shoot runs in a
// process of its own. Usage: node bench/probe-cost.ts [nodes]
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { systemClock } from '../src/adapters/clock/wall-clock.ts';
import { kubeShootApi } from '../src/adapters/shoot/kube-shoot-api.ts';
import type { ProberConfig } from '../src/domain/prober/prober-config.ts';
import type { ShootApi } from '../src/effects/ports.ts';
import { issueCertificates, kubeconfigText } from '../src/simulator/api/certificates.ts';
import { gardenerConfig, twoPathConfig } from '../test/support/prober-configs.ts';

const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases?limit=500';
const token = 'x'.repeat(900);
const probesEachRound = 50;
const rounds = 16;

type Shoot = Readonly<{ url: string; ca: string }>;

/** What the shoot's server has seen so far. */
type Met = { connections: number; requests: number };

/** Settles with the number of nodes. */
type Probe = () => Promise<number>;

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

async function serve(): Promise<void> {
  const certificates = await issueCertificates('bench');
  const items = Array.from({ length: nodes }, (_, index) => leaseOf(index));
  const leases = JSON.stringify({ kind: 'LeaseList', apiVersion: 'coordination.k8s.io/v1', metadata: {}, items });
  const version = JSON.stringify({ major: '1', minor: '33', gitVersion: 'v1.33.1', platform: 'linux/amd64' });
  const server = createServer({ cert: certificates.certificate, key: certificates.key }, ({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(url === '/version' ? version : leases);
  });
  const met: Met = { connections: 0, requests: 0 };
  server.on('connection', () => (met.connections += 1));
  server.on('request', () => (met.requests += 1));
  process.on('message', () => process.send?.(met));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    process.send?.({ url: `https://127.0.0.1:${port}`, ca: certificates.ca } satisfies Shoot);
  });
}

const never = new AbortController().signal;

function apiOf({ url, ca }: Shoot, config: ProberConfig): ShootApi {
  const kubeconfig = kubeconfigText({ name: 'bench', server: url, ca, token });
  return kubeShootApi({ kubeconfigOf: () => kubeconfig, config, clock: systemClock, onRequest: () => undefined });
}

function ours(shoot: Shoot): Probe {
  const api = apiOf(shoot, gardenerConfig);
  return async () => {
    const answer = await api.listLeases('bench', systemClock.now() + 30_000, never);
    if (!answer.ok) throw new Error(answer.failure.detail);
    return answer.value.leases.length;
  };
}

/** Side by side, as where the internal path answered last time. */
function paths(shoot: Shoot): Probe {
  const api = apiOf(shoot, twoPathConfig);
  return async () => {
    const deadlineAt = systemClock.now() + 5_000;
    const asked = (['internal', 'external'] as const).map((path) => api.askPath('bench', path, deadlineAt, never));
    for (const failure of await Promise.all(asked)) if (failure !== undefined) throw new Error(failure.detail);
    return nodes;
  };
}

function bare({ url, ca }: Shoot): Probe {
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
async function round(probe: Probe): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < probesEachRound; count++)
    if ((await probe()) !== nodes) throw new Error('not every lease came');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / probesEachRound;
}

async function measure(child: ChildProcess): Promise<void> {
  const [shoot] = (await once(child, 'message')) as [Shoot];
  const probes = { ours: ours(shoot), bare: bare(shoot), paths: paths(shoot) };
  const costs = { ours: [] as number[], bare: [] as number[], paths: [] as number[] };
  for (let turn = 0; turn <= rounds; turn++)
    for (const who of ['ours', 'bare', 'paths'] as const) {
      const cost = await round(probes[who]);
      // The first round warms up.
      if (turn > 0) costs[who].push(cost);
    }
  // The least of the rounds, because anything else on this machine can only add to it.
  const [own, peer, both] = [Math.min(...costs.ours), Math.min(...costs.bare), Math.min(...costs.paths)];
  process.stdout.write(
    `a probe of ${nodes} nodes: ${own.toFixed(2)} ms of CPU; a bare client: ${peer.toFixed(2)} ms; ratio ${(own / peer).toFixed(2)}\n`,
  );
  const before = await metBy(child);
  await probes.paths();
  const after = await metBy(child);
  process.stdout.write(
    `a probe of two paths: ${both.toFixed(2)} ms of CPU; connections: ${after.connections - before.connections}; requests: ${after.requests - before.requests}\n`,
  );
}

async function metBy(child: ChildProcess): Promise<Met> {
  const answer = once(child, 'message') as Promise<[Met]>;
  child.send('count');
  return (await answer)[0];
}

const nodes = Number(process.argv[2] ?? 100);
if (process.send === undefined) {
  const child = fork(import.meta.filename, [String(nodes)]);
  try {
    await measure(child);
  } finally {
    child.kill();
  }
} else {
  await serve();
}
