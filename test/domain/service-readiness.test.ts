import { expect, test } from 'vitest';
import { isAvailable, type Slices } from '../../src/domain/weeder/service-slices.ts';

test.each<[string, boolean, Slices]>([
  ['no slice', false, {}],
  ['an empty slice', false, { a: { ready: 0, endpoints: 0 } }],
  ['none of three ready', false, { a: { ready: 0, endpoints: 3 } }],
  ['one of three ready', true, { a: { ready: 1, endpoints: 3 } }],
  ['all ready', true, { a: { ready: 3, endpoints: 3 } }],
  ['two slices, none ready', false, { a: { ready: 0, endpoints: 2 }, b: { ready: 0, endpoints: 1 } }],
  ['an empty slice and one that is ready', true, { a: { ready: 0, endpoints: 0 }, b: { ready: 1, endpoints: 1 } }],
  ['only the IPv4 slice ready', true, { v4: { ready: 1, endpoints: 1 }, v6: { ready: 0, endpoints: 1 } }],
])('7.1 with %s, the service is available: %s', (_, yes, slices) => {
  expect(isAvailable(slices)).toBe(yes);
});
