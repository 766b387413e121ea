import { ofMutants, type SoakSlip } from './soak-slip.ts';

/** What stands still around a process. Each of them was true until the night in which the program was attacked from its host. */
export const hostSlips: readonly SoakSlip[] = [
  {
    file: 'src/adapters/output/bounded-lines.ts',
    find: "if (this.#state === 'idle') this.#offer();\n  }\n\n  /** Resolves",
    put: '(this.#options.output as unknown as { writeNow(bytes: Buffer): void }).writeNow(this.#rest);\n  }\n\n  /** Resolves',
    says: 'a line waits for the reader of the log',
    wasTrue: '40 shoots were cut off, and 26 of them protected',
  },
  {
    ...ofMutants('host', 'lines for an output that takes nothing wait without a bound'),
    wasTrue: '100,000 lines for a full disk took 150 MiB',
  },
  {
    file: 'src/adapters/journal/appending-file.ts',
    find: 'this.#options.disk.write(file.descriptor,',
    put: '(this.#options.disk as unknown as { writeNow(of: unknown): void }).writeNow(flying);\n    this.#options.disk.write(file.descriptor,',
    says: 'a line of the journal waits for its disk',
    wasTrue: 'the end of a process waited for a disk that hung',
  },
  {
    file: 'src/adapters/journal/journal-limits.ts',
    find: 'files: 4_096,',
    put: 'files: 16,',
    says: 'sixteen starts erase the journal',
    wasTrue: 'of 512 MiB that were allowed 0.2 were kept',
  },
  {
    file: 'src/adapters/journal/kept-files.ts',
    find: 'files.toSorted((one, other) => one.number - other.number)',
    put: 'files.toSorted((one, other) => (one.path.slice(-24) < other.path.slice(-24) ? -1 : 1))',
    says: 'a clock that was once ahead makes the journal remove what is newest',
    wasTrue: 'the journal removed the file that it wrote to, again and again',
  },
  {
    file: 'src/adapters/shoot/shoot-probe.ts',
    find: 'if (clock.now() < wantedAt) throw setBack;',
    put: 'if (clock.now() < wantedAt || clock.now() > wantedAt + 500) throw setBack;',
    says: 'on a slow core an honest answer takes too long to be believed',
    wasTrue: 'limits in milliseconds of CPU',
    explained:
      'a probe that failed comes again a second later, and one of some is quick enough, so that all goes down in time',
  },
];
