import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { Dial } from '../../src/adapters/seed-client/undici-pool.ts';
import type { Held } from '../../src/adapters/seed-client/undici-kube-client.ts';
import type { Hearer } from '../../src/commands/role/run-role-in-process.ts';
import { serviceKey } from '../../src/domain/weeder/service-ref.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import type { Millis } from '../../src/domain/time.ts';
import { valueAt } from '../../src/domain/value-at.ts';
import type { WeederState } from '../../src/machines/weeder-language.ts';
import { startEmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { SeenRequest } from '@dwd/simulator/api/request-log.ts';
import { gardenerGrants } from '@dwd/testing/gardener-rbac.ts';
import { HastyClock } from '@dwd/testing/hasty-clock.ts';
import { PlainDependants } from '@dwd/testing/plain-dependants.ts';
import { heardDial } from './heard-output.ts';
import { noon, WatchedRole, type WatchedRoleParts } from './watched-role.ts';
import { gardenerConfig } from './watched-seed.ts';
import { WeededPods } from './judged-writes.ts';
import { gardenerWeederConfig } from '@dwd/testing/weeder-configs.ts';

export type WatchedWeederOptions = Readonly<{
  config?: WeederConfig;
  /** By default as Gardener sets them: not at all. */
  rate?: WatchedRoleParts['rate'];
  /** The seed number for everything that varies. */
  seedNumber?: number;
  /** How late a sleeper may wake; for a world of many control planes. */
  grain?: Millis;
  /** Waits to be started by the test. */
  later?: boolean;
}>;

/** A seed without shoots, and the weeder that watches it, unless the options say otherwise. It stops when it is disposed of. */
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
  const stage = new WatchedWeeder(config, { clock, seed, rate, seedNumber });
  if (options.later !== true) await stage.start();
  return stage;
}

/** A seed and the real weeder; see WatchedRole. */
export class WatchedWeeder extends WatchedRole<'weeder'> {
  readonly config: WeederConfig;
  readonly plain: PlainDependants;
  readonly weeded: WeededPods;
  /** Why each request was held, or `server` if the server answered 429. */
  readonly heldBack: (Held['by'] | 'server')[] = [];
  /** How the deletions of every weeder that ran here ended: the seed's status, or a word if there was none. */
  readonly deletionCodes: string[] = [];
  readonly #brokenByAsking: string[] = [];
  /** The uids of pods whose deletion the seed has answered. */
  readonly #taken = new Set<unknown>();

  constructor(config: WeederConfig, parts: WatchedRoleParts) {
    super('weeder', config, parts);
    const { clock, seed } = parts;
    this.config = config;
    this.plain = new PlainDependants(seed, clock);
    this.weeded = new WeededPods(seed, config, () => clock.now());
  }

  state(namespace: string, service: string): WeederState | undefined {
    return this.states.get(serviceKey({ namespace, service }));
  }

  /** `delete pods` and the like: what reached the seed since the last time, oldest first. */
  takeRequests(): readonly string[] {
    return this.seed.api.requests.take().map(said);
  }

  override async start(): Promise<void> {
    this.weeded.weederStarted();
    await super.start();
  }

  protected override hooks(): Hearer['hooks'] {
    return {
      onSeedRequest: ({ verb, code }) => {
        if (verb === 'delete') this.deletionCodes.push(code);
      },
      onRequestThrottled: () => void this.heldBack.push('server'),
      onRequestHeld: ({ by }) => void this.heldBack.push(by),
    };
  }

  /** SPEC 7.3: each deletion carries a uid, and the seed took at most one for each uid. */
  protected override brokenLaws(): readonly string[] {
    return [...this.weeded.broken, ...this.#brokenByAsking];
  }

  /** As over TLS, and looks at deletions. */
  protected override surroundings(): Readonly<{ dial: Dial }> {
    const dial = heardDial(({ method, path, body }) => {
      if (method !== 'DELETE') return {};
      const uid = valueAt(JSON.parse(typeof body === 'string' ? body : '{}'), 'preconditions', 'uid');
      if (typeof uid !== 'string' || uid === '') this.#brokenByAsking.push(`7.3 no uid: ${path}`);
      return {
        answered: (status, text) => {
          // Where the seed garbles its answer, nobody could know that it was taken.
          if (status !== 200 || !text.startsWith('{')) return;
          if (this.#taken.has(uid)) this.#brokenByAsking.push(`7.4 deleted twice: ${String(uid)}`);
          this.#taken.add(uid);
        },
      };
    });
    return { dial };
  }
}

export function said({ verb, resource }: SeenRequest): string {
  return `${verb} ${resource}`;
}
