import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readResource, readScaledResource } from '../../src/domain/prober/resource-view.ts';

const prefix = 'dependency-watchdog.gardener.cloud';
const plain = {
  found: true,
  resourceVersion: '7',
  replicas: 1,
  readyReplicas: 0,
  observed: false,
  marked: false,
  ignored: false,
};

function deployment(told: {
  spec?: object;
  status?: object;
  generation?: number;
  annotations?: Record<string, string>;
  apiVersion?: string;
}): object {
  const { generation = 3, annotations, apiVersion = 'apps/v1', ...rest } = told;
  return { apiVersion, kind: 'Any', metadata: { resourceVersion: '7', generation, annotations }, ...rest };
}

function observed(told: Parameters<typeof deployment>[0]): boolean {
  return readResource(deployment(told)).observed;
}

function scale(rest: object): object {
  return { metadata: { resourceVersion: '7' }, ...rest };
}

function version(object: string, scale: string): string {
  return readScaledResource({ metadata: { resourceVersion: object } }, { metadata: { resourceVersion: scale } })
    .resourceVersion;
}

test('6.1 what Kubernetes leaves out of a Deployment is filled in', () => {
  expect(readResource(deployment({}))).toEqual(plain);
  expect(readResource(deployment({ spec: { replicas: 0 } }))).toEqual({ ...plain, replicas: 0 });
  expect(
    readResource(deployment({ spec: { replicas: 2 }, status: { readyReplicas: 2, observedGeneration: 3 } })),
  ).toEqual({
    ...plain,
    replicas: 2,
    readyReplicas: 2,
    observed: true,
  });
});

test('6.1 pods that still end are known where the kind tells of them, and only at 0 replicas', () => {
  const ending = (replicas: number, status: object) => readResource(deployment({ spec: { replicas }, status })).ending;
  expect(ending(0, { replicas: 1 })).toBe(1);
  expect(ending(0, { terminatingReplicas: 2 })).toBe(2);
  expect(ending(0, { replicas: 0, terminatingReplicas: 0 })).toBeUndefined();
  expect(ending(0, {})).toBeUndefined();
  expect(ending(2, { replicas: 2, terminatingReplicas: 1 })).toBeUndefined();
  const status = { replicas: 3 };
  expect(readScaledResource(deployment({ spec: { replicas: 0 }, status }), scale({ spec: {} })).ending).toBeUndefined();
});

test('6.1 a status counts once it has seen the newest spec; a kind outside apps/v1 may never report it', () => {
  expect(observed({ status: { observedGeneration: 2 } })).toBe(false);
  expect(observed({ status: { observedGeneration: 3 } })).toBe(true);
  expect(observed({ status: { observedGeneration: 4 } })).toBe(true);
  expect(observed({ status: {} })).toBe(false);
  expect(observed({ apiVersion: 'druid.gardener.cloud/v1alpha1', status: {} })).toBe(true);
  expect(observed({ apiVersion: 'druid.gardener.cloud/v1alpha1', status: { observedGeneration: 2 } })).toBe(false);
  expect(readResource({ metadata: { resourceVersion: '7', generation: 1 } }).observed, 'an item of a list').toBe(false);
});

test.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('6.7 ignore-scaling %s keeps hands off', (value) => {
  expect(readResource(deployment({ annotations: { [`${prefix}/ignore-scaling`]: value } }))).toEqual({
    ...plain,
    ignored: true,
  });
});

test.each(['', '0', 'f', 'false', 'yes', 'tRUE', ' true', 'on'])('6.7 ignore-scaling %j does not', (value) => {
  expect(readResource(deployment({ annotations: { [`${prefix}/ignore-scaling`]: value } })).ignored).toBe(false);
});

test('6.4 the mark counts by being there, the record is kept as text', () => {
  const annotations = { [`${prefix}/meltdown-protection-active`]: '', [`${prefix}/replicas`]: 'two' };
  expect(readResource(deployment({ annotations }))).toEqual({ ...plain, marked: true, record: 'two' });
  expect(readResource(deployment({ annotations: { [`${prefix}/replicas`]: '' } }))).toEqual({ ...plain, record: '' });
});

test('6.6 a scale leaves a zero out, and stands in for ready replicas that are not reported', () => {
  const etcd = { apiVersion: 'a/v1', metadata: { resourceVersion: '7', generation: 1 }, spec: { replicas: 9 } };
  expect(readScaledResource(etcd, scale({ spec: {}, status: { replicas: 0 } }))).toMatchObject({
    replicas: 0,
    readyReplicas: 0,
  });
  expect(readScaledResource(etcd, scale({ spec: { replicas: 3 }, status: { replicas: 2 } }))).toMatchObject({
    replicas: 3,
    readyReplicas: 2,
    observed: true,
  });
  const reporting = { ...etcd, status: { readyReplicas: 1 } };
  expect(readScaledResource(reporting, scale({ spec: { replicas: 3 }, status: { replicas: 2 } })).readyReplicas).toBe(
    1,
  );
});

test('6.6 of an object and its scale read on either side of a change, the older version stands', () => {
  expect(version('9', '10')).toBe('9');
  expect(version('10', '9')).toBe('9');
  expect(version('99999999999999999999', '100000000000000000000')).toBe('99999999999999999999');
  expect(version('9', '')).toBe('9');
});

test('3.4 nothing that a seed could send makes it throw', () => {
  const property = fc.property(
    fc.anything(),
    fc.anything(),
    (object, scale) => readScaledResource(object, scale).found,
  );
  expect(fc.check(property).failed).toBe(false);
});
