import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ask } from './ask.ts';
import type { WeededSeedAnswer, WeededSeedOrder, WeededSeedReport, WeededSeedSize } from './weeded-seed-orders.ts';

/** An embedded seed with control planes to be weeded, in a process of its own, which ends when it is disposed of. */
export class StartedWeededSeed implements Disposable {
  readonly kubeconfig: string;
  /** Of the services that come back. */
  readonly namespaces: readonly string[];
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, { kubeconfig, namespaces }: Extract<WeededSeedAnswer, { kubeconfig: string }>) {
    this.kubeconfig = kubeconfig;
    this.namespaces = namespaces;
    this.#child = child;
  }

  /** One service goes down; `afresh`: once no window is open. */
  async fail(afresh: boolean): Promise<void> {
    await tell(this.#child, { order: 'fail', afresh });
  }

  /** It comes back: milliseconds from the stored EndpointSlice to the first DELETE; undefined where none came. */
  async recover(): Promise<number | undefined> {
    const answer = await tell(this.#child, { order: 'recover' });
    return 'firstDeletion' in answer ? answer.firstDeletion : undefined;
  }

  recoverAll(): Promise<WeededSeedReport> {
    return this.#report('recoverAll');
  }

  report(): Promise<WeededSeedReport> {
    return this.#report('report');
  }

  async #report(order: 'recoverAll' | 'report'): Promise<WeededSeedReport> {
    const answer = await tell(this.#child, { order });
    if (!('recoveries' in answer)) throw new Error('the seed answered another question');
    return answer;
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}

export async function startWeededSeed(size: WeededSeedSize): Promise<StartedWeededSeed> {
  const child = fork(join(import.meta.dirname, 'weeded-seed-process.ts'), { execArgv: ['--max-old-space-size=8000'] });
  await once(child, 'message');
  const answer = await tell(child, { order: 'start', ...size });
  if (!('kubeconfig' in answer)) throw new Error('the seed did not start');
  return new StartedWeededSeed(child, answer);
}

function tell(child: ChildProcess, order: WeededSeedOrder): Promise<WeededSeedAnswer> {
  return ask(child, order);
}
