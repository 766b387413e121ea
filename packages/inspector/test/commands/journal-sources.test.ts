import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headerLine } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { journalSources } from '../../commands/replay/journal-sources.ts';

async function* nothing(): AsyncGenerator<Uint8Array> {}

test('9.6 files are read in the order in which they were opened, whatever they are called and however they are given', async ({
  onTestFinished,
}) => {
  const dir = mkdtempSync(join(tmpdir(), 'dwd-journals-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const opened = (name: string, openedAt: number) =>
    writeFileSync(
      join(dir, name),
      headerLine({ journal: 1, program: 'x', version: '0', run: '1', openedAt, configuration: {} }),
    );
  opened('dwd-prober-a.jsonl', 3_000);
  opened('dwd-prober-b.jsonl', 1_000);
  opened('dwd-prober-c.jsonl', 2_000);
  opened('notes.txt', 0);
  const names = async (...places: string[]) =>
    (await journalSources(places, nothing())).map(({ name }) => name.replace(`${dir}/`, ''));
  const byAge = ['dwd-prober-b.jsonl', 'dwd-prober-c.jsonl', 'dwd-prober-a.jsonl'];
  expect(await names(dir)).toEqual(byAge);
  expect(await names('-', join(dir, 'dwd-prober-a.jsonl'), dir)).toEqual([...byAge, 'standard input']);
});

test('9.6 files of a role are read in the order in which they were begun, whatever the clock said then', async ({
  onTestFinished,
}) => {
  const dir = mkdtempSync(join(tmpdir(), 'dwd-journals-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const begun = [
    'dwd-prober-00000009-20260103T000000000Z.jsonl',
    // Its clock was ahead.
    'dwd-prober-00000010-20990101T000000000Z.jsonl',
    'dwd-weeder-00000001-20260104T000000000Z.jsonl',
    'dwd-prober-00000011-20260105T000000000Z.jsonl',
    'dwd-prober-100000000-20260106T000000000Z.jsonl',
  ];
  for (const name of begun) writeFileSync(join(dir, name), '');
  const read = (await journalSources([dir], nothing())).map(({ name }) => name.slice(dir.length + 1));
  expect(read.filter((name) => name.includes('prober'))).toEqual(begun.filter((name) => name.includes('prober')));
  expect(read.indexOf(begun[2]!)).toBe(1);
});
