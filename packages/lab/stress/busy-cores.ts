import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';

/** Processes that keep a core busy each, until it is disposed of. None outlives this process. */
export class BusyCores implements Disposable {
  readonly #children: readonly ChildProcess[];

  constructor(count: number) {
    const parent = process.pid;
    // Where this process is killed, nobody ends them: so each looks now and then whether its parent is still there.
    const spin = `for (;;) { const until = Date.now() + 500; while (Date.now() < until); if (process.ppid !== ${parent}) process.exit(); }`;
    this.#children = Array.from({ length: count }, () => spawn(process.execPath, ['-e', spin], { stdio: 'ignore' }));
  }

  get processIds(): readonly (number | undefined)[] {
    return this.#children.map(({ pid }) => pid);
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}
