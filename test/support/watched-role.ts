import { of, type Subscription } from 'rxjs';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { KubeClient } from '../../src/adapters/kube/kube-client.ts';
import type { Rate } from '../../src/adapters/seed-client/rate.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import type { Assembled, RoleName } from '../../src/commands/role/role.ts';
import type { SeedClientHooks } from '../../src/commands/role/seed-clients.ts';
import type { Millis } from '../../src/domain/time.ts';
import type { Chance } from '../../src/effects/ports.ts';
import type { Turn } from '../../src/effects/turn.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import { newToken } from '@dwd/simulator/store/names-by-chance.ts';
import type { HastyClock } from '@dwd/testing/hasty-clock.ts';
import { roleClient } from './role-client.ts';

export const noon = Date.parse('2026-11-21T12:00:00Z');

export type WatchedRoleParts = Readonly<{
  clock: HastyClock;
  seed: EmbeddedSeed;
  rate: Rate;
  seedNumber: number;
}>;

/**
 * An embedded seed and a real role in one process, speaking over HTTPS, on a clock that does not wait. The role must
 * never break its laws, whatever happens: if it does, `stop` fails.
 */
export abstract class WatchedRole<OwnTurn extends Turn> {
  readonly clock: HastyClock;
  readonly seed: EmbeddedSeed;
  /** The turns of every process of the role that ran here, oldest first. */
  readonly turns: OwnTurn[] = [];
  readonly notices: StreamNotice[] = [];
  /** Called after each turn was recorded, before its commands are carried out. */
  onTurn: (turn: OwnTurn) => void = () => undefined;
  /** Where the role reaches the seed, once it is started; by default the seed itself. */
  line: Readonly<{ url: string }>;
  protected readonly states = new Map<string, OwnTurn['to']>();
  readonly #name: RoleName;
  readonly #rate: Rate;
  readonly #token: string;
  #seedNumber: number;
  #running: Readonly<{ turns: Subscription; crash: () => void }> | undefined;
  #failed: unknown;

  constructor(name: RoleName, { clock, seed, rate, seedNumber }: WatchedRoleParts) {
    this.#name = name;
    this.clock = clock;
    this.seed = seed;
    this.line = seed.api;
    this.#rate = rate;
    this.#seedNumber = seedNumber;
    this.#token = newToken(seededChance(seedNumber));
    seed.api.tokens.set(this.#token, `system:serviceaccount:garden:dependency-watchdog-${name}`);
  }

  /** Whether a process of the role runs. */
  get runs(): boolean {
    return this.#running !== undefined;
  }

  /** Starts a process with an empty memory, and waits until it knows the seed. */
  async start(): Promise<void> {
    const { clock } = this;
    const parts = { clock, rate: this.#rate, hooks: this.hooks() };
    const { client, crash } = roleClient(this.seed, this.#token, parts, this.line.url);
    const role = this.assemble(client, seededChance((this.#seedNumber += 1)));
    let synced = false;
    const turns = role.turns(of(true)).subscribe({
      next: (turn) => {
        this.turns.push(turn);
        this.states.set(turn.subject, turn.to);
        this.onTurn(turn);
      },
      error: (error: unknown) => {
        this.#failed = error;
      },
    });
    turns.add(role.synced$.subscribe((is) => (synced ||= is)));
    this.#running = { turns, crash };
    await this.until(() => synced || !this.runs, 60_000, `the ${this.#name} knows the seed`);
  }

  /** Ends as in a crash: waiting requests are never sent, sent ones are cut half-way, nothing is remembered. */
  crash(): void {
    this.#running?.crash();
    this.#running?.turns.unsubscribe();
    this.#running = undefined;
  }

  /** Lets time pass until it is so. Fails if it is not so within this much time of the seed. */
  async until(isSo: () => boolean, within: Millis, what = 'what the test waits for'): Promise<void> {
    const isOver = () => this.#failed !== undefined || isSo();
    const came = await this.clock.passUntil(isOver, this.clock.now() + within);
    if (this.#failed !== undefined) throw new Error(`the ${this.#name} failed`, { cause: this.#failed });
    if (!came) throw new Error(`after ${within} ms it is not so: ${what}\n${this.#account()}`);
  }

  async pass(length: Millis): Promise<void> {
    const end = this.clock.now() + length;
    await this.until(() => this.clock.now() >= end, length + 1_000);
  }

  async stop(): Promise<void> {
    this.crash();
    await this.seed.stop();
    this.clock.stop();
    const broken = this.brokenLaws();
    if (broken.length > 0) throw new Error(`laws were broken: ${broken.join('; ')}\n${this.#account()}`);
    const bugs = this.turns.flatMap(({ event }) => (event.type === 'ended' && event.because === 'bug' ? [event] : []));
    if (bugs.length > 0) throw new Error(`machines failed: ${JSON.stringify(bugs)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  protected abstract assemble(client: KubeClient, chance: Chance): Assembled<OwnTurn>;
  protected abstract hooks(): Partial<SeedClientHooks>;
  protected abstract brokenLaws(): readonly string[];

  /** The last turns, for the reader of a failure. */
  #account(): string {
    const lines = this.turns.slice(-20).map((turn) => {
      const { at, event, from, to, commands, notes } = turn;
      const time = ((at - noon) / 1_000).toFixed(3);
      const did = [commands.map(({ type }) => type).join(','), JSON.stringify(notes)];
      return [time, turn.subject, JSON.stringify(event).slice(0, 300), `${from}→${to}`, ...did].join(' ');
    });
    return lines.join('\n');
  }
}
