/**
 * The terminal and the environment of a command. Lines come without their line break, and what a terminal would obey in them is escaped (SPEC 1.1). `ours`: colours and
 * breaks of our own stand in the text, and a stranger's words went through `terminalLine` before they came to it.
 */
export type CommandIo = Readonly<{
  out(line: string, controls?: 'ours'): void;
  err(line: string): void;
  env: NodeJS.ProcessEnv;
}>;

/** Runs one command with the arguments after its name. Resolves to the exit code. */
export type RunCommand = (args: readonly string[], io: CommandIo) => Promise<number>;

/** A command line that does not lead to a run: it asks for help, or something in it is wrong. */
export type Refusal = Readonly<{ ok: false; help: boolean; message: string }>;

/** A line that says what is wrong with the command line, and where to find help. */
export function wrongCommandLine(command: string, message: string): Refusal {
  const line = `dependency-watchdog ${command}: ${message}`;
  return { ok: false, help: false, message: `${line}\n"dependency-watchdog help ${command}" lists all flags.` };
}

/** Prints why nothing runs. Returns the exit code: 0 for help, 2 for a wrong command line (SPEC 1.1, 1.2). */
export function refuse({ help, message }: Refusal, io: CommandIo): number {
  if (help) io.out(message, 'ours');
  else for (const line of message.split('\n')) io.err(line);
  return help ? 0 : 2;
}

/** The width that an operator's terminal shows without breaking lines. */
const terminalWidth = 100;

/** The lines of a text that is broken between words, so that none is longer than the terminal; each after the first is indented. */
export function wrap(text: string, indent = 0, firstIndent = indent): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(firstIndent);
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > terminalWidth) {
      lines.push(line);
      line = ' '.repeat(indent);
      empty = true;
    }
    line += (empty ? '' : ' ') + word;
    empty = false;
  }
  return [...lines, line];
}
