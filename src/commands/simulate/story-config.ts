import { readConfigFile } from '../../adapters/config/config-file.ts';
import { readYamlConfig } from '../../adapters/config/yaml-config.ts';
import type { ConfigReading } from '../../domain/config/config-remark.ts';
import { refusalReport, warningLines } from '../config-report.ts';
import type { Scene } from './scene.ts';

/** What a story is played by where the operator gives no configuration. */
export const usualConfigName = "Gardener's configuration";

/** Reads the operator's configuration, or Gardener's `usual` one; says what is wrong with it, and answers undefined then. */
export async function readStoryConfig<Config>(
  file: string | undefined,
  usual: string,
  read: (written: unknown) => ConfigReading<Config>,
  { io }: Scene,
): Promise<Config | undefined> {
  const reading = file === undefined ? readYamlConfig(usual, read) : await readConfigFile(file, read);
  const lines = reading.ok ? warningLines(reading.warnings) : refusalReport(file ?? usualConfigName, reading);
  for (const line of lines) io.err(line);
  return reading.ok ? reading.config : undefined;
}
