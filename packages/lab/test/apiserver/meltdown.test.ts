import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { preparePlace, type Generation } from '../../meltdown/place.ts';
import { startEtcd } from '../../real/etcd.ts';
import { runMeltdown, type Meltdown, type TwinOutages } from '../../meltdown/run-meltdown.ts';
import { marginOf, sumUp } from '../../meltdown/sum.ts';
import { realTier } from './real-tier.ts';

/** `npm run meltdown` in small: three minutes, since grace, renewals and delays are real. */
const atMost = 6 * 60_000;

/** Plays it before the tests of a suite, on an etcd of its own, since all of them name their API servers alike. */
function played(name: string, seed: number, meltdown: Meltdown, generation?: Generation): readonly TwinOutages[] {
  const outages: TwinOutages[] = [];
  beforeAll(async () => {
    const { bin, directory: tier } = realTier();
    const directory = join(tier, name);
    mkdirSync(directory);
    const place = await preparePlace({ bin, directory, etcd: await startEtcd(bin, directory) }, seed, generation);
    const silent = { say: () => undefined, goesOn: () => undefined };
    await runMeltdown(place, meltdown, silent, (twins) => outages.push(twins));
  }, atMost);
  return outages;
}

const everythingIsBack = [
  [[], expect.any(Number)],
  [[], expect.any(Number)],
];
const returns = (outages: readonly TwinOutages[]) =>
  outages.map(({ watched: { changes, backAfter } }) => [changes, backAfter]);

describe('the nodes of two watched shoots and of the twin of one are cut off, with a real kube-controller-manager', () => {
  const faults = [{ kind: 'cut' }] as const;
  // A phase of the kubelets like any other; those of the controller-managers come by themselves.
  const outages = played('meltdown', 7, { watched: 2, unwatched: 1, nodes: 5, outages: 2, cutWithin: 10_000, faults });

  test('L2 5.3 6.4 a real kube-controller-manager, of Kubernetes’ own timing, marks no watched node', () => {
    expect(outages).toHaveLength(2);
    for (const { watched } of outages) {
      expect(watched).toMatchObject({ marked: 0, nodes: 5, scaledAt: expect.any(Number), goneAt: expect.any(Number) });
      expect(watched.firstWriteAt! - watched.knowableAt).toBeGreaterThanOrEqual(0);
      expect(marginOf(watched)).toBeGreaterThan(0);
    }
  });

  test('L1 6.5 everything of the watched ones is as it was: replicas, annotations, nodes, Machines', () => {
    expect(returns(outages)).toEqual(everythingIsBack);
  });

  test('it marks every node of the twin that nobody watches, when it was foretold', () => {
    const twins = outages.flatMap(({ unwatched }) => unwatched ?? []);
    expect(twins).toMatchObject([{ marked: 5, firstWriteAt: undefined, goneAt: undefined, changes: [] }]);
    const late = twins[0]!.markedAt! - twins[0]!.foretoldAt;
    // Where a renewal came with a look, it is foretold as if that look had seen it: the next one is 5 s later.
    expect(late > -500 && late < 6_000, `${late} ms later than foretold`).toBe(true);
  });

  test('the sum says so', () => {
    expect(sumUp(outages)).toMatchObject({
      failures: [],
      watched: { marked: 0 },
      unwatched: { marked: 5, allMarked: 1 },
    });
  });
});

describe('the external path of two shoots that are judged by two paths breaks, with a real kube-controller-manager', () => {
  // The one that is seen soonest, and the one that is seen latest.
  const faults = [{ kind: 'refuse' }, { kind: 'hang' }] as const;
  const meltdown = { watched: 2, unwatched: 0, nodes: 3, outages: 2, cutWithin: 12_000, faults };
  const outages = played('two-paths', 9, meltdown, 'two-paths');

  test('L2 4.9 a real kube-controller-manager marks no node, whether the path refuses or hangs', () => {
    // The interval with its jitter, two pauses of a third of it, or three time-outs; and two seconds for the scale-down itself.
    const latest = new Map<string, number>([
      ['refuse', 12_000 + 6_700 + 2_000],
      ['hang', 12_000 + 15_000 + 2_000],
    ]);
    expect(outages.map(({ watched: { fault } }) => fault).toSorted()).toEqual(['hang', 'refuse']);
    for (const { watched } of outages) {
      expect(watched.scaledAt! - watched.cutAt).toBeLessThan(latest.get(watched.fault)!);
      expect(watched).toMatchObject({ marked: 0, nodes: 3, scaledAt: expect.any(Number), goneAt: expect.any(Number) });
      expect(marginOf(watched)).toBeGreaterThan(0);
    }
  });

  test('L1 4.9 everything is as it was once the path carries again', () => {
    expect(returns(outages)).toEqual(everythingIsBack);
  });
});
