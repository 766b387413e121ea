import { guests } from '../guests.ts';
import { flagSet, type Flags, type FlagSet } from '../go-flags.ts';
import { releaseFlags } from '../release.ts';
import { roleFlagSet } from '../role/role-flags.ts';
import { statusFlagSet } from '../status.ts';
import { commandWords, type CommandName } from '../usage.ts';
import { validateFlags } from '../validate.ts';

/** What may stand behind a flag, or as an argument. */
export type Completed = 'nothing' | 'text' | 'files' | 'directories' | readonly string[];

/** A command, as a shell completes it. Names are written with their dashes. */
export type CompletedCommand = Readonly<{
  name: string;
  summary: string;
  flags: readonly Readonly<{ names: readonly string[]; help: string; value: Completed; valueName: string }>[];
  operand: Completed;
}>;

/** The shells for which `completion` writes a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

const [{ inspectFlags }, { replayFlags }, { simulateFlagSet }] = await Promise.all([
  guests.inspect(),
  guests.replay(),
  guests.simulateFlags(),
]);

const sets: Readonly<Record<CommandName, FlagSet<Flags>>> = {
  prober: roleFlagSet('prober'),
  weeder: roleFlagSet('weeder'),
  simulate: simulateFlagSet,
  replay: replayFlags,
  inspect: inspectFlags,
  validate: validateFlags,
  status: statusFlagSet,
  release: releaseFlags,
  completion: flagSet('completion', {}, { operands: shells.join('|') }),
};

export function flagSetOf(command: CommandName): FlagSet<Flags> {
  return sets[command];
}

/** All commands, with what their own flags say of themselves. */
export function completedCommands(): readonly CompletedCommand[] {
  const commands = Object.entries(sets).map(([name, { named, operands }]) => ({
    name,
    summary: commandWords[name as CommandName].summary,
    flags: [...named].map(([long, { flag }]) => ({
      names: [long, ...(flag.also ?? [])].map((one) => (one.length === 1 ? `-${one}` : `--${one}`)),
      help: flag.help,
      value: flag.choices ?? valueOf(flag.placeholder),
      valueName: flag.placeholder ?? '',
    })),
    operand: operandOf(operands),
  }));
  const names = commands.map(({ name }) => name);
  return [
    ...commands,
    { name: 'version', summary: 'shows the version', flags: [], operand: 'nothing' },
    { name: 'help', summary: 'shows the flags of a command', flags: [], operand: names },
  ];
}

function valueOf(placeholder: string | undefined): Completed {
  if (placeholder === undefined) return 'nothing';
  if (placeholder === 'FILE') return 'files';
  return placeholder === 'DIR' ? 'directories' : 'text';
}

function operandOf(operands: string | undefined): Completed {
  if (operands === undefined) return 'nothing';
  if (operands.includes('|')) return operands.split('|');
  return /^(?:FILE|PATH)/.test(operands) ? 'files' : 'text';
}
