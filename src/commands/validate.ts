import { readConfigFile } from '../adapters/config/config-file.ts';
import type { ConfigReading } from '../domain/config/config-remark.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import { readWeederConfig } from '../domain/config/read-weeder-config.ts';
import { roleOfConfig, type ConfigRole } from '../domain/config/role-of-config.ts';
import { refuse, type CommandIo } from './command.ts';
import { refusalReport, warningLines } from './config-report.ts';
import { explainProberConfig } from './explain-prober-config.ts';
import { explainWeederConfig } from './explain-weeder-config.ts';
import { boolFlag, choiceFlag, requiredFlag } from './flag.ts';
import { flagSet } from './go-flags.ts';

const flags = flagSet('validate', {
  configFile: requiredFlag({ placeholder: 'FILE', help: 'the configuration, a YAML file; required' }),
  role: choiceFlag({
    choices: ['prober', 'weeder'],
    help: 'whose configuration it is; its keys tell where this is not given',
  }),
  strict: boolFlag({ help: 'take an unknown key for an error, not for a warning' }),
});

/** Says what a configuration means, or everything that is wrong with it; code 1 where it cannot be used. */
export async function runValidate(args: readonly string[], io: CommandIo): Promise<number> {
  const parsed = flags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { configFile, strict, role } = parsed.values;

  const taken: { as?: ConfigRole } = {};
  const meaning = await readConfigFile(configFile, (written) => {
    taken.as = role ?? roleOfConfig(written);
    return meaningOf(taken.as, written, strict);
  });
  if (!meaning.ok) {
    for (const line of [...refusalReport(configFile, meaning), ...(role === undefined ? otherRole(taken.as) : [])]) {
      io.err(line);
    }
    return 1;
  }
  io.out(`${configFile} can be used by the ${taken.as}. It means:`);
  io.out('');
  for (const line of meaning.config) io.out(line);
  const warnings = warningLines(meaning.warnings);
  if (warnings.length > 0) io.out('');
  for (const line of warnings) io.out(line);
  return 0;
}

/** As lines for a terminal. */
function meaningOf(role: ConfigRole, written: unknown, strict: boolean): ConfigReading<readonly string[]> {
  switch (role) {
    case 'prober': {
      const reading = readProberConfig(written, { strict });
      return reading.ok ? { ...reading, config: explainProberConfig(reading.config, reading.defaults) } : reading;
    }
    case 'weeder': {
      const reading = readWeederConfig(written, { strict });
      return reading.ok ? { ...reading, config: explainWeederConfig(reading.config, reading.defaults) } : reading;
    }
  }
}

/** Wrong keys can make one role's configuration look like the other's. Nothing where nothing could be read. */
function otherRole(taken: ConfigRole | undefined): string[] {
  if (taken === undefined) return [];
  const other = taken === 'prober' ? 'weeder' : 'prober';
  return ['', `It was read as a ${taken}'s configuration; --role=${other} reads it as a ${other}'s.`];
}
