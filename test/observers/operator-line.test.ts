import { expect, test } from 'vitest';
import { operatorLine } from '../../src/adapters/words/secrets.ts';

test('9.4 4.7 only the beginning of a server’s words is looked at, however long they are', () => {
  expect(operatorLine(`${'\n'.repeat(1_279)}x`)).toBe('x');
  expect(operatorLine(`${'\n'.repeat(1_280)}x`)).toBe('');
  expect(operatorLine('y'.repeat(10_000))).toBe(`${'y'.repeat(160)}…`);
});
