import { seededChance } from '../adapters/chance.ts';
import { kinds } from './embedded-kinds.ts';
import { createObject, type World } from './object-writes.ts';

/** What every API server makes for itself. */
export const firstNamespaces: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Namespaces that are there from the beginning. They take nothing of the world's chance. */
export function foundNamespaces({ store, clock }: World, names: readonly string[]): void {
  const world = { store, clock, chance: seededChance(0) };
  for (const name of names) createObject(world, kinds.namespace, { metadata: { name } });
}
