import { expect, test } from 'vitest';
import { readFieldWrites } from '../../src/domain/prober/standing.ts';
import { markAnnotation, readResource } from '../../src/domain/prober/resource-view.ts';

const at = '2026-11-21T12:00:44Z';
const marked = { 'f:metadata': { 'f:annotations': { '.': {}, [`f:${markAnnotation}`]: {} } } };
const scaled = { 'f:spec': { 'f:replicas': {} } };

function entry(manager: string, fieldsV1: unknown, rest: object = {}) {
  return { manager, operation: 'Update', apiVersion: 'apps/v1', time: at, fieldsType: 'FieldsV1', fieldsV1, ...rest };
}

const watchdog = { by: 'dependency-watchdog-prober', at: Date.parse(at) };

test.each<[string, unknown, object]>([
  [
    'the watchdog, both in one write',
    [entry(watchdog.by, { ...marked, ...scaled })],
    { mark: watchdog, replicas: watchdog },
  ],
  // Its instant is that of whatever it wrote last, and not of the replicas.
  ['somebody who writes whole objects', [entry('gardenlet', scaled)], { replicas: { by: 'gardenlet' } }],
  [
    'the Go watchdog',
    [entry('dependency-watchdog', marked)],
    { mark: { by: 'dependency-watchdog', at: Date.parse(at) } },
  ],
  ['no time', [{ ...entry(watchdog.by, marked), time: 'soon' }], { mark: { by: watchdog.by } }],
  ['a long name', [entry('x'.repeat(500), scaled)], { replicas: { by: 'x'.repeat(128) } }],
  ['another annotation', [entry('kubectl', { 'f:metadata': { 'f:annotations': { 'f:x': {} } } })], {}],
  ['nothing', [], {}],
  ['no list', 'many', {}],
  ['rubbish', [null, 7, { fieldsV1: 'all' }], {}],
])('9.8 who wrote what, and when: %s', (_, managedFields, writes) => {
  expect(readFieldWrites({ metadata: { managedFields } })).toEqual(writes);
});

const raised = (replicas: number, annotations: object, managedFields: unknown) =>
  readResource({ metadata: { annotations, managedFields }, spec: { replicas } }).scaledBy;

test('6.5 6.9 who raised what bears our mark, or brought to 0 what does not, is read where the seed remembers it, and of nothing else', () => {
  const mark = { [markAnnotation]: '' };
  const byKubectl = [entry(watchdog.by, marked), entry('kubectl', scaled, { subresource: 'scale' })];
  expect(raised(1, mark, byKubectl)).toBe('kubectl');
  expect(raised(0, mark, byKubectl), 'it is down').toBeUndefined();
  expect(raised(1, {}, byKubectl), 'it is not ours').toBeUndefined();
  expect(raised(0, {}, byKubectl), '6.5 it was scaled to 0').toBe('kubectl');
  expect(raised(1, mark, undefined), 'as a list has it').toBeUndefined();
  expect(raised(1, mark, [entry(watchdog.by, marked)]), 'nobody is named').toBeUndefined();
});
