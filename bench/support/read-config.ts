import { join } from 'node:path';
import { readConfigFile } from '../../src/adapters/config/config-file.ts';
import { readProberConfig } from '../../src/domain/config/read-prober-config.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';

export const gardenerConfigFile: string = join(import.meta.dirname, '../../deploy/base/prober/dep-config.yaml');

/** `gardenerConfigFile` is the prober's. */
export const gardenerWeederConfigFile: string = join(import.meta.dirname, '../../deploy/base/weeder/dep-config.yaml');

export async function readConfig(file: string): Promise<ProberConfig> {
  const reading = await readConfigFile(file, (written) => readProberConfig(written, { strict: true }));
  if (!reading.ok) throw new Error(`${file} cannot be read`);
  return reading.config;
}
