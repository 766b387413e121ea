import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import type { Dial } from '../../src/adapters/seed-client/undici-pool.ts';
import type { RoleName } from '../../src/domain/names.ts';
import {
  runRoleInProcess,
  type ConfigOf,
  type Hearer,
  type RunningRole,
  type TurnOf,
} from '../../src/commands/role/run-role-in-process.ts';
import type { Millis } from '../../src/domain/time.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { HastyClock } from '@dwd/testing/hasty-clock.ts';
import { HeardOutput } from './heard-output.ts';

export const noon = Date.parse('2026-11-21T12:00:00Z');

type NoteOf<Name extends RoleName> = TurnOf[Name]['notes'][number];

export type WatchedRoleParts = Readonly<{
  clock: HastyClock;
  seed: EmbeddedSeed;
  /** `--kube-api-qps` and `--kube-api-burst`. */
  rate: Readonly<{ qps: number; burst: number }>;
  seedNumber: number;
}>;

const token = 'of-the-role';

/**
 * An embedded seed and a real role in one process, speaking over HTTPS, on a clock that does not wait. The role must
 * never break its laws, whatever happens: if it does, `stop` fails.
 */
export abstract class WatchedRole<Name extends RoleName> {
  readonly clock: HastyClock;
  readonly seed: EmbeddedSeed;
  /** The turns of every process of the role that ran here, oldest first. */
  readonly turns: TurnOf[Name][] = [];
  readonly notices: StreamNotice[] = [];
  /** Of the logs of all of them. */
  readonly lines: string[] = [];
  /** Called after each turn was recorded, before its commands are carried out. */
  onTurn: (turn: TurnOf[Name]) => void = () => undefined;
  /** Where the role reaches the seed, once it is started; by default the seed itself. */
  line: Readonly<{ url: string }>;
  protected readonly states = new Map<string, TurnOf[Name]['to']>();
  readonly #name: Name;
  readonly #args: readonly string[];
  readonly #config: ConfigOf[Name];
  #seedNumber: number;
  #running: RunningRole | undefined;

  constructor(name: Name, config: ConfigOf[Name], { clock, seed, rate, seedNumber }: WatchedRoleParts) {
    this.#name = name;
    this.#config = config;
    this.clock = clock;
    this.seed = seed;
    this.line = seed.api;
    this.#args = [`--kube-api-qps=${rate.qps}`, `--kube-api-burst=${rate.burst}`];
    this.#seedNumber = seedNumber;
    seed.api.tokens.set(token, `system:serviceaccount:garden:dependency-watchdog-${name}`);
  }

  /** Whether a process of the role runs. */
  get runs(): boolean {
    return this.#running !== undefined;
  }

  /** Starts a process with an empty memory, and waits until it knows the seed. */
  async start(): Promise<void> {
    const { clock, line, seed } = this;
    let synced = false;
    const hear = (line: string): void => {
      this.lines.push(line);
      synced ||= line.includes('the first lists of the seed are in');
    };
    const running = runRoleInProcess(this.#name, {
      config: this.#config,
      seed: { server: line.url, token, ca: seed.api.certificates.ca },
      args: this.#args,
      surroundings: {
        clock,
        steady: clock,
        chance: seededChance((this.#seedNumber += 1)),
        output: new HeardOutput(hear),
        ...this.surroundings(),
      },
      hearer: {
        turn: (turn, tell) => {
          if (this.#running !== running) return;
          this.turns.push(turn);
          this.states.set(turn.subject, turn.to);
          this.onTurn(turn);
          tell();
        },
        hooks: { ...this.hooks(), onStreamNotice: (notice) => void this.notices.push(notice) },
      },
    });
    this.#running = running;
    void running.run();
    await this.until(() => synced || !this.runs, 60_000, `the ${this.#name} knows the seed`);
  }

  /** What the journal of the process that runs holds. */
  journal(): Iterable<Buffer> {
    return this.#running?.observed.journal.chapters() ?? [];
  }

  /** What the process that runs would answer on /metrics. */
  async metrics(): Promise<string> {
    return (await this.#running?.observed.metrics.text()) ?? '';
  }

  /** Ends as in a crash: waiting requests are never sent, sent ones are cut half-way, nothing is remembered. */
  crash(): void {
    this.#running?.end('crashed');
    this.#running = undefined;
  }

  /** Lets time pass until it is so. Fails if it is not so within this much time of the seed. */
  async until(isSo: () => boolean, within: Millis, what = 'what the test waits for'): Promise<void> {
    const came = await this.clock.passUntil(isSo, this.clock.now() + within);
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

  notesOf<Kind extends NoteOf<Name>['kind']>(kind: Kind): readonly Extract<NoteOf<Name>, { kind: Kind }>[] {
    const isIt = (note: NoteOf<Name>): note is Extract<NoteOf<Name>, { kind: Kind }> => note.kind === kind;
    return this.turns.flatMap(({ notes }) => (notes as readonly NoteOf<Name>[]).filter(isIt));
  }

  protected abstract hooks(): Hearer['hooks'];
  protected surroundings(): Readonly<{ dial?: Dial }> {
    return {};
  }
  protected abstract brokenLaws(): readonly string[];

  /** The last turns, for the reader of a failure. */
  #account(): string {
    const lines = this.turns.slice(-20).map((turn) => {
      const { at, event, from, to, commands, notes } = turn;
      const time = ((at - noon) / 1_000).toFixed(3);
      const did = [commands.map(({ type }) => type).join(','), JSON.stringify(notes)];
      return [time, turn.subject, JSON.stringify(event).slice(0, 300), `${from}→${to}`, ...did].join(' ');
    });
    return [...lines, ...this.lines.slice(-10)].join('\n');
  }
}
