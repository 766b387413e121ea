import { join } from 'node:path';
import { of, type Subscription } from 'rxjs';
import { seededChance } from '../../src/adapters/chance.ts';
import { readConfigFile } from '../../src/adapters/config-file.ts';
import type { RequestSeen } from '../../src/adapters/kube-client.ts';
import type { RateFlags } from '../../src/adapters/seed/rate-limit.ts';
import type { StreamNotice } from '../../src/adapters/seed-watch/stream-notice.ts';
import { assembleProber } from '../../src/commands/prober/assemble-prober.ts';
import { readProberConfig } from '../../src/domain/config/read-prober-config.ts';
import type { ProberConfig } from '../../src/domain/prober-config.ts';
import type { ShootNamespace } from '../../src/domain/shoot-namespace.ts';
import type { Millis } from '../../src/domain/time.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import type { Note, ShootState } from '../../src/machines/shoot-language.ts';
import { startEmbeddedSeed, type EmbeddedSeed, type EmbeddedSeedOptions } from '../../src/simulator/embedded-seed.ts';
import type { Authorize } from '../../src/simulator/authorize.ts';
import type { EmbeddedShoot } from '../../src/simulator/embedded-shoot.ts';
import { newToken } from '../../src/simulator/names-by-chance.ts';
import { DependantChanges } from './dependant-changes.ts';
import { gardenerGrants } from './gardener-grants.ts';
import { HastyClock } from './hasty-clock.ts';
import { roleClient } from './role-client.ts';

export type WatchedSeedOptions = Partial<Omit<EmbeddedSeedOptions, 'clock' | 'chance'>> &
  Readonly<{
    /** `--kube-api-qps` and `--kube-api-burst`; as Gardener sets them unless told. */
    rate?: RateFlags;
    /** Of everything that varies. */
    seedNumber?: number;
    /** How late anybody may wake; for a world of many shoots. */
    grain?: Millis;
    /** Waits to be started by the test. */
    proberLater?: boolean;
    /** `GROUP/RESOURCE` that the prober may do anything with, beside what Gardener grants. */
    grants?: readonly string[];
  }>;

const noon = Date.parse('2026-11-21T12:00:00Z');

/** What a standby would give for free: in a test the first probe comes at once. */
const atOnce = { initialDelay: 0 };

/** As gardenlet writes it, with every default filled in. */
export async function gardenerConfig(): Promise<ProberConfig> {
  const path = join(import.meta.dirname, 'gardener-prober.yaml');
  const reading = await readConfigFile(path, (written) => readProberConfig(written, { strict: true }));
  if (!reading.ok) throw new Error('the configuration of Gardener cannot be read');
  return reading.config;
}

/** A seed with one shoot of five nodes, and the prober that watches it, unless told otherwise; stops when it is disposed of. */
export async function watchedSeed(options: WatchedSeedOptions = {}): Promise<WatchedSeed> {
  const {
    rate = { qps: 20, burst: 100 },
    seedNumber = 7,
    grain = 0,
    proberLater = false,
    grants = [],
    ...more
  } = options;
  const clock = new HastyClock(noon, grain);
  const config = more.config ?? { ...(await gardenerConfig()), ...atOnce };
  const seed = await startEmbeddedSeed({
    clock,
    chance: seededChance(seedNumber),
    config,
    shoots: 1,
    nodes: 5,
    authorize: (asked) => gardenerGrants(asked) || grants.includes(`${asked.group}/${asked.resource}`),
    ...more,
  });
  for (const { api } of seed.shoots) api.authorize = shootGrants;
  const stage = new WatchedSeed(clock, seed, config, rate, seedNumber);
  if (!proberLater) await stage.startProber();
  return stage;
}

/**
 * An embedded seed and the real prober in one process, speaking over HTTPS, on a clock that does not wait. What the
 * prober may never do, whatever happens, makes `stop` fail.
 */
export class WatchedSeed {
  readonly clock: HastyClock;
  readonly seed: EmbeddedSeed;
  readonly config: ProberConfig;
  /** Of every prober that ran here, oldest first. */
  readonly turns: ShootTurn[] = [];
  readonly seedRequests: RequestSeen[] = [];
  /** Codes of the answers of all shoots. */
  readonly shootCodes: string[] = [];
  readonly notices: StreamNotice[] = [];
  readonly changes: DependantChanges;
  /** Called after each turn was kept, before its commands are carried out. */
  onTurn: (turn: ShootTurn) => void = () => undefined;
  readonly #states = new Map<ShootNamespace, ShootState>();
  readonly #rate: RateFlags;
  readonly #token: string;
  #seedNumber: number;
  #running: Readonly<{ turns: Subscription; crash: () => void }> | undefined;
  #failed: unknown;

  constructor(clock: HastyClock, seed: EmbeddedSeed, config: ProberConfig, rate: RateFlags, seedNumber: number) {
    this.clock = clock;
    this.seed = seed;
    this.config = config;
    this.#rate = rate;
    this.#seedNumber = seedNumber;
    this.changes = new DependantChanges(seed, config.dependants, () => clock.now());
    this.#token = newToken(seededChance(seedNumber));
    seed.api.tokens.set(this.#token, 'system:serviceaccount:garden:dependency-watchdog-prober');
  }

  /** The only one, or the one of that number from 0. */
  shoot(index = 0): EmbeddedShoot {
    const shoot = this.seed.shoots[index];
    if (shoot === undefined) throw new Error(`there is no shoot ${index}`);
    return shoot;
  }

  /** Whether a prober runs. */
  get runs(): boolean {
    return this.#running !== undefined;
  }

  /** A prober with an empty memory; waits until it knows the seed. */
  async startProber(): Promise<void> {
    const { clock, config } = this;
    const told = {
      seedRequest: (seen: RequestSeen) => void this.seedRequests.push(seen),
      seedThrottled: () => undefined,
      credentials: () => undefined,
      shootRequest: ({ code }: Readonly<{ code: string }>) => void this.shootCodes.push(code),
      stream: (notice: StreamNotice) => void this.notices.push(notice),
    };
    const { client, crash } = roleClient(this.seed, this.#token, { clock, rate: this.#rate, told });
    const chance = seededChance((this.#seedNumber += 1));
    const prober = assembleProber({ clock, chance, config, client, told });
    let synced = false;
    const turns = prober.turns(of(true)).subscribe({
      next: (turn) => {
        this.turns.push(turn);
        this.#states.set(turn.shoot, turn.to);
        this.onTurn(turn);
      },
      error: (error: unknown) => {
        this.#failed = error;
      },
    });
    turns.add(prober.synced$.subscribe((is) => (synced ||= is)));
    this.#running = { turns, crash };
    await this.until(() => synced || !this.runs, 60_000, 'the prober knows the seed');
  }

  /** As a crash: what waits is never sent, what was sent is cut half-way, nothing is remembered. */
  crashProber(): void {
    this.#running?.crash();
    this.#running?.turns.unsubscribe();
    this.#running = undefined;
  }

  /** Lets time pass until it is so; fails where it is not within so much time of the seed. */
  async until(isSo: () => boolean, within: Millis, what = 'what the test waits for'): Promise<void> {
    const isOver = () => this.#failed !== undefined || isSo();
    const came = await this.clock.passUntil(isOver, this.clock.now() + within);
    if (this.#failed !== undefined) throw new Error('the prober failed', { cause: this.#failed });
    if (!came) throw new Error(`after ${within} ms it is not so: ${what}\n${this.#account()}`);
  }

  /** Until the shoot is in this state. */
  async untilState(state: ShootState, within: Millis, index = 0): Promise<void> {
    await this.until(() => this.state(index) === state, within, `${this.shoot(index).name} is ${state}`);
  }

  async pass(length: Millis): Promise<void> {
    const end = this.clock.now() + length;
    await this.until(() => this.clock.now() >= end, length + 1_000);
  }

  state(index = 0): ShootState | undefined {
    return this.#states.get(this.shoot(index).name);
  }

  /** Whether every shoot is in this state. */
  areAll(state: ShootState): boolean {
    return this.seed.shoots.every(({ name }) => this.#states.get(name) === state);
  }

  turnsOf(shoot: ShootNamespace): readonly ShootTurn[] {
    return this.turns.filter((turn) => turn.shoot === shoot);
  }

  notesOf<Kind extends Note['kind']>(kind: Kind): readonly Extract<Note, { kind: Kind }>[] {
    return this.turns.flatMap(({ notes }) => notes.flatMap((note) => (isKind(note, kind) ? [note] : [])));
  }

  /** How often a shoot was probed. */
  probes(index = 0): number {
    const turns = this.turnsOf(this.shoot(index).name);
    return turns.flatMap(({ commands }) => commands.filter(({ type }) => type === 'probe')).length;
  }

  /** Nodes that were marked, in all shoots. */
  get marks(): number {
    return this.seed.shoots.reduce((sum, { marks }) => sum + marks.length, 0);
  }

  async stop(): Promise<void> {
    this.crashProber();
    await this.seed.stop();
    this.clock.stop();
    if (this.changes.broken.length > 0) throw new Error(`laws were broken: ${this.changes.broken.join('; ')}`);
    const bugs = this.turns.flatMap(({ event }) => (event.type === 'ended' && event.because === 'bug' ? [event] : []));
    if (bugs.length > 0) throw new Error(`machines failed: ${JSON.stringify(bugs)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** The last turns, for whoever reads a failure. */
  #account(): string {
    return this.turns
      .slice(-20)
      .map(({ at, shoot, event, from, to, commands, notes }) =>
        [
          ((at - noon) / 1_000).toFixed(3),
          shoot,
          event.type,
          `${from}→${to}`,
          commands.map(({ type }) => type),
          JSON.stringify(notes),
        ].join(' '),
      )
      .join('\n');
  }
}

/** What Gardener grants the probe in the shoot: no watch, and of the leases only the nodes'. */
const shootGrants: Authorize = ({ verb, group, resource, namespace }) =>
  resource === '/version' ||
  (['get', 'list'].includes(verb) &&
    (`${group}/${resource}` === '/nodes' ||
      (`${group}/${resource}` === 'coordination.k8s.io/leases' && namespace === 'kube-node-lease')));

function isKind<Kind extends Note['kind']>(note: Note, kind: Kind): note is Extract<Note, { kind: Kind }> {
  return note.kind === kind;
}
