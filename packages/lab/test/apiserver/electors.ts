import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import type { TestContext } from 'vitest';
import { endsWithUs } from '../../real/clearing-up.ts';
import { findProgram, ProgramMissing } from '../../programs/find-program.ts';
import { seedUser } from '@dwd/testing/gardener-rbac.ts';
import type { RealApiServer } from '../../real/api-server.ts';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { GoCandidate } from '@dwd/testing/go-candidate.ts';
import type { Program } from '@dwd/testing/program.ts';
import { asUser } from './role-on-seed.ts';
import { fileOf, started } from './real-stage.ts';

/** A time in which somebody believed that he led. */
export type Lead = Readonly<{ who: string; identity: string; from: number; until: number; ended: string }>;

/** Somebody who takes part in the prober's election with the prober's grants and Gardener's times. */
export interface Elector {
  readonly who: string;
  /** Resolves once it believes that it leads. */
  leads(): Promise<void>;
  /** Resolves once it has seen that somebody else holds the Lease. */
  waits(): Promise<void>;
  /** Ends it, and tells in which time it led. `released`: it lets the Lease go. `killed`: it has no time for anything. */
  end(how: 'released' | 'killed'): Promise<Lead>;
}

/** How the Go watchdog is played, and the reason where it is not by client-go itself. */
export type GoPlay = Readonly<{ start: (who: string) => Elector; by: string }>;

export async function goPlay(seed: RealApiServer, test: TestContext): Promise<GoPlay> {
  const kubeconfig = fileOf('go.kubeconfig', seed.kubeconfig(seedUser));
  try {
    const program = await findProgram('elector');
    return { by: 'client-go', start: (who) => new GoElector(program, kubeconfig, who, test) };
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    return { by: `a stand-in written after client-go (${error.message})`, start: (who) => new StandIn(seed, who) };
  }
}

const nameIn = (): string => `${hostname()}_${randomUUID()}`;

type ElectorLine = Readonly<{ at: number; what: 'waits' | 'sees' | 'leads' | 'led' | 'ends'; who: string }>;

/** `hack/tools/elector`: client-go's leader election in a process of its own. */
class GoElector implements Elector {
  readonly who: string;
  readonly #identity: string = nameIn();
  readonly #child: ChildProcess;
  readonly #lines: ElectorLine[] = [];
  #wake = Promise.withResolvers<void>();

  constructor(program: string, kubeconfig: string, who: string, { onTestFinished }: TestContext) {
    this.who = who;
    const args = [`--kubeconfig=${kubeconfig}`, `--identity=${this.#identity}`];
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    endsWithUs(this.#child);
    onTestFinished(() => void this.#child.kill('SIGKILL'));
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.#lines.push(JSON.parse(line) as ElectorLine);
      this.#wake.resolve();
      this.#wake = Promise.withResolvers();
    });
  }

  async leads(): Promise<void> {
    await this.#until(({ what }) => what === 'leads');
  }

  async waits(): Promise<void> {
    await this.#until(({ what, who }) => what === 'sees' && who !== this.#identity);
  }

  async end(how: 'released' | 'killed'): Promise<Lead> {
    const gone = once(this.#child, 'close');
    this.#child.kill(how === 'released' ? 'SIGTERM' : 'SIGKILL');
    await gone;
    const now = Date.now();
    const from = this.#lines.find(({ what }) => what === 'leads')?.at ?? now;
    // One that is killed may believe it until it is gone.
    const until = how === 'killed' ? now : (this.#lines.find(({ what }) => what === 'led')?.at ?? now);
    return { who: this.who, identity: this.#identity, from, until, ended: how };
  }

  async #until(isIt: (line: ElectorLine) => boolean): Promise<void> {
    while (!this.#lines.some(isIt)) await this.#wake.promise;
  }
}

/** The same rules in this process, where there is no Go. */
class StandIn implements Elector {
  readonly who: string;
  readonly #identity: string = nameIn();
  readonly #candidate: Promise<GoCandidate>;
  readonly #over = Promise.withResolvers<void>();
  #from = Infinity;

  constructor(seed: RealApiServer, who: string) {
    this.who = who;
    const made = Promise.withResolvers<GoCandidate>();
    this.#candidate = made.promise;
    void asUser({ reach: seed.reach, token: seed.token(seedUser) }, async (client) => {
      const candidate = new GoCandidate(client, systemClock, seededChance(3), this.#identity);
      made.resolve(candidate);
      void candidate.run();
      await this.#over.promise;
    });
  }

  async leads(): Promise<void> {
    const candidate = await this.#candidate;
    while (!candidate.leads) await pause(1);
    this.#from = Date.now();
  }

  async waits(): Promise<void> {
    const candidate = await this.#candidate;
    while (!candidate.sawAnother) await pause(1);
  }

  async end(how: 'released' | 'killed'): Promise<Lead> {
    const candidate = await this.#candidate;
    candidate.crash();
    const until = Date.now();
    if (how === 'released') await candidate.release();
    this.#over.resolve();
    return { who: this.who, identity: this.#identity, from: this.#from, until, ended: how };
  }
}

/** The prober as it ships, in a process of its own. */
export class OurElector implements Elector {
  readonly who: string;
  readonly #program: Program;

  constructor(test: TestContext, who: string, seed: RealApiServer, config: string) {
    this.who = who;
    this.#program = started(test, 'prober', seed, { config, flags: ['--enable-leader-election=true'] });
  }

  async leads(): Promise<void> {
    await this.#program.line('leadership', { leadership: 'leading' });
  }

  async waits(): Promise<void> {
    await this.#program.line('leadership', { leadership: 'standby' });
  }

  async end(how: 'released' | 'killed'): Promise<Lead> {
    const led = await this.#program.line('leadership', { leadership: 'leading' });
    this.#program.kill(how === 'released' ? 'SIGTERM' : 'SIGKILL');
    await this.#program.end();
    const now = Date.now();
    const told = this.#program.lines.find(({ line }) => line === 'the prober ends')?.ts;
    const until = how === 'killed' || told === undefined ? now : Date.parse(told);
    return { who: this.who, identity: String(led['holder']), from: Date.parse(led.ts), until, ended: how };
  }
}
