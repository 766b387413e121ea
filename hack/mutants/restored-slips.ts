import type { Slip } from './slip.ts';

const stream: readonly string[] = ['test/adapters/seed-watch-stream.test.ts'];

/** A seed whose etcd was restored from a backup, and how the streams find out. */
export const restoredSlips: readonly Slip[] = [
  {
    file: 'src/adapters/reflector/reflector.ts',
    find: 'if (isNews) history.goBack();',
    put: '',
    says: 'that the seed went back is known to one stream alone',
    tests: [...stream, 'test/adapters/seed-watch-events.test.ts'],
  },
  {
    file: 'src/adapters/reflector/reflector.ts',
    find: 'if (await isSeedBehind(',
    put: 'if ((false as boolean) && await isSeedBehind(',
    says: 'a watch that was cut and opened again at once is relied upon',
    tests: stream,
  },
  {
    file: 'src/adapters/reflector/reflector.ts',
    find: '&& clock.now() < endsAt',
    put: '',
    says: 'where the seed stands is asked for though the watch came to its end',
    tests: stream,
  },
  {
    file: 'src/adapters/reflector/seed-behind.ts',
    find: 'while (!signal.aborted) {',
    put: 'for (;;) {',
    says: 'where the seed stands is asked for on and on, though the watch has ended',
    tests: stream,
  },
  {
    file: 'src/adapters/reflector/seed-behind.ts',
    find: 'await sleepUntil(clock, begun + pause, signal);',
    put: 'return false;',
    says: 'where the seed stands is asked for once, whatever is answered',
    tests: stream,
  },
  {
    file: 'src/commands/role/act-on-seed.ts',
    find: '  running.add(listedLater(history, clock, election ? taken$ : history.suspected$).subscribe());\n',
    put: '',
    says: 'what a server told that missed the restore is believed for good',
    tests: ['test/soak/restored.test.ts'],
  },
  {
    file: 'src/adapters/reflector/seed-history.ts',
    find: 'merge(unlessRestored$, occasions$.pipe(switchMap(() => unlessRestored$)))',
    put: 'merge()',
    says: 'a process that began in a restore lists once',
    tests: ['test/soak/restored.test.ts'],
  },
  {
    file: 'src/adapters/reflector/reflector.ts',
    find: 'history.suspect();',
    put: '',
    says: 'a process without an election lists nothing again where a watch was cut',
    tests: ['test/soak/restored.test.ts'],
  },
  {
    file: 'src/commands/role/act-on-seed.ts',
    find: 'election ? taken$ : history.suspected$',
    put: 'election ? of() : history.suspected$',
    says: 'who takes the lead believes a server that missed a restore',
    tests: ['test/soak/restored.test.ts'],
  },
  {
    file: 'src/commands/role/act-on-seed.ts',
    find: 'election ? taken$ : history.suspected$',
    put: 'history.suspected$',
    says: 'all is listed again after each watch that was cut, though a Lease would show a restore',
    tests: ['test/soak/restored.test.ts'],
  },
];
