import { expect, test } from 'vitest';
import { workloadNumbers } from '../../../src/simulator/store/resource-kind.ts';
import type { Happening } from '../happening.ts';
import { handsOff } from '../laws/hands-off.ts';
import { levelOrder } from '../laws/level-order.ts';
import { machineLaws } from '../laws/machine-laws.ts';
import { noNodeMarked } from '../laws/no-node-marked.ts';
import { live } from '../life.ts';
import type { Observation } from '../observation.ts';
import { quietPlan } from '../quiet-plan.ts';

const shoot = 'shoot--demo--01';
const happenings: readonly Happening[] = [
  { at: 30_000, kind: 'overtaken until it is late', shoot, of: { which: 0, below: 0, length: 15_000 } },
  { at: 30_000, kind: 'nodes cut off', shoot, of: { fraction: 1 } },
];

/** What another hand raised, what was late, and what we took to 0, in order; once where it came again and again. */
async function deedsOf(proberConfig = quietPlan.proberConfig): Promise<readonly string[]> {
  const deeds: string[] = [];
  const { broken } = await live(
    { ...quietPlan, proberConfig, weather: 200_000, happenings },
    {
      laws: [machineLaws, levelOrder, handsOff, noNodeMarked],
      endsWithWeather: true,
      observe(seen) {
        for (const deed of deedsIn(seen)) if (deed !== deeds.at(-1)) deeds.push(deed);
      },
    },
  );
  expect(broken).toBe(undefined);
  return deeds;
}

function deedsIn(seen: Observation): readonly string[] {
  if (seen.kind === 'turn' && seen.turn.kind === 'shoot')
    return seen.turn.notes.flatMap((note) =>
      note.kind === 'stepTimedOut' ? `${note.key.split('/').at(-1)} late` : [],
    );
  if (seen.kind !== 'change' || seen.of.scale === undefined || seen.change.previous === undefined) return [];
  const { revision, previous, writer } = seen.change;
  const { desired } = workloadNumbers(seen.of, revision.object);
  if (desired === workloadNumbers(seen.of, previous.object).desired) return [];
  return [`${revision.object.metadata.name} ${writer === undefined ? 'raised' : `at ${desired}`}`];
}

test('6.1 what is late on the way down waits while what was down before it is raised again', async () => {
  expect(await deedsOf()).toEqual([
    'machine-controller-manager at 0',
    'cluster-autoscaler at 0',
    'kube-controller-manager raised',
    'machine-controller-manager raised',
    'kube-controller-manager late',
    'machine-controller-manager raised',
    'machine-controller-manager at 0',
    'kube-controller-manager at 0',
  ]);
});

test('6.1 where all dependants are of one level nobody overtakes a way down', async () => {
  const deeds = await deedsOf(quietPlan.proberConfig.replaceAll(/level: \d/g, 'level: 0'));
  expect(deeds.toSorted()).toEqual([
    'cluster-autoscaler at 0',
    'kube-controller-manager at 0',
    'machine-controller-manager at 0',
  ]);
});
