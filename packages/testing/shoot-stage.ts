import type { ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { stringify } from 'yaml';
import { kubeShootApi } from 'dependency-watchdog/adapters/shoot/kube-shoot-api.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ProbeFailure } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Answer, LeasesRead, ShootApi } from 'dependency-watchdog/effects/ports.ts';
import type { NodeView } from 'dependency-watchdog/domain/prober/candidates.ts';
import { answerJson, scriptedServer, type Received, type ScriptedServer } from './scripted-server.ts';
import { gardenerConfig, twoPathConfig } from './prober-configs.ts';
import { VirtualClock } from './virtual-clock.ts';

export const token = 'eyJhbGciOiJSUzI1NiIsImtpZCI6Im5v.eyJpc3MiOiJub2JvZHkifQ.c2lnbmF0dXJlLW9mLW5vYm9keQ';
export const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
export const nodesPath = '/api/v1/nodes';
export const startedAt = Date.parse('2026-11-21T20:00:00Z');
export const probeTimeout = 30_000;
export const pathTimeout = 5_000;

export type Reply = (request: Received, response: ServerResponse) => void;

export type ShootStage = AsyncDisposable & {
  readonly server: ScriptedServer;
  readonly clock: VirtualClock;
  readonly api: ShootApi;
  /** The calls of `onRequest`. */
  readonly codes: string[];
  /** The text of the Secret; replace it to change the kubeconfig. */
  kubeconfig: string | undefined;
  /** The same for the external path; what is above is for the internal one then. */
  external: string | undefined;
  /** Called while a connection is prepared. */
  onPrepare: () => void;
  leases(signal?: AbortSignal): Promise<Answer<LeasesRead>>;
  nodes(signal?: AbortSignal): Promise<Answer<readonly NodeView[]>>;
  ask(path: ShootPath, signal?: AbortSignal): Promise<ProbeFailure | undefined>;
};

/** A shoot API on a clock that stands still, and a scripted server. */
export async function shootStage(
  reply: Reply,
  options: { config?: ProberConfig; server?: ScriptedServer; lookup?: LookupFunction } = {},
): Promise<ShootStage> {
  const server = options.server ?? (await scriptedServer(reply));
  const clock = new VirtualClock(startedAt);
  const codes: string[] = [];
  const api = kubeShootApi({
    kubeconfigOf: (_shoot, secret) => {
      stage.onPrepare();
      return secret === twoPathConfig.externalKubeConfigSecretName ? stage.external : stage.kubeconfig;
    },
    config: options.config ?? gardenerConfig,
    clock,
    onRequest: ({ code }) => codes.push(code),
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  const never = new AbortController().signal;
  const stage: ShootStage = {
    server,
    clock,
    api,
    codes,
    kubeconfig: kubeconfigFor(server),
    external: kubeconfigFor(server),
    onPrepare: () => undefined,
    leases: (signal = never) => api.listLeases('shoot--a--b', clock.now() + probeTimeout, signal),
    nodes: (signal = never) => api.listNodes('shoot--a--b', clock.now() + probeTimeout, signal),
    ask: (path, signal = never) => api.askPath('shoot--a--b', path, clock.now() + pathTimeout, signal),
    [Symbol.asyncDispose]: () => server.close(),
  };
  return stage;
}

/** A kubeconfig as Gardener writes it; `cluster` and `user` are merged in. */
export function kubeconfigFor(server: { url: string; ca: string }, cluster: object = {}, user: object = {}): string {
  const ca = Buffer.from(server.ca).toString('base64');
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'shoot',
    contexts: [{ name: 'shoot', context: { cluster: 'shoot', user: 'shoot' } }],
    clusters: [{ name: 'shoot', cluster: { server: server.url, 'certificate-authority-data': ca, ...cluster } }],
    users: [{ name: 'shoot', user: { token, ...user } }],
  });
}

/** Answers `/version` correctly, and everything else by `reply`. */
export function afterVersion(reply: Reply): Reply {
  return (request, response) => {
    if (request.url === '/version') answerJson(response, { major: '1', minor: '33', gitVersion: 'v1.33.1' });
    else reply(request, response);
  };
}

export const fine: Reply = afterVersion((request, response) =>
  answerJson(response, request.url.startsWith(leasesPath) ? leaseList(['a', 'b']) : nodeList(['a', 'b'])),
);

export function leaseList(names: readonly string[], next = ''): object {
  return list('LeaseList', names.map(lease), next);
}

export function nodeList(names: readonly string[], next = ''): object {
  return list('NodeList', names.map(node), next);
}

export function list(kind: string, items: readonly unknown[], next = ''): object {
  return { kind, apiVersion: 'v1', metadata: { resourceVersion: '7', continue: next }, items };
}

export function lease(name: string): object {
  return {
    metadata: { name, namespace: 'kube-node-lease', annotations: { odd: 'a "quoted" {brace}] \\ and ü' } },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: '2026-11-21T19:59:55.123456Z' },
  };
}

export function node(name: string): object {
  return {
    metadata: { name, labels: { 'worker.gardener.cloud/pool': 'pool' } },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'DiskPressure', status: 'False' },
      ],
    },
  };
}

export function names(count: number, from = 0): readonly string[] {
  return Array.from({ length: count }, (_, index) => `node-${from + index}`);
}
