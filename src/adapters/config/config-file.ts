import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { ConfigReading } from '../../domain/config/config-remark.ts';
import { errnoWords, errorCode } from '../words/errno-words.ts';
import { readYamlConfig } from './yaml-config.ts';

/** No ConfigMap holds more than 1 MiB, so a longer file is the wrong file. */
const sizeLimit = 1_048_576;

const directory = 'a directory';

/**
 * Reads a configuration file (SPEC 1.3), or the standard input for `-`: YAML in UTF-8, checked by `read`. Never rejects for a mistake that the operator can
 * mend. A missing or unreadable file is a problem with an empty path.
 */
export async function readConfigFile<Config>(
  path: string,
  read: (written: unknown) => ConfigReading<Config>,
): Promise<ConfigReading<Config>> {
  const file = await readText(path);
  if ('text' in file) return readYamlConfig(file.text, read);
  const wanted = file.found === directory ? await fileWithin(path) : 'a YAML file';
  return { ok: false, problems: [{ path: [], found: file.found, wanted }], warnings: [] };
}

async function readText(path: string): Promise<Readonly<{ text: string }> | Readonly<{ found: string }>> {
  let bytes: Uint8Array;
  try {
    bytes = path === '-' ? await readInput(sizeLimit + 1) : await readAtMost(path, sizeLimit + 1);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return { found: code === 'EISDIR' ? directory : (errnoWords(code) ?? `a file that cannot be read (${code})`) };
  }
  if (bytes.length > sizeLimit) return { found: `more than ${sizeLimit} bytes` };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { found: 'bytes that are not UTF-8 text' };
  }
}

/** A ConfigMap is mounted as a directory, with a file for each of its keys. */
async function fileWithin(path: string): Promise<string> {
  const names = await readdir(path).catch(() => []);
  const file = names.toSorted((one, other) => one.localeCompare(other)).find((name) => /\.ya?ml$/.test(name));
  return file === undefined ? 'a YAML file' : `a YAML file, such as ${join(path, file)}`;
}

async function readInput(limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

/** Unlike `readFile`, it stops at the limit: the path may name a device that never ends. */
async function readAtMost(path: string, limit: number): Promise<Uint8Array> {
  await using file = await open(path);
  const buffer = new Uint8Array(limit);
  let length = 0;
  while (length < limit) {
    const { bytesRead } = await file.read(buffer, length, limit - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
