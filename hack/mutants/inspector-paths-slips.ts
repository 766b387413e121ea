import type { Slip } from './slip.ts';

const lanes: readonly string[] = ['test/inspector/model/lanes-paths.test.ts'];
const guards: readonly string[] = ['test/inspector/model/explain-guards.test.ts'];
const whyNot: readonly string[] = ['test/inspector/model/why-not-paths.test.ts'];
const whatIf: readonly string[] = ['test/inspector/model/what-if-paths.test.ts'];
const rows: readonly string[] = ['test/inspector/model/rows.test.ts'];

/** What the inspector tells of a shoot whose two paths are asked. */
export const inspectorPathsSlips: readonly Slip[] = [
  {
    file: 'src/inspector/model/timeline/path-lanes.ts',
    find: 'if (states.internal.asked === null) tellExternal(after);',
    put: 'tellExternal(after);',
    says: 'the lane of the external path shows a failure that counted for nothing',
    tests: lanes,
  },
  {
    file: 'src/inspector/model/timeline/path-lanes.ts',
    find: "      if (path === 'internal') states.external.pending = null;\n",
    put: '',
    says: 'what the external path told in a lost probe is shown with the next one',
    tests: lanes,
  },
  {
    file: 'src/inspector/model/timeline/path-lanes.ts',
    find: "faceOf('external', toldOf('external', failure, after), failure, count)",
    put: "faceOf('external', judgePath(failure), failure, count)",
    says: 'a time-out beside a slow internal path is shown as a failure of the external one',
    tests: lanes,
  },
  {
    file: 'src/inspector/model/timeline/path-lanes.ts',
    find: 'Math.min(count, of)',
    put: 'count',
    says: 'a long outage has a span for each probe of the external path',
    tests: ['test/inspector/model/paths-night.test.ts'],
  },
  {
    file: 'src/inspector/model/timeline/shoot-lanes.ts',
    find: "asking === undefined && probe === 'askingPaths'",
    put: 'false',
    says: 'a probe is shown to end with the first of two answers',
    tests: lanes,
  },
  {
    file: 'src/inspector/model/rows.ts',
    find: 'if (paths !== undefined) return streak.count === 0 ? null : streak.of;',
    put: '',
    says: 'the seed shows no verdict of a shoot that is judged by two paths',
    tests: rows,
  },
  {
    file: 'src/inspector/model/rows.ts',
    find: '(probeDueAt(context) ?? null)',
    put: 'probe.nextAt',
    says: 'the seed says that a shoot which is left alone is due',
    tests: rows,
  },
  {
    file: 'src/inspector/model/explanation/path-guard-words.ts',
    find: 'const told = pathsAfter(context, event);',
    put: 'const told = context.paths?.asked ?? pathsAfter(context, event);',
    says: 'a guard is shown what the paths told before the answer that it is asked of',
    tests: guards,
  },
  {
    file: 'src/inspector/model/explanation/shoot-guard-words.ts',
    find: "event.type !== 'candidates.answered' && event.type !== 'cluster.answered'",
    put: "event.type !== 'candidates.answered'",
    says: 'nothing is told of a Cluster that was read for two paths',
    tests: guards,
  },
  {
    file: 'src/inspector/model/questions/why-not-judged.ts',
    find: 'paths === undefined ? seen !== null : streak.count > 0',
    put: 'seen !== null',
    says: 'no verdict of two paths is found to stand in the way',
    tests: whyNot,
  },
  {
    file: 'src/inspector/model/questions/why-not-silent.ts',
    find: 'if (isHeld && isLeftAlone(context))',
    put: 'if (isHeld && context.paths === undefined)',
    says: 'a shoot that is left alone is said to have asked for it',
    tests: whyNot,
  },
  {
    file: 'src/inspector/model/questions/why-not-silent.ts',
    find: "event.failure !== undefined && isAwaited(one) && !notes.some(({ kind }) => kind === 'verdict')",
    put: 'false',
    says: 'why not does not say why a path gave no answer',
    tests: whyNot,
  },
  {
    file: 'src/inspector/model/questions/why-not-silent.ts',
    find: ' && isAwaited(one)',
    put: '',
    says: 'why not tells of an external path for whose answer nobody waited',
    tests: whyNot,
  },
  {
    file: 'src/inspector/model/questions/what-if-followed.ts',
    find: ' && !isUnchanged(changes) && !asksPaths(branch.place.value)) break;',
    put: ' && false) break;',
    says: 'answers that nobody would wait for are imagined as well',
    tests: whatIf,
  },
  {
    file: 'src/inspector/model/questions/what-if-followed.ts',
    find: '  if (isUnchanged(changes)) return { branch, assumed };\n',
    put: '',
    says: 'an answer that is not recorded is assumed, though nothing is imagined otherwise',
    tests: [...whatIf, 'test/inspector/model/paths-night.test.ts'],
  },
  {
    file: 'src/inspector/model/questions/what-if-followed.ts',
    find: '.findLast(({ turn }) => turn.run === run &&',
    put: '.find(({ turn }) => turn.run === run &&',
    says: 'a path that was not asked is taken to tell what it told first, and not last',
    tests: whatIf,
  },
  {
    file: 'src/inspector/model/questions/what-if-recorded.ts',
    find: 'before === undefined || !asksPaths(before.value)',
    put: 'before === undefined',
    says: 'an answer after the end of a probe is imagined as if it counted',
    tests: whatIf,
  },
  {
    file: 'src/inspector/model/questions/what-if-changes.ts',
    find: 'internalProbeFailureBackOffDuration ?? config.internalProbeFailureBackOffDuration',
    put: 'config.internalProbeFailureBackOffDuration',
    says: 'another back-off changes nothing',
    tests: whatIf,
  },
  {
    file: 'src/inspector/model/questions/what-if-imagined.ts',
    find: " && event.type !== 'cluster.answered') return event;",
    put: ') return event;',
    says: 'the Cluster of two paths brings the grace back that is imagined otherwise',
    tests: ['test/inspector/model/what-if-paths.test.ts'],
  },
];
