import type { Instant } from '../../domain/time.ts';

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
