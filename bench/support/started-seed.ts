import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Instant, Millis } from '../../src/domain/time.ts';
import { ask as askProcess } from './ask.ts';
import type { CutOff, SeedAnswer, SeedOrder, SeedReport, SeedSize } from './seed-orders.ts';

/** An embedded seed in a process of its own, which ends when it is disposed of. */
export class StartedSeed implements Disposable {
  readonly kubeconfig: string;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, kubeconfig: string) {
    this.#child = child;
    this.kubeconfig = kubeconfig;
  }

  async cutOff(how: CutOff): Promise<SeedReport> {
    return reportOf(await ask(this.#child, { order: 'cutOff', ...how }));
  }

  async heal(over: Millis): Promise<SeedReport> {
    return reportOf(await ask(this.#child, { order: 'heal', over }));
  }

  async reveal(over: Millis): Promise<void> {
    await ask(this.#child, { order: 'reveal', over });
  }

  /** `since`: the instant after which a shoot that is asked something counts as asked. */
  async report(since: Instant = Infinity): Promise<SeedReport> {
    return reportOf(await ask(this.#child, { order: 'report', since }));
  }

  /** The first report that is so, or the last one before `giveUpAt`. */
  async reportOnce(
    isIt: (report: SeedReport) => boolean,
    giveUpAt: Instant,
    since: Instant = Infinity,
  ): Promise<SeedReport> {
    for (;;) {
      const report = await this.report(since);
      if (isIt(report) || Date.now() >= giveUpAt) return report;
      await pause(100);
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}

/** The shoots show one certificate. */
export async function startSeed(size: SeedSize): Promise<StartedSeed> {
  const child = fork(join(import.meta.dirname, 'seed-process.ts'), { execArgv: ['--max-old-space-size=8000'] });
  const answer = await ask(child, { order: 'start', ...size });
  if (!('kubeconfig' in answer)) throw new Error('the seed did not start');
  return new StartedSeed(child, answer.kubeconfig);
}

const ask = (child: ChildProcess, order: SeedOrder): Promise<SeedAnswer> => askProcess(child, order);

function reportOf(answer: SeedAnswer): SeedReport {
  if ('kubeconfig' in answer) throw new Error('the seed answered another question');
  return answer;
}
