import type { Slip } from './slip.ts';

const guards: readonly string[] = ['test/inspector/model/explain-guards.test.ts'];
const changes: readonly string[] = ['test/inspector/model/explain-changes.test.ts'];
const command: readonly string[] = ['test/commands/replay-explain.test.ts'];

/** What is told of one turn. */
export const inspectorExplainSlips: readonly Slip[] = [
  {
    file: 'src/inspector/model/explanation/traced-machine.ts',
    find: 'if (answer) taken.push({ ...name, ...to });',
    put: 'taken.push({ ...name, ...to });',
    says: 'a transition that was refused is told as taken',
    tests: ['test/inspector/model/explain-turn.test.ts'],
  },
  {
    file: 'src/inspector/model/explanation/explain-turn.ts',
    find: 'saw: saw({ context, event: heard })',
    put: 'saw: saw({ context, event: {} })',
    says: 'a guard does not see the event that it was asked of',
    tests: guards,
  },
  {
    file: 'src/inspector/model/explanation/explain-shoot.ts',
    find: "decides: (state) => state.startsWith('shield')",
    put: 'decides: () => true',
    says: 'a probe that rests again is told as the reason of what the shield does',
    tests: ['test/inspector/model/explain-turn.test.ts'],
  },
  {
    file: 'src/inspector/model/explanation/shoot-guard-facts.ts',
    find: 'const count = streak.of === of ? streak.count : 0;',
    put: 'const { count } = streak;',
    says: 'verdicts of the other direction count towards a threshold',
    tests: guards,
  },
  {
    file: 'src/inspector/model/explanation/shoot-guard-facts.ts',
    find: 'renewedAt === null || left.has(node)',
    put: 'renewedAt === null',
    says: 'a node that was left out is named as the longest silent',
    tests: guards,
  },
  {
    file: 'src/inspector/model/explanation/shoot-guard-facts.ts',
    find: 'config: { ...context.config, dependants: [one] }',
    put: 'config: context.config',
    says: 'a dependant is told to be due when another one is',
    tests: guards,
  },
  {
    file: 'src/inspector/model/explanation/explain-verdict.ts',
    find: "(whyNot(node) ?? 'left out by the last look')",
    put: "'left out by the last look'",
    says: 'a look does not say why it left a node out',
    tests: ['test/inspector/model/explain-verdict.test.ts'],
  },
  {
    file: 'src/inspector/model/explanation/explain-verdict.ts',
    find: 'leases: sorted.slice(0, mostLeases)',
    put: 'leases: sorted',
    says: 'ten thousand leases are drawn at once',
    tests: ['test/inspector/model/explain-verdict.test.ts'],
  },
  {
    file: 'src/inspector/model/explanation/context-changes.ts',
    find: 'items.set(items.has(name) ? `${name}, ${index}` : name, item);',
    put: 'items.set(name, item);',
    says: 'of two pods of one name only one is told',
    tests: changes,
  },
  {
    file: 'src/inspector/model/explanation/context-changes.ts',
    find: 'if (ofList && changed > mostOfList) leftOut += 1;',
    put: 'if (ofList && changed > mostOfList) continue;',
    says: 'nobody hears of the changes that are left out',
    tests: changes,
  },
  {
    file: 'src/commands/replay/explain-flag.ts',
    find: '10 ** (3 - (fraction?.length ?? 0))',
    put: '0',
    says: 'what the page shows as 12:00:44.1 is not found by that time',
    tests: command,
  },
  {
    file: 'src/commands/replay/explain-report.ts',
    find: 'if (at >= before) return;',
    put: '',
    says: 'the last event of all is told, whatever the time',
    tests: command,
  },
  {
    file: 'src/inspector/model/recorded-turn.ts',
    find: 'filesOf(from.files).map(quoted)',
    put: 'filesOf(from.files)',
    says: 'the name of a file runs as a command when it is pasted',
    tests: ['test/inspector/model/explain-command.test.ts'],
  },
];
