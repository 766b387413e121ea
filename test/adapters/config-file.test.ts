import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfigFile } from '../../src/adapters/config/config-file.ts';
import type { ConfigReading } from '../../src/domain/config/config-remark.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwd-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(content: string | Uint8Array): Promise<string> {
  const path = join(folder, 'config.yaml');
  await writeFile(path, content);
  return path;
}

const asItIs = (config: unknown): ConfigReading<unknown> => ({ ok: true, config, warnings: [], defaults: [] });

async function read(path: string): Promise<unknown> {
  const reading = await readConfigFile(path, asItIs);
  return reading.ok ? reading.config : reading.problems.map(({ found, path: at }) => [at, found]);
}

test('2 a file of YAML is read, with or without a byte order mark', async () => {
  expect(await read(await written('a: µ\n'))).toEqual({ a: 'µ' });
  expect(await read(await written('\uFEFFa: 1\n'))).toEqual({ a: 1 });
});

test('1.3 a file that cannot be read is a problem, not an exception', async () => {
  expect(await read(join(folder, 'none.yaml'))).toEqual([[[], 'no such file']]);
  expect(await read('/dev/zero')).toEqual([[[], 'more than 1048576 bytes']]);
});

test('1.3 a directory, as a ConfigMap is mounted, is a problem that names a file in it', async () => {
  const mounted = await mkdtemp(join(folder, 'mounted-'));
  const wanted = async () => {
    const reading = await readConfigFile(mounted, asItIs);
    return reading.ok ? [] : reading.problems.map(({ found, wanted: right }) => [found, right]);
  };
  expect(await wanted()).toEqual([['a directory', 'a YAML file']]);
  await writeFile(join(mounted, 'dep-config.yaml'), 'a: 1\n');
  expect(await wanted()).toEqual([['a directory', `a YAML file, such as ${join(mounted, 'dep-config.yaml')}`]]);
});

test('1.3 what no ConfigMap could hold, or is no text, is refused', async () => {
  const comment = `#${'x'.repeat(1_048_575 - 'a: 1\n'.length)}`;
  expect(await read(await written(`a: 1\n${comment}`))).toEqual({ a: 1 });
  expect(await read(await written(`a: 1\n${comment}x`))).toEqual([[[], 'more than 1048576 bytes']]);
  expect(await read(await written(new Uint8Array([0x61, 0xff, 0xfe])))).toEqual([
    [[], 'bytes that are not UTF-8 text'],
  ]);
});
