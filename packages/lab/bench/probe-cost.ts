// What one probe of a healthy shoot costs this process (CPU, all threads): the leases' probe beside a bare client that does the
// same two requests over a fresh connection, and the probe of the older generation's two paths (SPEC 4.9). The shoot runs in a
// process of its own. Usage: node packages/lab/bench/probe-cost.ts [nodes]
import { once } from 'node:events';
import { Agent, get } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { kubeShootApi } from 'dependency-watchdog/adapters/shoot/kube-shoot-api.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ShootApi } from 'dependency-watchdog/effects/ports.ts';
import { gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { say } from './support/flags.ts';
import { forked } from './support/forked.ts';
import type { ShootsCommands } from './support/shoots-process.ts';

const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases?limit=500';
const probesEachRound = 50;
const rounds = 16;

type Shoot = ReturnType<ShootsCommands['reach']>;

/** Settles with the number of nodes. */
type Probe = () => Promise<number>;

const nodes = Number(process.argv[2] ?? 100);
const never = new AbortController().signal;

using server = await forked<ShootsCommands>('shoots-process.ts', [String(nodes)]);
const shoot = await server.reach();
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
say(
  `a probe of ${nodes} nodes: ${own.toFixed(2)} ms of CPU; a bare client: ${peer.toFixed(2)} ms; ratio ${(own / peer).toFixed(2)}`,
);
const before = await server.met();
await probes.paths();
const after = await server.met();
say(
  `a probe of two paths: ${both.toFixed(2)} ms of CPU; connections: ${after.connections - before.connections}; requests: ${after.requests - before.requests}`,
);

function apiOf({ kubeconfig }: Shoot, config: ProberConfig): ShootApi {
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

function bare({ url, ca, token }: Shoot): Probe {
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
