import { readConfigFile } from '../adapters/config-file.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import { refuse, type CommandIo } from './command.ts';
import { refusalReport, warningLines } from './config-report.ts';
import { explainProberConfig } from './explain-prober-config.ts';
import { boolFlag, requiredFlag } from './flag.ts';
import { flagSet } from './go-flags.ts';

const flags = flagSet('validate', {
  configFile: requiredFlag({ placeholder: 'FILE', help: 'the configuration, a YAML file; required' }),
  strict: boolFlag({ help: 'take an unknown key for an error, not for a warning' }),
});

/** Says what a prober's configuration means, or everything that is wrong with it; code 1 where it cannot be used. */
export async function runValidate(args: readonly string[], io: CommandIo): Promise<number> {
  const parsed = flags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { configFile, strict } = parsed.values;

  const reading = await readConfigFile(configFile, (written) => readProberConfig(written, { strict }));
  if (!reading.ok) {
    for (const line of refusalReport(configFile, reading)) io.err(line);
    return 1;
  }
  io.out(`${configFile} can be used. It means:`);
  io.out('');
  for (const line of explainProberConfig(reading.config, reading.defaults)) io.out(line);
  const warnings = warningLines(reading.warnings);
  if (warnings.length > 0) io.out('');
  for (const line of warnings) io.out(line);
  return 0;
}
