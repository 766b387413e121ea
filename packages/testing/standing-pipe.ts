import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A pipe that nobody reads until the test does. Gone with the test. */
export class StandingPipe {
  /** For the process that is to write. */
  readonly end: number;
  readonly #both: number;
  #isClosed = false;

  constructor(dir: string, name: string, { onTestFinished }: Readonly<{ onTestFinished(clean: () => void): void }>) {
    const path = join(dir, name);
    execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
    // Open to be read as well, or the first write would meet nobody.
    this.#both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.end = openSync(path, constants.O_WRONLY);
    onTestFinished(() => {
      this.close();
      closeSync(this.end);
    });
  }

  /** It can be read no more. */
  close(): void {
    if (!this.#isClosed) closeSync(this.#both);
    this.#isClosed = true;
  }

  /** Until it takes not a byte more. */
  fill(): void {
    for (const piece of [Buffer.alloc(4_096, '.'), Buffer.from('.')])
      untilItWouldWait(() => {
        for (;;) writeSync(this.#both, piece);
      });
  }

  /** All that it holds. */
  read(): string {
    let text = '';
    const piece = Buffer.alloc(65_536);
    untilItWouldWait(() => {
      for (;;) text += piece.toString('utf8', 0, readSync(this.#both, piece));
    });
    return text;
  }
}

function untilItWouldWait(act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}
