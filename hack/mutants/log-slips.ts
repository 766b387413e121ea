import type { Slip } from './slip.ts';

const rollCall: readonly string[] = ['test/observers/roll-call.test.ts'];
const sentences: readonly string[] = ['test/observers/log-sentences.test.ts'];

/** What the log says of a shoot, and how it says that all stand. */
export const logSlips: readonly Slip[] = [
  {
    file: 'src/adapters/log/roll.ts',
    find: 'those.slice(0, mostNamed)',
    put: 'those',
    says: 'a whole seed that is down is named in one line, every five minutes',
    tests: rollCall,
  },
  {
    file: 'src/adapters/log/roll-call.ts',
    find: 'if (!leads || isOver) return;',
    put: '',
    says: 'a standby says how all stand',
    tests: ['test/roles/roll-call.test.ts'],
  },
  {
    file: 'src/adapters/log/roll-call.ts',
    find: '    callIn(callEvery);\n',
    put: '',
    says: 'how all stand is said once, and never again',
    tests: rollCall,
  },
  {
    file: 'src/adapters/log/roll-call.ts',
    find: "named <= mostNamed ? 'info' : 'debug'",
    put: "'info'",
    says: 'every shoot of a seed is named at the start',
    tests: rollCall,
  },
  {
    file: 'src/adapters/log/shoot-roll.ts',
    find: "by === 'ours' || shown.to !== 'idle'",
    put: 'true',
    says: 'a shoot that hibernates is found down by a strange hand',
    tests: rollCall,
  },
  {
    file: 'src/adapters/log/shoot-roll.ts',
    find: "after?.context.flow?.aim === 'down' ? writing : []",
    put: '[]',
    says: 'the end keeps quiet of a scale-down under way',
    tests: rollCall,
  },
  {
    file: 'src/adapters/log/shoot-roll.ts',
    find: '.slice(0, named)',
    put: '',
    says: 'every shoot of a seed is named at the end',
    tests: rollCall,
  },
  {
    file: 'src/adapters/log/shoot-roll.ts',
    find: 'shoots.delete(shoot);',
    put: '',
    says: 'a shoot that is gone is counted for ever',
    tests: rollCall,
  },
  {
    file: 'src/domain/prober/down-dependants.ts',
    find: "by: view.marked ? 'ours' : 'others'",
    put: "by: 'ours'",
    says: 'what somebody else took down is said to be the watchdog’s doing',
    tests: rollCall,
  },
  {
    file: 'src/adapters/log/weeder-roll.ts',
    find: '|| met.has(service)',
    put: '',
    says: 'a service that goes down again was found down',
    tests: ['test/roles/roll-call.test.ts', ...rollCall],
  },
  {
    file: 'src/adapters/log/shoot-turn-log.ts',
    find: "if (to === 'idle') return;",
    put: '',
    says: 'each dependant of a shoot that hibernates is said to be scaled down by others',
    tests: sentences,
  },
  {
    file: 'src/adapters/log/log.ts',
    find: 'value !== null && value !== undefined',
    put: 'value !== undefined',
    says: 'a field of the log is null',
    tests: ['test/observers/log-sentences.test.ts', 'test/observers/log.test.ts'],
  },
  {
    file: 'src/adapters/log/flapping.ts',
    find: 'return flaps ? quiet : loud;',
    put: 'return loud;',
    says: 'a shoot that flaps fills the log',
    tests: ['test/model/flapping.test.ts'],
  },
  {
    file: 'src/adapters/turns/flap-watch.ts',
    find: '.filter((down) => at - down < within)',
    put: '',
    says: 'a shoot that was cut off three times in a year flaps for ever',
    tests: ['test/model/flapping.test.ts'],
  },
];
