import { expect, test } from 'vitest';
import { serviceKey, serviceOf } from '../../src/domain/weeder/service-ref.ts';

test('7.1 a service and its namespace are one key, and read back from it', () => {
  const ref = { namespace: 'shoot--dev--one', service: 'kube-apiserver' };
  expect(serviceKey(ref)).toBe('shoot--dev--one/kube-apiserver');
  expect(serviceOf(serviceKey(ref))).toEqual(ref);
});
