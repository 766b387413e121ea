import { expect, test } from 'vitest';
import { isNewer } from '../../src/domain/resource-version.ts';

test.each<[string | undefined, string | undefined, boolean]>([
  ['11', '10', true],
  ['10', '10', true],
  ['9', '10', false],
  ['10', '9', true],
  ['100', '99', true],
  ['99', '100', false],
  // Beyond what a double can tell apart.
  ['9007199254740993', '9007199254740992', true],
  ['9007199254740992', '9007199254740993', false],
  ['18446744073709551615', '9999999999999999999', true],
  [undefined, '10', true],
  ['10', undefined, true],
  [undefined, undefined, true],
  ['', '10', true],
  ['10', '', true],
  ['abc', '10', true],
  ['10', '-1', true],
])('6.6 a view of version %s tells more than one of %s: %s', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer);
});
