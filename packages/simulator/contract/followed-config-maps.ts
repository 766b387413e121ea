import type { V1ConfigMap } from '@kubernetes/client-node';
import { mergePatch } from '@dwd/lab/real/operator-client.ts';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import type { StoredObject, StreamItem, StreamNotice } from 'dependency-watchdog/adapters/reflector/stream-item.ts';
import { reflector, type ReflectorOptions } from 'dependency-watchdog/adapters/reflector/reflector.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { textAt } from 'dependency-watchdog/domain/value-at.ts';
import type { ContractStage, ContractUser } from './contract-stage.ts';
import { collector } from './collector.ts';
import { SwitchedClient } from './switched-client.ts';

export type ConfigMapScene = Awaited<ReturnType<typeof sceneOf>>;

const versionOf = ({ metadata }: V1ConfigMap) => ({ resourceVersion: metadata?.resourceVersion ?? '' });

/** A namespace of ConfigMaps with one text each, and a client by which `user` may follow them. */
export async function sceneOf(stage: ContractStage, user: ContractUser = 'admin') {
  const namespace = await stage.namespace();
  const { core } = stage.operator;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const merge = (name: string, body: unknown) =>
    core.patchNamespacedConfigMap({ namespace, name, body }, mergePatch).then(versionOf);
  return {
    namespace,
    path,
    client: new SwitchedClient(stage.client(user)),
    create: (name: string, text: string) =>
      core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data: { text } } }).then(versionOf),
    change: (name: string, text: string) => merge(name, { data: { text } }),
    label: (name: string, role: string) => merge(name, { metadata: { labels: { role } } }),
    remove: (name: string) => core.deleteNamespacedConfigMap({ namespace, name }),
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
