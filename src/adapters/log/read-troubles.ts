import type { ShootNamespace } from '../../domain/names.ts';
import type { DependantKey } from '../../domain/prober/dependant.ts';
import { shortName } from '../words/shoot-words.ts';
import type { Log } from './log.ts';

/** A seed that is away fails the reads of all shoots, 750 on a usual one. So many are told by name; the seed's outage has a line of its own. */
const mostTold = 10;

/** Tells which dependants cannot be read, when that begins and when it ends: the first ones by name, the others at DEBUG. */
export function readTroubles(log: Log) {
  const troubles = new Map<ShootNamespace, Map<DependantKey, 'told' | 'untold'>>();
  let told = 0;
  let saidMore = false;

  return {
    fails(shoot: ShootNamespace, key: DependantKey, detail: string): void {
      const own = troubles.get(shoot) ?? new Map<DependantKey, 'told' | 'untold'>();
      if (own.has(key)) return;
      const isTold = told < mostTold;
      troubles.set(shoot, own.set(key, isTold ? 'told' : 'untold'));
      if (isTold) told += 1;
      const sentence = `${shoot}: ${shortName(key)} cannot be read: ${detail}`;
      log[isTold ? 'warn' : 'debug'](sentence, { line: 'read fails', shoot, resource: key, detail });
      if (isTold || saidMore) return;
      saidMore = true;
      log.warn(`more than ${mostTold} dependants cannot be read; the others are told at DEBUG`, {
        line: 'more reads fail',
      });
    },
    works(shoot: ShootNamespace, key: DependantKey): void {
      const own = troubles.get(shoot);
      const trouble = own?.get(key);
      if (own === undefined || trouble === undefined) return;
      own.delete(key);
      if (own.size === 0) troubles.delete(shoot);
      if (trouble === 'told') told -= 1;
      if (troubles.size === 0) saidMore = false;
      const sentence = `${shoot}: ${shortName(key)} can be read again`;
      log[trouble === 'told' ? 'info' : 'debug'](sentence, { line: 'read again', shoot, resource: key });
    },
    forget(shoot: ShootNamespace): void {
      for (const trouble of troubles.get(shoot)?.values() ?? []) if (trouble === 'told') told -= 1;
      troubles.delete(shoot);
    },
  };
}
