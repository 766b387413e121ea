import { readConfigFile } from '../adapters/config/config-file.ts';
import type { ConfigReading } from '../domain/config/config-remark.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import { readWeederConfig } from '../domain/config/read-weeder-config.ts';
import { roleOfConfig } from '../domain/config/misplaced-config.ts';
import type { RoleName } from '../domain/names.ts';
import type { WeederConfig } from '../domain/weeder/weeder-config.ts';
import { programName, refuse, wrongCommandLine, type CommandIo } from './command.ts';
import { refusalReport, warningLines } from './config-report.ts';
import { exampleConfigs, type ExampleName } from './example-configs.ts';
import { explainProberConfig } from './explain-prober-config.ts';
import { explainWeederConfig } from './explain-weeder-config.ts';
import { boolFlag, choiceFlag, stringFlag } from './flag.ts';
import { flagSet } from './go-flags.ts';
import { seedCommandFlags } from './seed-command.ts';
import { tellCoverage } from './validate/tell-coverage.ts';

const roles = ['prober', 'weeder'] as const;
const examples = ['prober', 'two-paths', 'weeder'] as const satisfies readonly ExampleName[];

export const validateFlags = flagSet('validate', {
  configFile: stringFlag({
    placeholder: 'FILE',
    help: 'the configuration, a YAML file, or - for the standard input',
  }),
  role: choiceFlag({ choices: roles, help: 'whose configuration it is; without this flag, its keys show it' }),
  strict: boolFlag({
    help: 'refuse what is only a warning otherwise: unknown keys, keys in another case, keys without a value',
  }),
  example: choiceFlag({
    choices: examples,
    help: "print a commented configuration to begin with, and nothing else; two-paths is the prober's for two kubeconfigs",
  }),
  againstSeed: boolFlag({
    help: "also look at a seed: which of its pods the selectors of a weeder's configuration pick, and which none picks",
  }),
  kubeconfig: { ...seedCommandFlags.kubeconfig, help: `with --against-seed: ${seedCommandFlags.kubeconfig.help}` },
  context: { ...seedCommandFlags.context, help: `with --against-seed: ${seedCommandFlags.context.help}` },
});

/** What a configuration means, as lines for a terminal; and itself, where it can be held against a seed. */
type Meaning = Readonly<{ lines: readonly string[]; weeders?: WeederConfig }>;

/** Says what a configuration means, or everything that is wrong with it; code 1 where it cannot be used. */
export async function runValidate(args: readonly string[], io: CommandIo): Promise<number> {
  const parsed = validateFlags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { configFile, strict, role, example, againstSeed, ...ofSeed } = parsed.values;
  if (example !== undefined) {
    io.out(exampleConfigs[example].trimEnd(), 'ours');
    return 0;
  }
  if (!configFile) {
    const message = '--config-file=FILE is missing; --example=prober or --example=weeder prints one to begin with';
    return refuse(wrongCommandLine('validate', message), io);
  }
  const idle = againstSeed ? undefined : (['kubeconfig', 'context'] as const).find((flag) => parsed.given.has(flag));
  if (idle !== undefined) {
    const message = `--${idle} is of use with --against-seed alone: a configuration by itself needs no cluster`;
    return refuse(wrongCommandLine('validate', message), io);
  }

  let seen: RoleName | undefined;
  const name = configFile === '-' ? 'the standard input' : configFile;
  const meaning = await readConfigFile(configFile, (written) => {
    seen = roleOfConfig(written);
    return meaningOf(role ?? seen ?? 'prober', written, strict);
  });
  if (!meaning.ok) {
    for (const line of refusalReport(name, meaning)) io.err(line);
    // The one problem of a file that is something else has no key.
    const isKeyed = meaning.problems.some(({ path }) => path.length > 0);
    if (role === undefined && seen === undefined && isKeyed) {
      io.err('');
      io.err("It was read as a prober's configuration, because its keys do not show whose it is. --role says it.");
    }
    return 1;
  }
  const { lines, weeders } = meaning.config;
  if (againstSeed && weeders === undefined) {
    io.err(`${programName} validate: --against-seed is for a weeder's configuration; ${name} is the prober's`);
    return 1;
  }
  io.out(`${name} can be used by the ${role ?? seen ?? 'prober'}. It means:`);
  io.out('');
  for (const line of lines) io.out(line);
  const warnings = warningLines(meaning.warnings);
  if (warnings.length > 0) io.out('');
  for (const line of warnings) io.out(line);
  return againstSeed && weeders !== undefined ? await tellCoverage(weeders, ofSeed, io) : 0;
}

function meaningOf(role: RoleName, written: unknown, strict: boolean): ConfigReading<Meaning> {
  switch (role) {
    case 'prober': {
      const reading = readProberConfig(written, { strict });
      if (!reading.ok) return reading;
      return { ...reading, config: { lines: explainProberConfig(reading.config, reading.defaults) } };
    }
    case 'weeder': {
      const reading = readWeederConfig(written, { strict });
      if (!reading.ok) return reading;
      const { config, defaults } = reading;
      return { ...reading, config: { lines: explainWeederConfig(config, defaults), weeders: config } };
    }
  }
}
