import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInspect } from '../../commands/inspect.ts';
import { recordedFiles, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const turns = await meltdown();
const iso = (at: number) => new Date(at).toISOString();

test('9.18 what replay tells is written as a journal of its own, of which it tells the same', async () => {
  const [file = ''] = await recordedFiles(turns);
  const slice = join(temporaryFolder(), 'slice.jsonl');
  const range = [`--since=${iso(turns[30]!.at)}`, `--until=${iso(turns[90]!.at)}`];
  const told = await replay([...range, '--slice', slice, file]);
  const again = await replay([slice]);
  expect([again.code, again.err]).toEqual([0, '']);
  expect(again.lines.at(-1)).toBe('Every event that was replayed came out as recorded.');
  expect(again.lines.at(-3)).toBe('61 events of 1 shoot, 61 of them replayed');
  expect(again.lines.slice(-3)).toEqual(told.lines.slice(-3));
  expect(statSync(slice).mode & 0o777).toBe(0o600);

  const before = readFileSync(slice, 'utf8');
  const { code, err } = await replay(['--slice', slice, file]);
  expect([code, readFileSync(slice, 'utf8')]).toEqual([1, before]);
  expect(err).toContain(`--slice=${slice} cannot be written: it is there already; name a new one`);
});

test('9.18 inspect writes its page into one file, and ends', async () => {
  const [file = ''] = await recordedFiles(turns);
  const page = join(temporaryFolder(), 'page.html');
  const { io, out, err } = heardIo();
  const surroundings = {
    stdin: (async function* () {})(),
    clock: new VirtualClock(1_800_000_000_000),
    interrupted: () => new Promise(() => undefined),
  };
  expect(await runInspect(['--html', page, file], io, surroundings)).toBe(0);
  expect(err).toEqual([]);
  expect(out).toEqual([expect.stringMatching(/page\.html: \d+ events, \d\.\d MiB; a browser opens it$/)]);
  expect(readFileSync(page, 'utf8')).toContain('id="carried"');
  writeFileSync(page, 'mine');
  expect(await runInspect(['--html', page, file], io, surroundings)).toBe(1);
  expect([existsSync(page), readFileSync(page, 'utf8'), err.at(-1)]).toEqual([
    true,
    'mine',
    expect.stringContaining('it is there already; name a new one'),
  ]);
});
