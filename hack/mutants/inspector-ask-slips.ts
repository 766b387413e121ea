import type { Slip } from './slip.ts';

const whyNot: readonly string[] = ['test/inspector/model/why-not.test.ts'];
const whatIf: readonly string[] = ['test/inspector/model/what-if.test.ts'];

/** What the inspector answers to "why not?" and "what if?". */
export const inspectorAskSlips: readonly Slip[] = [
  {
    file: 'src/inspector/model/questions/why-not-judged.ts',
    find: 'paths === undefined ? seen !== null : streak.count > 0',
    put: 'paths === undefined || streak.count > 0 || seen !== null',
    says: 'a verdict of before a pause is said to stand in the way',
    tests: whyNot,
  },
  {
    file: 'src/inspector/model/questions/why-not-judged.ts',
    find: "if (direction === 'down' && !shootGuards.verdictMeetsFailureThreshold({ context, event }))",
    put: "if (direction === 'up' && cutOff)",
    says: 'nothing is said of a failureThreshold that is not met',
    tests: whyNot,
  },
  {
    file: 'src/inspector/model/questions/why-not.ts',
    find: '[nothingDue(direction), ...before]',
    put: '[...before, nothingDue(direction)]',
    says: 'of a shoot that runs, the probe that is under way is said to hinder its scale-up',
    tests: whyNot,
  },
  {
    file: 'src/inspector/model/questions/why-not-dependants.ts',
    find: '    .toSorted((one, other) => scaleStep(one, aim).level - scaleStep(other, aim).level)\n',
    put: '',
    says: 'dependants stand in the order of the configuration, and not of their levels',
    tests: whyNot,
  },
  {
    file: 'src/inspector/model/questions/why-not-dependants.ts',
    find: "(flow.aim === 'down') !== (direction === 'down')",
    put: 'false',
    says: 'a step of the way down answers for the way up',
    tests: whyNot,
  },
  {
    file: 'src/inspector/model/questions/why-not-service.ts',
    find: "first.is === 'done' ? [own, ...against]",
    put: "first.is === 'done' ? against",
    says: 'a pod that was deleted already is said to wait for a window',
    tests: ['test/inspector/model/why-not-deleted.test.ts'],
  },
  {
    file: 'src/inspector/model/questions/what-if-followed.ts',
    find: '    if (isUnchanged(changes)) return { branch: begun, assumed: [] };\n',
    put: '',
    says: 'a look that was never answered is answered, though nothing is imagined otherwise',
    tests: whatIf,
  },
  {
    file: 'src/inspector/model/questions/what-if-recorded.ts',
    find: 'one.before === undefined ? index : at',
    put: 'index',
    says: 'the ages of leases cannot be changed in the turn that was decided by a look',
    tests: whatIf,
  },
  {
    file: 'src/inspector/model/questions/what-if-imagined.ts',
    find: 'askedAt + clockDifference(served.served)',
    put: 'askedAt',
    says: 'an age is reckoned on the clock of the shoot',
    tests: whatIf,
  },
  {
    file: 'src/inspector/model/questions/what-if-imagined.ts',
    find: "{ outcome: 'read', reading: changed(event.cluster.reading) }",
    put: 'event.cluster',
    says: 'a Cluster that comes with the look brings back the grace that was imagined otherwise',
    tests: whatIf,
  },
  {
    file: 'src/inspector/model/questions/what-if-form.ts',
    find: 'value > 0 && value <= 1',
    put: 'value >= 0 && value <= 1',
    says: 'a fraction of 0, by which every shoot is cut off, can be imagined',
    tests: ['test/inspector/model/what-if-form.test.ts'],
  },
];
