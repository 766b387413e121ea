import type { Loose, WatchStream, Wire } from './embedded-wire.ts';

/** What becomes of the API servers while etcd is restored. Who goes on has not noticed. */
export type AfterRestore = 'start afresh' | 'go on';

/** Two API servers over one etcd of their own, which can be restored. */
export type RestorablePair = Readonly<{
  /** A new client of one of them, as the administrator. */
  dial: (server: 0 | 1) => Wire;
  backUp(): Promise<void>;
  /** Resolves once both servers answer. */
  restore(servers: AfterRestore): Promise<void>;
  stop(): Promise<void>;
}>;

/** Some ConfigMaps of one namespace, by their names, as they were at one time. */
type Objects = Readonly<Record<string, Loose>>;

/** What a client knows of a history that the seed has left. */
export type LostHistory = Readonly<{
  /** Of the collection. */
  path: string;
  /** `kept`, `changed`, `removed` and `reborn`, as the backup holds them. */
  backedUp: Objects;
  /** `changed`, `reborn` and `gone`, as they were at last. */
  lost: Objects;
  /** A version of before the backup, and the word for the next page of a list of then. */
  before: Readonly<{ version: number; next: string }>;
  /** The version of the last list, and the word for its next page. */
  last: Readonly<{ version: number; next: string }>;
  /** One through each server, which were open during the restore, and had told all that was lost. */
  watches: readonly WatchStream[];
  /** Clients of both servers, of after the restore. */
  wires: readonly Wire[];
}>;

/** So many versions are lost that what servers write on their own when they start does not make up for them. */
const ahead = 500;

/** What a watch tells of what is lost. */
export const lostEvents: readonly string[] = [
  'MODIFIED changed',
  'DELETED removed',
  'DELETED reborn',
  'ADDED reborn',
  'ADDED gone',
];

/** Backs etcd up, does what is then lost, and restores it. */
export async function loseHistory(
  pair: RestorablePair,
  namespace: string,
  servers: AfterRestore,
): Promise<LostHistory> {
  const wire = pair.dial(0);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await sent(wire, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  for (const name of ['changed', 'kept', 'reborn', 'removed']) await create(wire, path, name);
  const before = await firstPage(wire, path);
  await change(wire, `${path}/kept`, 'again');
  const backedUp = await objectsIn(wire, path);
  await pair.backUp();

  const again = pair.dial(0);
  await change(again, `${path}/changed`, 'lost');
  await sent(again, 'DELETE', `${path}/removed`);
  await sent(again, 'DELETE', `${path}/reborn`);
  await create(again, path, 'reborn');
  await create(again, path, 'gone');
  await overtake(again, before.version + ahead);
  const lost = await objectsIn(again, path);
  const last = await firstPage(again, path);
  const watches = [];
  for (const server of [0, 1] as const) {
    const watch = await pair.dial(server).watch(watching(path, before.version));
    await watch.take(lostEvents.length + 1);
    watches.push(watch);
  }
  await pair.restore(servers);
  return { path, backedUp, lost, before, last, watches, wires: [pair.dial(0), pair.dial(1)] };
}

/** Without an end that a test would meet. */
export function watching(path: string, after: number): string {
  return `${path}?watch=true&resourceVersion=${after}`;
}

export function create(wire: Wire, path: string, name: string): Promise<Loose> {
  return sent(wire, 'POST', path, { metadata: { name }, data: { text: 'first' } });
}

/** Writes elsewhere for as long as etcd's counter has not overtaken a version. */
export async function overtake(wire: Wire, version: number): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  await wire.call('POST', path, { metadata: { name: 'counted' } });
  for (let count = 0, reached = 0; reached <= version; count++)
    reached = versionOf(await change(wire, `${path}/counted`, `${version} ${count}`));
}

export function versionOf({ metadata }: Loose): number {
  return Number(metadata.resourceVersion);
}

export const namesIn = ({ items }: Loose): readonly string[] => items.map(({ metadata }: Loose) => metadata.name);

export const versionsIn = ({ items }: Loose): readonly number[] => items.map(versionOf);

export function change(wire: Wire, path: string, text: string): Promise<Loose> {
  return sent(wire, 'PATCH', path, { data: { text } });
}

async function firstPage(wire: Wire, path: string): Promise<Readonly<{ version: number; next: string }>> {
  const list = await sent(wire, 'GET', `${path}?limit=2`);
  return { version: versionOf(list), next: list.metadata.continue };
}

async function objectsIn(wire: Wire, path: string): Promise<Objects> {
  const names = namesIn(await sent(wire, 'GET', path));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await sent(wire, 'GET', `${path}/${name}`)])),
  );
}

async function sent(wire: Wire, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
  const told = method === 'PATCH' ? await wire.patch(path, body) : await wire.call(method, path, body);
  if (told.code >= 300) throw new Error(`${method} ${path}: ${told.code} ${told.text}`);
  return told.body;
}
