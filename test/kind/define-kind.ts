import { setTimeout as pause } from 'node:timers/promises';
import { definitionOf, definitions, notServedYet, servedAt, type CustomKind } from '../../hack/real/custom-kinds.ts';
import { apply } from './apply.ts';
import type { Cluster } from './cluster.ts';

/** Defines a kind, and waits until it is served. */
export async function defineKind(cluster: Cluster, kind: CustomKind): Promise<void> {
  await apply(cluster, definitions, definitionOf(kind));
  while ((await cluster.call('GET', servedAt(kind), undefined, notServedYet)) === undefined) await pause(100);
}
