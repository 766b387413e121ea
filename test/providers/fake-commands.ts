import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** Scripts that stand for commands, alone on a PATH of their own, and a list of how they were called. */
export class FakeCommands {
  /** Gone with the test. */
  readonly directory: string;
  readonly #calls: string;

  constructor({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
    this.directory = mkdtempSync(join(tmpdir(), 'dwd-commands-'));
    this.#calls = join(this.directory, 'calls');
    onTestFinished(() => rmSync(this.directory, { recursive: true, force: true }));
  }

  /** `script` is of the shell, and sees the arguments. */
  add(name: string, script: string): this {
    const path = join(this.directory, name);
    writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> '${this.#calls}'\n${script}\n`);
    chmodSync(path, 0o755);
    return this;
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: this.directory };
  }

  /** As they were called, one line each. */
  get calls(): readonly string[] {
    return existsSync(this.#calls) ? readFileSync(this.#calls, 'utf8').trimEnd().split('\n') : [];
  }
}
