import { refuse, wrongCommandLine, type CommandIo } from './command.ts';
import { bashScript } from './completion/bash-script.ts';
import { completedCommands, flagSetOf, shells } from './completion/completed-commands.ts';
import { fishScript } from './completion/fish-script.ts';
import { zshScript } from './completion/zsh-script.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `completion bash|zsh|fish`: prints a script by which that shell completes commands, flags and their values (SPEC 1.1). */
export async function runCompletion(args: readonly string[], io: CommandIo): Promise<number> {
  const parsed = flagSetOf('completion').parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const shell = shells.find((one) => one === parsed.operands[0]);
  if (shell === undefined) {
    const found = JSON.stringify(parsed.operands[0]);
    return refuse(wrongCommandLine('completion', `it knows the shells ${shells.join(', ')}; found ${found}`), io);
  }
  io.out(scripts[shell](completedCommands()), 'ours');
  return 0;
}
