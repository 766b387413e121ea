import { of, type Subscription } from 'rxjs';
import { seededChance } from '../../src/adapters/chance.ts';
import type { KubeClient, KubeRequest } from '../../src/adapters/kube-client.ts';
import { KubeError } from '../../src/adapters/kube-error.ts';
import type { RateFlags } from '../../src/adapters/seed/rate-limit.ts';
import type { ThrottledBy } from '../../src/adapters/seed/undici-kube-client.ts';
import type { StreamNotice } from '../../src/adapters/seed-watch/stream-notice.ts';
import { assembleWeeder } from '../../src/commands/weeder/assemble-weeder.ts';
import { serviceKey, type ServiceKey } from '../../src/domain/weeder/service-ref.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import type { Millis } from '../../src/domain/time.ts';
import { valueAt } from '../../src/domain/value-at.ts';
import type { WeederTurn } from '../../src/effects/turn.ts';
import type { WeederNote, WeederState } from '../../src/machines/weeder-language.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../../src/simulator/embedded-seed.ts';
import { newToken } from '../../src/simulator/names-by-chance.ts';
import type { SeenRequest } from '../../src/simulator/request-log.ts';
import { gardenerGrants } from './gardener-grants.ts';
import { HastyClock } from './hasty-clock.ts';
import { PlainDependants } from './plain-dependants.ts';
import { roleClient } from './role-client.ts';
import { gardenerConfig } from './watched-seed.ts';
import { WeededPods } from './weeded-pods.ts';
import { gardenerWeederConfig } from './weeder-configs.ts';

export type WatchedWeederOptions = Readonly<{
  config?: WeederConfig;
  /** As Gardener sets them unless told: not at all. */
  rate?: RateFlags;
  /** Of everything that varies. */
  seedNumber?: number;
  /** How late anybody may wake; for a world of many control planes. */
  grain?: Millis;
  /** Waits to be started by the test. */
  later?: boolean;
}>;

/** A deletion as the weeder asked for it: `code` is the seed's status, or a word where it had none. */
export type AskedDeletion = Readonly<{ path: string; uid: unknown; code: string }>;

const noon = Date.parse('2026-11-21T12:00:00Z');

/** A seed without shoots, and the weeder that watches it, unless told otherwise; stops when it is disposed of. */
export async function watchedWeeder(options: WatchedWeederOptions = {}): Promise<WatchedWeeder> {
  const { config = gardenerWeederConfig, rate = { qps: 5, burst: 10 }, seedNumber = 7, grain = 0 } = options;
  const clock = new HastyClock(noon, grain);
  const seed = await startEmbeddedSeed({
    clock,
    chance: seededChance(seedNumber),
    config: await gardenerConfig(),
    shoots: 0,
    nodes: 0,
    authorize: (asked) => gardenerGrants(asked, 'weeder'),
  });
  const stage = new WatchedWeeder(clock, seed, config, rate, seedNumber);
  if (options.later !== true) await stage.start();
  return stage;
}

/**
 * An embedded seed and the real weeder in one process, speaking over HTTPS, on a clock that does not wait. What the
 * weeder may never do, whatever happens, makes `stop` fail.
 */
export class WatchedWeeder {
  readonly clock: HastyClock;
  readonly seed: EmbeddedSeed;
  readonly config: WeederConfig;
  readonly plain: PlainDependants;
  readonly weeded: WeededPods;
  /** Of every weeder that ran here, oldest first. */
  readonly turns: WeederTurn[] = [];
  readonly notices: StreamNotice[] = [];
  readonly throttled: ThrottledBy[] = [];
  /** Of every weeder that ran here, in the order in which they were answered. */
  readonly asked: AskedDeletion[] = [];
  /** Called after each turn was kept, before its commands are carried out. */
  onTurn: (turn: WeederTurn) => void = () => undefined;
  readonly #states = new Map<ServiceKey, WeederState>();
  readonly #rate: RateFlags;
  readonly #token: string;
  #seedNumber: number;
  #running: Readonly<{ turns: Subscription; crash: () => void }> | undefined;
  #failed: unknown;

  constructor(clock: HastyClock, seed: EmbeddedSeed, config: WeederConfig, rate: RateFlags, seedNumber: number) {
    this.clock = clock;
    this.seed = seed;
    this.config = config;
    this.#rate = rate;
    this.#seedNumber = seedNumber;
    this.plain = new PlainDependants(seed, clock);
    this.weeded = new WeededPods(seed, config, () => clock.now());
    this.#token = newToken(seededChance(seedNumber));
    seed.api.tokens.set(this.#token, 'system:serviceaccount:garden:dependency-watchdog-weeder');
  }

  /** Whether a weeder runs. */
  get runs(): boolean {
    return this.#running !== undefined;
  }

  /** A weeder with an empty memory; waits until it knows the seed. */
  async start(): Promise<void> {
    const { clock, config } = this;
    const told = {
      seedRequest: () => undefined,
      seedThrottled: (by: ThrottledBy) => void this.throttled.push(by),
      credentials: () => undefined,
      stream: (notice: StreamNotice) => void this.notices.push(notice),
    };
    const { client, crash } = roleClient(this.seed, this.#token, { clock, rate: this.#rate, told });
    const chance = seededChance((this.#seedNumber += 1));
    const weeder = assembleWeeder({ clock, chance, config, client: this.#noting(client), told });
    let synced = false;
    this.weeded.weederStarted();
    const turns = weeder.turns(of(true)).subscribe({
      next: (turn) => {
        this.turns.push(turn);
        this.#states.set(turn.service, turn.to);
        this.onTurn(turn);
      },
      error: (error: unknown) => {
        this.#failed = error;
      },
    });
    turns.add(weeder.synced$.subscribe((is) => (synced ||= is)));
    this.#running = { turns, crash };
    await this.until(() => synced || !this.runs, 60_000, 'the weeder knows the seed');
  }

  /** As a crash: what waits is never sent, what was sent is cut half-way, nothing is remembered. */
  crash(): void {
    this.#running?.crash();
    this.#running?.turns.unsubscribe();
    this.#running = undefined;
  }

  /** Lets time pass until it is so; fails where it is not within so much time of the seed. */
  async until(isSo: () => boolean, within: Millis, what = 'what the test waits for'): Promise<void> {
    const isOver = () => this.#failed !== undefined || isSo();
    const came = await this.clock.passUntil(isOver, this.clock.now() + within);
    if (this.#failed !== undefined) throw new Error('the weeder failed', { cause: this.#failed });
    if (!came) throw new Error(`after ${within} ms it is not so: ${what}\n${this.#account()}`);
  }

  async pass(length: Millis): Promise<void> {
    const end = this.clock.now() + length;
    await this.until(() => this.clock.now() >= end, length + 1_000);
  }

  state(namespace: string, service: string): WeederState | undefined {
    return this.#states.get(serviceKey({ namespace, service }));
  }

  notesOf<Kind extends WeederNote['kind']>(kind: Kind): readonly Extract<WeederNote, { kind: Kind }>[] {
    return this.turns.flatMap(({ notes }) => notes.filter((note) => isKind(note, kind)));
  }

  /** `delete pods` and the like: what reached the seed since the last time, oldest first. */
  takeRequests(): readonly string[] {
    return this.seed.api.requests.take().map(said);
  }

  async stop(): Promise<void> {
    this.crash();
    await this.seed.stop();
    this.clock.stop();
    const broken = [...this.weeded.broken, ...this.#brokenByAsking()];
    if (broken.length > 0) throw new Error(`laws were broken: ${broken.join('; ')}\n${this.#account()}`);
    const bugs = this.turns.flatMap(({ event }) => (event.type === 'ended' && event.because === 'bug' ? [event] : []));
    if (bugs.length > 0) throw new Error(`machines failed: ${JSON.stringify(bugs)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** SPEC 7.3: each bears a uid, and of each uid at most one was taken by the seed. */
  #brokenByAsking(): readonly string[] {
    const bare = this.asked.filter(({ uid }) => typeof uid !== 'string' || uid === '');
    const taken = this.asked.filter(({ code }) => code === '200').map(({ uid }) => uid);
    const twice = taken.filter((uid, index) => taken.indexOf(uid) !== index);
    return [
      ...bare.map(({ path }) => `7.3 no uid: ${path}`),
      ...twice.map((uid) => `7.4 deleted twice: ${String(uid)}`),
    ];
  }

  #noting(client: KubeClient): KubeClient {
    const note = ({ method, path, body }: KubeRequest, code: string) => {
      if (method === 'DELETE') this.asked.push({ path, uid: valueAt(body, 'preconditions', 'uid'), code });
    };
    return {
      lines: (request) => client.lines(request),
      async request(request) {
        try {
          const answer = await client.request(request);
          note(request, '200');
          return answer;
        } catch (error) {
          note(request, error instanceof KubeError ? String(error.status || error.kind) : 'bug');
          throw error;
        }
      },
    };
  }

  /** The last turns, for whoever reads a failure. */
  #account(): string {
    return this.turns
      .slice(-20)
      .map(({ at, service, event, from, to, commands, notes }) =>
        [
          ((at - noon) / 1_000).toFixed(3),
          service,
          JSON.stringify(event),
          `${from}→${to}`,
          commands.map(({ type }) => type),
          JSON.stringify(notes),
        ].join(' '),
      )
      .join('\n');
  }
}

export function said({ verb, resource }: SeenRequest): string {
  return `${verb} ${resource}`;
}

function isKind<Kind extends WeederNote['kind']>(
  note: WeederNote,
  kind: Kind,
): note is Extract<WeederNote, { kind: Kind }> {
  return note.kind === kind;
}
