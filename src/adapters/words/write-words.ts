import type { ResourceChange } from '../../domain/prober/resource-change.ts';
import type { ShootCommands } from '../../machines/shoot-language.ts';
import { shortName } from './shoot-words.ts';

/** A write that is still to be done: `scale kube-controller-manager from 2 to 0`. */
export function toDoWords({ key, seen, change }: Pick<ShootCommands['scale'], 'key' | 'seen' | 'change'>): string {
  const name = shortName(key);
  const { replicas, mark, record } = change;
  if (replicas !== undefined) return `scale ${name} from ${seen.replicas} to ${replicas}`;
  if (mark === true) return `set our mark on ${name}`;
  return typeof record === 'number' ? `record ${record} on ${name}` : `remove ${annotationsOf(change)} from ${name}`;
}

/** Those that a write removes. */
export function annotationsOf({ mark, record }: ResourceChange): string {
  if (mark === false && record === null) return 'our mark and record';
  return mark === false ? 'our mark' : 'our record';
}
