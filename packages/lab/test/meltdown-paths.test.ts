import { describe, expect, test } from 'vitest';
import { headLines, sumLines } from '../meltdown/outage-lines.ts';
import { goingOn, type OutagePhase, type Outage } from '../meltdown/outage.ts';
import { readMeltdownOptions } from '../meltdown/meltdown-options.ts';
import { generationOf, preparePlace } from '../meltdown/place.ts';
import { sumUp } from '../meltdown/sum.ts';

const nowhere = { bin: '', directory: '', etcd: '' };

const outage: Outage = {
  shoot: 'shoot--melt--1',
  fault: 'refuse',
  cutAt: 100_000,
  knowableAt: 100_000,
  firstWriteAt: 111_000,
  scaledAt: 112_000,
  goneAt: 112_100,
  markedAt: undefined,
  foretoldAt: 134_000,
  nodes: 5,
  marked: 0,
  replaced: undefined,
  firstUpAfter: 5_000,
  lastUpAfter: 39_000,
  backAfter: 41_000,
  changes: [],
  missedRenewals: 0,
};
const hanging: Outage = { ...outage, fault: 'hang', scaledAt: 122_000, goneAt: 122_100 };

describe('npm run meltdown', () => {
  test.each([
    [[], 'leases', ['refuse', 'cut', 'hang', 'reset']],
    [['--generation', 'two-paths'], 'two-paths', ['refuse', 'cut', 'hang', 'reset']],
    [['--config-file', 'x.yaml', '--fault', 'slow'], { file: 'x.yaml' }, ['slow']],
  ])('%j picks configuration and faults', (args, configured, kinds) => {
    const faults = kinds.map((kind): unknown => expect.objectContaining({ kind }));
    expect(readMeltdownOptions(args)).toMatchObject({ configured, faults });
  });

  test.each([
    [['--generation', 'older'], /^--generation must be one of leases, two-paths; found "older"$/],
    [['--fault', 'loud'], /^--fault must be one of refuse, cut, hang, reset, slow; found "loud"$/],
    [['--generation', 'leases', '--config-file', 'x'], /--generation and --config-file/],
  ])('%j is refused, and named', (args, named) => {
    expect(readMeltdownOptions(args)).toEqual({ wrong: expect.stringMatching(named) });
  });

  test('2.2 takes a configuration of each generation', async () => {
    expect(generationOf(await preparePlace(nowhere, 1))).toBe('leases');
    const older = await preparePlace(nowhere, 1, 'two-paths');
    expect(generationOf(older)).toBe('two-paths');
    expect(older.config).toMatchObject({ failureThreshold: 3, successThreshold: 1, probeInterval: 10_000 });
  });

  test('counts from the threshold of the leases, or from the break of the path', () => {
    expect(headLines('leases').at(-1)).toMatch(/path +threshold +1st write/);
    expect(headLines('two-paths').at(-1)).toMatch(/path +break +1st write/);
  });

  test('sums up by how the path broke', () => {
    const sum = sumUp([outage, hanging, hanging].map((watched, number) => ({ number, watched, unwatched: undefined })));
    expect(sum.faults).toMatchObject([
      { fault: 'refuse', outages: 1, scaled: { worst: 12_000 }, margin: { least: 21_900 } },
      { fault: 'hang', outages: 2, scaled: { worst: 22_000 }, margin: { least: 11_900 } },
    ]);
    expect(sumLines(sum, 'two-paths').join('\n')).toMatch(/\nhang, 2 of the outages +22\.000 .* 11\.900/);
  });

  test('tells how long a path is broken, where no lease has a threshold', () => {
    const plan = { thresholdAt: undefined, healAt: 140_000, harm: () => '0 of 3 nodes marked' };
    const phases = new Map<string, OutagePhase>([['a', { is: 'cutOff', cutAt: 90_000, plan }]]);
    expect(goingOn({ watched: phases }, 100_000)).toBe(
      'watched: cut off for 10 s, 0 of 3 nodes marked; healed in 40 s',
    );
  });
});
