import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { JournalHeader } from 'dependency-watchdog/adapters/journal/journal-line.ts';

/** Every run that a journal tells of, by its newest header, and when its last turn was. */
export type LedRuns = Readonly<{
  hear(header: JournalHeader): void;
  /** A turn of it passes. */
  pass(run: string, at: Instant): void;
  /** In the order in which they were heard of. */
  all(): readonly (JournalHeader & Readonly<{ lastAt?: Instant }>)[];
}>;

export function followRuns(): LedRuns {
  const headers = new Map<string, JournalHeader>();
  const lastAt = new Map<string, Instant>();
  return {
    hear(header) {
      const { run } = header;
      headers.set(run, { ...header, openedAt: headers.get(run)?.openedAt ?? header.openedAt });
    },
    pass: (run, at) => void lastAt.set(run, at),
    all: () =>
      [...headers.values()].map((header) => {
        const last = lastAt.get(header.run);
        return last === undefined ? header : { ...header, lastAt: last };
      }),
  };
}
