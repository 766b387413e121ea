import type { Instant } from '../../../domain/time.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { DependantKey } from '../../../domain/prober/dependant.ts';
import { shortName } from '../words/write-words.ts';
import type { Log } from './log.ts';

/**
 * Troubles that were told and are not over, so that each is told when it begins and when it ends, and not in between. No
 * turn tells that: a trouble that was told outlives a pause of its machine. A subject without troubles is not remembered.
 */
export function openTroubles<Trouble extends string>() {
  const bySubject = new Map<string, Set<Trouble>>();
  return {
    /** Whether it is new. */
    begins(subject: string, trouble: Trouble): boolean {
      const told = bySubject.get(subject) ?? new Set();
      if (told.has(trouble)) return false;
      bySubject.set(subject, told.add(trouble));
      return true;
    },
    /** Whether it was told. */
    ends(subject: string, trouble: Trouble): boolean {
      const told = bySubject.get(subject);
      if (told?.delete(trouble) !== true) return false;
      if (told.size === 0) bySubject.delete(subject);
      return true;
    },
    forget: (subject: string) => void bySubject.delete(subject),
  };
}

export type Failing = Readonly<{ since: Instant; failures: number }>;

/** What fails now, and since when: the line that tells of the end says how long it was. */
export function failings() {
  const bySubject = new Map<string, Failing>();
  return {
    /** Whether it is the first failure. */
    add(subject: string, at: Instant): boolean {
      const { since, failures } = bySubject.get(subject) ?? { since: at, failures: 0 };
      bySubject.set(subject, { since, failures: failures + 1 });
      return failures === 0;
    },
    of: (subject: string) => bySubject.get(subject),
    /** Forgets the failures and gives them; undefined where there were none. */
    end(subject: string): Failing | undefined {
      const failing = bySubject.get(subject);
      bySubject.delete(subject);
      return failing;
    },
  };
}

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
