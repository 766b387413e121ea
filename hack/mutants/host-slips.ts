import type { Slip } from './slip.ts';

/** What stands still around the program holds it up, or grows without a bound (SPEC 11). */
export const hostSlips: readonly Slip[] = [
  {
    file: 'src/adapters/output/bounded-lines.ts',
    find: 'while (this.#waitingBytes > mostWaitingBytes) this.#drop();',
    put: '',
    says: 'lines for an output that takes nothing wait without a bound',
    tests: ['test/adapters/output-bounded-lines.test.ts'],
  },
  {
    file: 'src/adapters/output/machine-output.ts',
    find: 'constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY',
    put: 'constants.O_WRONLY | constants.O_NOCTTY',
    says: 'a reader of the log that stands still holds up the loop',
    tests: ['test/adapters/output-machine.test.ts'],
  },
  {
    file: 'src/commands/end-process.ts',
    find: 'if (!process.getActiveResourcesInfo().some((resource) => pooled.test(resource))) process.exit(code);',
    put: 'if (pooled.test(String(code)) || code >= 0) process.exit(code);',
    says: 'a disk that hangs holds up the end',
    tests: ['test/commands/end-process.test.ts'],
  },
];
