import { basename } from 'node:path';
import process from 'node:process';

/**
 * The terminal and the environment of a command. Lines come without their line break, and what a terminal would obey in them is escaped (SPEC 1.1). `ours`: colours and
 * breaks of our own stand in the text, and a stranger's words went through `terminalLine` before they came to it.
 */
export type CommandIo = Readonly<{
  out(line: string, controls?: 'ours'): void;
  err(line: string): void;
  env: NodeJS.ProcessEnv;
}>;

/** As the program is called: kubectl runs one whose file is named `kubectl-dwd` as `kubectl dwd`. */
export const programName: string =
  /^kubectl-(.+)$/.exec(basename(process.argv[1] ?? ''))?.[1]?.replace(/^/, 'kubectl ') ?? 'dependency-watchdog';

/** Runs one command with the arguments after its name. Resolves to the exit code. */
export type RunCommand = (args: readonly string[], io: CommandIo) => Promise<number>;

/** A command line that does not lead to a run: it asks for help, or something in it is wrong. */
export type Refusal = Readonly<{ ok: false; help: boolean; message: string }>;

/** A line that says what is wrong with the command line, and where to find help. */
export function wrongCommandLine(command: string, message: string): Refusal {
  const line = `${programName} ${command}: ${message}`;
  return { ok: false, help: false, message: `${line}\n"${programName} help ${command}" lists all flags.` };
}

/** Prints why nothing runs. Returns the exit code: 0 for help, 2 for a wrong command line (SPEC 1.1, 1.2). */
export function refuse({ help, message }: Refusal, io: CommandIo): number {
  if (help) io.out(message, 'ours');
  else for (const line of message.split('\n')) io.err(line);
  return help ? 0 : 2;
}

/** How wide a text may be: as the terminal, and not so wide that lines are hard to follow. */
export function textWidth(): number {
  return Math.min(100, process.stdout.columns || 100);
}

/** The lines of a text that is broken between words, so that none is longer than the terminal; each after the first is indented. */
export function wrap(text: string, indent = 0, firstIndent = indent, width: number = textWidth()): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(firstIndent);
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = ' '.repeat(indent);
      empty = true;
    }
    line += (empty ? '' : ' ') + word;
    empty = false;
  }
  return [...lines, line];
}
