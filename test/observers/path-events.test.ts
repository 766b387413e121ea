import { expect, test } from 'vitest';
import { shootOccurrences } from '../../src/adapters/record/events/occurrences.ts';
import { pathOutage } from '@dwd/testing/recorded-nights.ts';

test('4.9 9.5 an event on a dependant says which path failed how often, and when it comes back', async () => {
  const told = (await pathOutage()).flatMap(shootOccurrences);
  expect(told.map(({ reason, ref }) => `${reason} ${ref.name}`)).toEqual([
    'ScaledDown machine-controller-manager',
    'ScaledDown cluster-autoscaler',
    'ScaledDown kube-controller-manager',
    'ScaledUp kube-controller-manager',
    'ScaledUp machine-controller-manager',
    'ScaledUp cluster-autoscaler',
  ]);
  expect(new Set(told.map(({ message }) => message))).toEqual(
    new Set([
      "Scaled from 2 to 0 replicas: the external path to the shoot's API server failed 3 times in a row (unreachable), while the internal one answered. It comes back with 2 replicas once the external path answers",
      "Scaled from 0 to 2 replicas: the external path to the shoot's API server answers again",
    ]),
  );
});
