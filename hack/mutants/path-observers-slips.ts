import type { Slip } from './slip.ts';

const metrics: readonly string[] = ['test/observers/path-metrics.test.ts'];
const told: readonly string[] = ['test/commands/status-told.test.ts'];
const page: readonly string[] = ['test/commands/status-page.test.ts'];

const counting = 'src/adapters/metrics/path-turn-metrics.ts';
const failing = 'src/commands/status/told-by-turns.ts';

/** What metrics and `status` make of two paths (SPEC 4.9). */
export const pathObserversSlips: readonly Slip[] = [
  {
    file: counting,
    find: 'if (!isHeard || !isOver(paths)) return;',
    put: 'if (!isOver(paths)) return;',
    says: 'an answer of the external path counts though the internal one has failed',
    tests: metrics,
  },
  {
    file: counting,
    find: 'if (!isHeard || !isOver(paths)) return;',
    put: 'if (!isHeard) return;',
    says: 'a probe of two paths is timed twice',
    tests: metrics,
  },
  {
    file: counting,
    find: 'if (paths.internalFailures === 0) forget(shoot);',
    put: '',
    says: 'an internal path that answers again is still shown to fail',
    tests: metrics,
  },
  {
    file: counting,
    find: "if (reason && paths.asked[stage] !== 'answered')",
    put: 'if (reason)',
    says: 'a 401 on a path counts as its failure',
    tests: metrics,
  },
  {
    file: counting,
    find: "paths.asked.internal === 'asked' ? 'internal' : 'external'",
    put: "'external' as const",
    says: 'an internal path that never answers passes for the external one',
    tests: metrics,
  },
  {
    file: 'src/adapters/metrics/shoot-turn-metrics.ts',
    find: '    paths.forget(shoot);\n',
    put: '',
    says: 'the internal path of a shoot that is gone fails for ever',
    tests: metrics,
  },
  {
    file: counting,
    find: "paths.asked[stage] === 'untold' && failed === 'timeout'",
    put: 'false',
    says: 'a time-out of both paths passes for an outage of the external one',
    tests: metrics,
  },
  {
    file: failing,
    find: 'if (untold !== undefined)',
    put: "if (untold?.stage === 'internal')",
    says: 'status does not say that nothing is known of the external path',
    tests: told,
  },
  {
    file: failing,
    find: " || notes.some(({ kind }) => kind === 'verdict')",
    put: ' || notes.length > 99',
    says: 'status says of a path that answers again that it does not',
    tests: told,
  },
  {
    file: 'src/commands/status/ask-prober.ts',
    find: 'failed.has(shoot) ? { ...one, failing } : one',
    put: 'one',
    says: 'status by the metrics does not know of an internal path that fails',
    tests: told,
  },
  {
    file: 'src/commands/status/status-table.ts',
    find: ' || told?.failing !== undefined',
    put: '',
    says: 'status says that the external path answers while nobody asks it',
    tests: page,
  },
  {
    file: 'src/commands/status/status-table.ts',
    find: '`failed ${Math.min(count, of)}/${of}`',
    put: '`failed ${count}/${of}`',
    says: 'status counts failures beyond those that it takes',
    tests: page,
  },
];
