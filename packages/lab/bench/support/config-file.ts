import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfigFile } from 'dependency-watchdog/adapters/config/config-file.ts';
import { readProberConfig } from 'dependency-watchdog/domain/config/read-prober-config.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';

/** The prober's. */
export const gardenerConfigFile: string = join(import.meta.dirname, '../../../../deploy/base/prober/dep-config.yaml');
const gardenerWeederConfigFile = join(import.meta.dirname, '../../../../deploy/base/weeder/dep-config.yaml');

export async function readConfig(file: string): Promise<ProberConfig> {
  const reading = await readConfigFile(file, (written) => readProberConfig(written, { strict: true }));
  if (!reading.ok) throw new Error(`${file} cannot be read`);
  return reading.config;
}

/** A configuration in a file, which goes when this is disposed of. */
export type ConfigFile = Disposable & Readonly<{ path: string }>;

export type ProberConfigChanges = Readonly<{
  /** `10s`. */
  interval?: string;
  /** For all dependants that have one. */
  delay?: string;
  /** As the older generation has it (SPEC 2.2). */
  twoPaths?: boolean;
  /** Without it, Gardener's. */
  jitterFactor?: number;
}>;

/** Gardener's prober configuration, changed. */
export function proberConfig({ interval, delay, twoPaths = false, jitterFactor }: ProberConfigChanges): ConfigFile {
  let text = readFileSync(gardenerConfigFile, 'utf8');
  if (interval !== undefined) text = text.replace(/^probeInterval:.*$/m, `probeInterval: ${interval}`);
  if (delay !== undefined) text = text.replace(/^(\s*initialDelay:).*$/gm, `$1 ${delay}`);
  if (twoPaths) text = text.replace(/^kubeConfigSecretName:.*$/m, twoSecrets);
  if (jitterFactor !== undefined) text = `backoffJitterFactor: ${jitterFactor}\n${text}`;
  // Nobody learns anything from the half minute before the first probes.
  return written(`initialDelay: 0s\n${text}`);
}

/** Gardener's weeder configuration with windows of another length: `10s`. */
export function weederConfig(watchDuration: string): ConfigFile {
  const text = readFileSync(gardenerWeederConfigFile, 'utf8');
  return written(text.replace(/^watchDuration:.*$/m, `watchDuration: ${watchDuration}`));
}

const twoSecrets = 'internalKubeConfigSecretName: dwd-internal-probe\nexternalKubeConfigSecretName: dwd-external-probe';

function written(text: string): ConfigFile {
  const directory = mkdtempDisposableSync(join(tmpdir(), 'dwd-bench-'));
  const path = join(directory.path, 'config.yaml');
  writeFileSync(path, text);
  return { path, [Symbol.dispose]: () => directory.remove() };
}
