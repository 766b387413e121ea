import process from 'node:process';
import { format, inspect } from 'node:util';
import { after } from '../adapters/clock/plain-clock.ts';
import { writtenTrace } from '../adapters/record/log/written-trace.ts';
import { BoundedLines } from '../adapters/output/bounded-lines.ts';
import { machineOutput } from '../adapters/output/machine-output.ts';
import { errorCode, fileErrorWords } from '../adapters/words/errno-words.ts';
import { counted, terminalLine } from '../adapters/words/plain-words.ts';
import type { Millis } from '../domain/time.ts';
import type { CommandIo } from './command.ts';
import { endProcess, lastWords } from './end-process.ts';

/** The code of a command that did its work, and could not show it (SPEC 11.2). */
const outputFailed = 3;

/** These do something besides what they show, and go on where nobody looks any more. */
const workers: ReadonlySet<string> = new Set(['prober', 'weeder', 'release', 'inspect']);

/**
 * The outputs of this process, for the command of this name. Standard error never waits (SPEC 11.1), whoever writes to it: we, a library by `console`, or Node
 * with a warning or an error that nobody caught.
 */
export class ProcessIo implements CommandIo {
  readonly env = process.env;
  readonly #command: string;
  readonly #errors = new BoundedLines({
    output: machineOutput(2),
    after,
    lossLine: ({ count }) =>
      `dependency-watchdog: ${counted(count, 'line')} lost here: nobody read the standard error\n`,
  });
  #failure: Error | undefined;
  /** Who reads what this command shows has seen enough. */
  #isReadEnough = false;
  /** The last line was taken, or could not be. */
  #taken: Promise<void> = Promise.resolve();

  constructor(command: string) {
    this.#command = command;
    process.stdout.on('error', (error) => this.#onFailure(error));
    for (const way of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const)
      console[way] = (...words: unknown[]) => this.#errLines(format(...words));
    // There is no listener if warnings were turned off.
    if (process.listenerCount('warning') > 0) {
      process.removeAllListeners('warning');
      process.on('warning', ({ name, message }) => this.err(`dependency-watchdog: ${name}: ${message}`));
    }
    process.on('uncaughtException', (error) => {
      // A role says it in its log.
      if (process.listenerCount('uncaughtException') === 1) void this.#endByBug(error);
    });
  }

  readonly out = (line: string, controls?: 'ours'): void => {
    const told = controls === 'ours' ? line : terminalLine(line);
    this.#taken = new Promise((resolve) => process.stdout.write(`${told}\n`, () => resolve()));
  };

  readonly err = (line: string): void => this.#errors.write(`${terminalLine(line)}\n`);

  /** Ends the process, once everything that was written has been taken, or cannot be, or after this time. */
  async end(code: number, within: Millis): Promise<never> {
    await Promise.race([new Promise<void>((resolve) => after(within, resolve)), this.#taken]);
    if (this.#failure !== undefined)
      this.err(
        `dependency-watchdog ${this.#command}: the standard output could not be written: ${fileErrorWords(this.#failure)}`,
      );
    await this.#errors.flushed(within);
    if (this.#isReadEnough) return endProcess(0);
    return endProcess(this.#failure !== undefined && code === 0 ? outputFailed : code);
  }

  /** Of a trace, or of what a library says. */
  #errLines(text: string): void {
    for (const line of text.split('\n')) this.err(line);
  }

  async #endByBug(error: unknown): Promise<never> {
    this.#errLines(writtenTrace(inspect(error)));
    await this.#errors.flushed(lastWords);
    return endProcess(1);
  }

  #onFailure(error: Error): void {
    const code = errorCode(error);
    const isGone = code === 'EPIPE' || code === 'ECONNRESET' || (code === 'EIO' && process.stdout.isTTY);
    if (!isGone) {
      this.#failure ??= error;
      return;
    }
    // As if a terminal had been closed: whoever shows things until then ends. To a role that signal means to end, too.
    if (workers.has(this.#command)) return;
    this.#isReadEnough = true;
    if (!process.emit('SIGHUP', 'SIGHUP')) endProcess(0);
  }
}
