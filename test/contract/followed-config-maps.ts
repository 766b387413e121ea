import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { StoredObject, StreamItem } from '../../src/adapters/reflector/stream-item.ts';
import { reflector, type ReflectorOptions } from '../../src/adapters/reflector/reflector.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-trouble.ts';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import { textAt } from '../../src/domain/value-at.ts';
import type { ContractStage, ContractUser } from './contract-stage.ts';
import { collector } from './collector.ts';
import type { Loose } from './embedded-wire.ts';
import { SwitchedClient } from './switched-client.ts';

export type ConfigMapScene = Awaited<ReturnType<typeof sceneOf>>;

const metadataOf = (answer: unknown): Readonly<{ resourceVersion: string }> => (answer as Loose).metadata;

/** A namespace of ConfigMaps with one text each, and a client by which `user` may follow them. */
export async function sceneOf(stage: ContractStage, user: ContractUser = 'admin') {
  const namespace = await stage.namespace();
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const merge = (name: string, body: unknown) =>
    stage.admin
      .request({ method: 'PATCH', path: `${path}/${name}`, body, contentType: 'application/merge-patch+json' })
      .then(metadataOf);
  return {
    namespace,
    path,
    client: new SwitchedClient(stage.client(user)),
    create: (name: string, text: string) =>
      stage.admin.request({ method: 'POST', path, body: { metadata: { name }, data: { text } } }).then(metadataOf),
    change: (name: string, text: string) => merge(name, { data: { text } }),
    label: (name: string, role: string) => merge(name, { metadata: { labels: { role } } }),
    remove: (name: string) => stage.admin.request({ method: 'DELETE', path: `${path}/${name}` }),
  };
}

/** The program's own stream of them. */
export function followConfigMaps(
  { client, path }: ConfigMapScene,
  more: Partial<Pick<ReflectorOptions<string>, 'path' | 'query' | 'pageSize'>> = {},
) {
  const store = new Map<string, StoredObject<string>>();
  const notices: StreamNotice[] = [];
  const items$ = reflector({
    client,
    clock: systemClock,
    chance: seededChance(3),
    stream: 'configmaps',
    path,
    pageSize: 500,
    limit: 1_000,
    project: (object) => textAt(object, 'data', 'text'),
    notice: (notice) => notices.push(notice),
    objects: store,
    ...more,
  });
  return { store, notices, ...collector(items$) };
}

/** `a 1→2`, `a new 1`, `a gone`, or its type. */
export function wordsOf(item: StreamItem<string>): string {
  if (item.type === 'deleted') return `${item.name} gone`;
  if (item.type !== 'applied') return item.type;
  const { object, before } = item;
  return `${object.name} ${before === undefined ? 'new ' : `${before.value}→`}${object.value}`;
}

/** What comes until it ends. */
export async function allOf(lines: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const collected: unknown[] = [];
  for await (const line of lines) collected.push(line);
  return collected;
}
