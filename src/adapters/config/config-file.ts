import { open } from 'node:fs/promises';
import type { ConfigReading } from '../../domain/config/config-remark.ts';
import { readYamlConfig } from './yaml-config.ts';

/** No ConfigMap holds more than 1 MiB, so a longer file is the wrong file. */
const sizeLimit = 1_048_576;

const noFile: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'a directory',
  EACCES: 'a file that may not be read',
  EPERM: 'a file that may not be read',
};

/**
 * Reads a configuration file (SPEC 1.3): YAML in UTF-8, checked by `read`. Never rejects for a mistake that the operator can
 * mend. A missing or unreadable file is a problem with an empty path.
 */
export async function readConfigFile<Config>(
  path: string,
  read: (written: unknown) => ConfigReading<Config>,
): Promise<ConfigReading<Config>> {
  const file = await readText(path);
  return 'text' in file
    ? readYamlConfig(file.text, read)
    : { ok: false, problems: [{ path: [], found: file.found, wanted: 'a file of YAML' }], warnings: [] };
}

async function readText(path: string): Promise<Readonly<{ text: string }> | Readonly<{ found: string }>> {
  let bytes: Uint8Array;
  try {
    bytes = await readAtMost(path, sizeLimit + 1);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    return { found: noFile[code] ?? `a file that cannot be read (${code})` };
  }
  if (bytes.length > sizeLimit) return { found: `more than ${sizeLimit} bytes` };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { found: 'bytes that are no UTF-8 text' };
  }
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
