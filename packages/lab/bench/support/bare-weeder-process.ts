// As little as can weed: for each namespace and selector one list, a DELETE for what crash-loops, and then a watch, at
// the same limits as ours. It decides nothing, and repeats and tells nothing.
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Pool, type Dispatcher } from 'undici';
import { parse } from 'yaml';
import { readConfigFile } from 'dependency-watchdog/adapters/config/config-file.ts';
import { RateLimit } from 'dependency-watchdog/adapters/seed-client/rate-limit.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { readWeederConfig } from 'dependency-watchdog/domain/config/read-weeder-config.ts';
import { textAt } from 'dependency-watchdog/domain/value-at.ts';
import { serve } from './forked.ts';

type BareWeeding = Readonly<{
  kubeconfig: string;
  configFile: string;
  namespaces: readonly string[];
  qps: number;
  burst: number;
  /** Opens a watch after each list. */
  watches: boolean;
}>;

/** `seconds` to the last answer. */
type BareWeeded = Readonly<{
  cpuSeconds: number;
  seconds: number;
  deletions: number;
  /** Of the process, in bytes, before and after. */
  resident: readonly [number, number];
}>;

type Waiting = Readonly<{ state: { waiting?: { reason?: string } } }>;
type Pod = Readonly<{
  metadata: { name: string; uid: string; deletionTimestamp?: string };
  status: { containerStatuses?: readonly Waiting[]; initContainerStatuses?: readonly Waiting[] };
}>;
type PodList = Readonly<{ metadata: { resourceVersion: string }; items: readonly Pod[] }>;

const commands = { weed };
export type BareWeederCommands = typeof commands;
serve(commands);

async function weed(order: BareWeeding): Promise<BareWeeded> {
  const { kubeconfig, configFile, namespaces, qps, burst, watches } = order;
  const reading = await readConfigFile(configFile, (written) => readWeederConfig(written));
  if (!reading.ok) throw new Error(`${configFile} cannot be read`);
  const selectors = reading.config.services.flatMap(({ podSelectors }) => podSelectors);
  const written: unknown = parse(kubeconfig);
  const part = (...path: readonly string[]): string => textAt(written, ...path);
  const connect = { ca: Buffer.from(part('clusters', '0', 'cluster', 'certificate-authority-data'), 'base64') };
  const origin = part('clusters', '0', 'cluster', 'server');
  const headers = { authorization: `Bearer ${part('users', '0', 'user', 'token')}` };
  const pool = new Pool(origin, { connect, allowH2: false, connections: 100 });
  const watching = new Pool(origin, { connect, allowH2: false, connections: 4_000 });
  const limit = new RateLimit(systemClock, { qps, burst });
  const deleted = new Set<string>();

  const ask = async (method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<unknown> => {
    const leave = await limit.admit({ lane: 'urgent', signals: [] });
    const text = body === undefined ? null : JSON.stringify(body);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await pool.request({ method, path, headers: { ...headers, ...type }, body: text });
    const value: unknown = await answer.body.json();
    leave();
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode}`);
    return value;
  };
  const remove = async (path: string, { metadata: { name, uid } }: Pod): Promise<void> => {
    if (deleted.has(uid)) return;
    deleted.add(uid);
    await ask('DELETE', `${path}/${name}`, { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } });
  };
  const watch = async (path: string, query: string): Promise<void> => {
    const leave = await limit.admit({ lane: 'urgent', signals: [] });
    const answer = await watching.request({ method: 'GET', path: `${path}?${query}`, headers });
    leave();
    createInterface({ input: answer.body }).on('line', (line) => void JSON.parse(line));
  };
  const look = async (namespace: string, selector: string): Promise<void> => {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const query = `labelSelector=${encodeURIComponent(selector)}`;
    const { items, metadata } = (await ask('GET', `${path}?${query}&limit=50`)) as PodList;
    const removals = items.filter(isDue).map((pod) => remove(path, pod));
    if (watches) await watch(path, `${query}&watch=true&resourceVersion=${metadata.resourceVersion}`);
    await Promise.all(removals);
  };

  const startedAt = performance.now();
  const residentBefore = process.memoryUsage.rss();
  const before = process.cpuUsage();
  await Promise.all(namespaces.flatMap((namespace) => selectors.map((selector) => look(namespace, selector))));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return {
    cpuSeconds: (user + system) / 1e6,
    seconds,
    deletions: deleted.size,
    resident: [residentBefore, process.memoryUsage.rss()],
  };
}

function isDue({ metadata, status }: Pod): boolean {
  const containers = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  return (
    metadata.deletionTimestamp === undefined &&
    containers.some(({ state }) => state.waiting?.reason === 'CrashLoopBackOff')
  );
}
