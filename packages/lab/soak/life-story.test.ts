import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replay } from '@dwd/testing/journal-driver.ts';
import { keepLife } from './life-story.ts';
import { quietPlan } from './seed-plan.ts';

test('what is kept of a life is opened as it is: its directory of journals, of every process, and its plan', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'dwd-kept-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const crash = { at: 60_000, kind: 'process crashed', of: { slot: 'prober-0' } };
  const plan = { ...quietPlan, weather: 120_000, happenings: [crash] };
  expect(await keepLife(plan, dir)).toBe(undefined);

  const journals = join(dir, 'journals');
  expect(readdirSync(journals)).toEqual(['dwd-prober-0-1.jsonl', 'dwd-prober-0-2.jsonl']);
  const { code, out } = await replay([journals]);
  expect(out).toContain('Every event that was replayed came out as recorded.');
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(join(dir, 'plan.json'), 'utf8'))).toEqual(plan);
});
