import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runReplay } from '../../commands/replay.ts';
import { recordedFiles, replay } from '@dwd/testing/journal-driver.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';

const turns = await meltdown();

/** The journal of an outage, as it is and packed, of the same name in two folders. */
async function plainAndPacked() {
  const [plain = ''] = await recordedFiles(turns);
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  const folder = temporaryFolder();
  const packed = `${folder}/${name}.gz`;
  writeFileSync(packed, gzipSync(readFileSync(plain)));
  return { plain, packed, folder };
}

/** Without the lines that name a file. */
const told = (of: readonly string[]) => of.filter((line) => !line.includes('.jsonl'));

test('9.6 what gzip packed is replayed as it was, by its name, from its folder, and from the standard input', async () => {
  const { plain, packed, folder } = await plainAndPacked();
  const { code, lines } = await replay([plain]);
  for (const place of [packed, folder]) {
    const again = await replay([place]);
    expect([again.code, again.err]).toEqual([code, '']);
    expect(told(again.lines)).toEqual(told(lines));
  }
  const out: string[] = [];
  async function* drops() {
    for (const byte of readFileSync(packed)) yield Buffer.of(byte);
  }
  const io = { out: (line: string) => void out.push(line), err: (line: string) => void out.push(line), env: {} };
  expect(await runReplay(['-'], io, drops())).toBe(code);
  expect(out.at(-1)).toBe(lines.at(-1));
});

test('9.6 a file that lies beside what gzip packed of it is read once', async () => {
  const { plain, packed, folder } = await plainAndPacked();
  const both = packed.slice(0, -'.gz'.length);
  writeFileSync(both, readFileSync(plain));
  for (const places of [[folder], [packed, both]]) {
    const { code, lines, err } = await replay(places);
    expect([code, err]).toEqual([0, '']);
    expect(told(lines)).toEqual(told((await replay([plain])).lines));
  }
});

test('9.6 of a packed file that is cut off, what there is is told, and that it ends too soon', async () => {
  const { packed } = await plainAndPacked();
  writeFileSync(packed, readFileSync(packed).subarray(0, -2_000));
  const { code, lines, err } = await replay([packed]);
  expect(code).toBe(1);
  expect(lines.length).toBeGreaterThan(5);
  expect(err).toBe(`dependency-watchdog replay: ${packed} cannot be unpacked to its end: unexpected end of file`);
});
