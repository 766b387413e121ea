import { expect, test } from 'vitest';
import { isOlder } from '../../src/domain/resource-version.ts';

test.each<[string | undefined, string | undefined, boolean]>([
  ['11', '10', false],
  ['10', '10', false],
  ['9', '10', true],
  ['10', '9', false],
  ['100', '99', false],
  ['99', '100', true],
  // Beyond what a double can tell apart.
  ['9007199254740993', '9007199254740992', false],
  ['9007199254740992', '9007199254740993', true],
  ['18446744073709551615', '9999999999999999999', false],
  [undefined, '10', false],
  ['10', undefined, false],
  [undefined, undefined, false],
  ['', '10', false],
  ['10', '', false],
  ['abc', '10', false],
  ['10', '-1', false],
  ['9', 'a10', false],
  ['9', '10a', false],
  ['a9', '100', false],
  ['9a', '100', false],
])('6.6 a view of version %s is older than one of %s: %s', (version, than, older) => {
  expect(isOlder(version, than)).toBe(older);
});
