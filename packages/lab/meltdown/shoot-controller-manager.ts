import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { startControllerManager } from '../real/controller-manager.ts';
import type { RealApiServer } from '../real/api-server.ts';

/** Log lines that it writes only while it looks at the nodes, by their beginnings. */
const saidAtTicks = /^(?:Controller observed a new Node|Node ReadyCondition updated|Node hasn't been updated)/;

const restartedAfter = 500;

/** A real kube-controller-manager of a real shoot, whose process comes and goes. */
export class ShootControllerManager {
  readonly #start: () => ChildProcess;
  #process: ChildProcess | undefined;
  #starts = 0;
  /** When it last said something that it says only while it looks at the nodes, in ms; since its start. */
  tickAt: number | undefined;
  /** When the last process that ended had ended, in ms. */
  goneAt = 0;
  /** Somebody starts it whenever it ends by itself, as a kubelet does; sooner than one. */
  #isKeptUp = false;

  /** Its logs bear the name and a number. `elects`: it has to hold its own Lease, and ends where it cannot renew that. */
  constructor(
    {
      bin,
      directory,
      graceMillis,
      elects = false,
    }: Readonly<{ bin: string; directory: string; graceMillis: number; elects?: boolean }>,
    name: string,
    shoot: RealApiServer,
  ) {
    // Verbose enough to show when it looks; in JSON, because that has the year.
    const flags = [
      `--node-monitor-grace-period=${graceMillis}ms`,
      '--logging-format=json',
      '-v=3',
      `--leader-elect=${elects}`,
    ];
    this.#start = () =>
      startControllerManager(
        { bin, directory },
        `${name}.${++this.#starts}`,
        shoot,
        ['node-lifecycle-controller'],
        flags,
      );
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Resolves once it has looked at the nodes, or has ended before. */
  async start(): Promise<void> {
    if (this.#process !== undefined) return;
    this.#isKeptUp = true;
    const child = this.#start();
    this.#process = child;
    this.tickAt = undefined;
    child.once('exit', () => {
      this.goneAt = Date.now();
      if (this.#process === child) this.#process = undefined;
      if (this.#isKeptUp) setTimeout(() => void (this.#isKeptUp && this.start()), restartedAfter).unref();
    });
    if (child.stderr === null) throw new Error('the kube-controller-manager has no output');
    const lines = createInterface({ input: child.stderr });
    await new Promise<void>((resolve) => {
      child.once('exit', resolve);
      lines.on('line', (line) => {
        if (!line.startsWith('{')) return;
        const { ts, msg } = JSON.parse(line) as { ts: number; msg: string };
        if (!saidAtTicks.test(msg) || this.#process !== child) return;
        this.tickAt = ts;
        resolve();
      });
    });
  }

  /** Its process, if there is one, is killed, stopped or continued. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(signal);
  }

  /** Resolves once its process has ended. */
  async end(): Promise<void> {
    this.#isKeptUp = false;
    const child = this.#process;
    if (child === undefined) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  }
}
