import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HappeningKind } from '../happening-kind.ts';
import { happeningKinds } from '../happenings.ts';

test('every kind of happening that has a file is drawn', async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts'));
  const modules: readonly object[] = await Promise.all(files.map((file) => import(join(import.meta.dirname, file))));
  const written = modules.flatMap((module) => Object.values(module)).filter(isKinds);
  expect(written.length).toBeGreaterThan(25);
  expect(new Set(happeningKinds)).toEqual(new Set(written.flat()));
});

function isKinds(value: unknown): value is readonly HappeningKind[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one?.draw === 'function');
}
