import { setTimeout as pause } from 'node:timers/promises';
import type { Fallen } from './facts.ts';
import { StartedRole } from '../real/started-role.ts';

/** As a kubelet does the first time; it doubles the pause only for what falls again at once. */
const restartedAfter = 1_000;

type How = Readonly<{ directory: string; kubeconfig: string; configFile: string }>;

/** A prober in a pod of its own: whenever it ends, it is started again. */
export class KeptProber {
  readonly pod: string;
  readonly #how: How;
  #role: StartedRole | undefined;
  #isKept = false;
  #startCount = 0;
  readonly fallen: Fallen[] = [];
  #isStruck = false;

  constructor(pod: string, how: How) {
    this.pod = pod;
    this.#how = how;
  }

  async start(): Promise<void> {
    this.#isKept = true;
    this.#isStruck = false;
    this.#startCount++;
    const { directory, kubeconfig, configFile } = this.#how;
    const more = [`--journal-dir=${directory}`];
    // A log for each process.
    const name = `${this.pod}.${this.#startCount}`;
    const role = await StartedRole.start('prober', { name, directory, kubeconfig, configFile, more });
    this.#role = role;
    void role.ended.then(({ code, signal }) => {
      if (!this.#isKept || this.#isStruck) return;
      this.fallen.push({ at: Date.now(), pod: this.pod, how: String(code ?? signal) });
      void this.#again(restartedAfter);
    });
  }

  /** Ends it by this signal, and starts it again after so long, in ms. */
  async strike(signal: 'SIGKILL' | 'SIGTERM', away: number): Promise<void> {
    this.#isStruck = true;
    this.#role?.kill(signal);
    await this.#role?.ended;
    await this.#again(away);
  }

  /** Stands still for so long, in ms. */
  async standStill(length: number): Promise<void> {
    this.#role?.kill('SIGSTOP');
    await pause(length);
    this.#role?.kill('SIGCONT');
  }

  async leads(): Promise<boolean> {
    return (await this.#role?.series())?.['dwd_leader'] === 1;
  }

  async stop(): Promise<void> {
    this.#isKept = false;
    await this.#role?.[Symbol.asyncDispose]();
  }

  async #again(after: number): Promise<void> {
    await pause(after);
    if (this.#isKept) await this.start();
  }
}
