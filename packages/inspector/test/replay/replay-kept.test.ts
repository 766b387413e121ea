import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replay } from '@dwd/testing/journal-driver.ts';
import { journalVersion } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';

const kept = join(import.meta.dirname, `version-${journalVersion}`);

// Where it fails, what a machine hears, remembers or decides is no longer what this version of the journal says. A release that has this version is out: raise
// it, and record both anew by `simulate --journal-dir`. None is: record them anew.
test.each(['prober', 'weeder'])('9.6 the journal of an earlier %s replays as it was recorded', async (role) => {
  const { code, out } = await replay([join(kept, `${role}.jsonl.gz`)]);
  expect(out).toContain('Every event that was replayed came out as recorded.');
  expect(out).not.toContain('undefined');
  expect(code).toBe(0);
});
