import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { KubeClient, KubeRequest } from '../../src/adapters/kube/kube-client.ts';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import type { Rate } from '../../src/adapters/seed-client/rate.ts';
import type { Held } from '../../src/adapters/seed-client/undici-kube-client.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import type { Assembled } from '../../src/commands/role/role.ts';
import type { SeedClientHooks } from '../../src/commands/role/seed-clients.ts';
import { assembleWeeder } from '../../src/commands/role/assemble-weeder.ts';
import { serviceKey } from '../../src/domain/weeder/service-ref.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import type { Millis } from '../../src/domain/time.ts';
import { valueAt } from '../../src/domain/value-at.ts';
import type { Chance } from '../../src/effects/ports.ts';
import type { WeederTurn } from '../../src/effects/turn.ts';
import type { WeederNote, WeederState } from '../../src/machines/weeder-language.ts';
import { startEmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { SeenRequest } from '@dwd/simulator/api/request-log.ts';
import { gardenerGrants } from '@dwd/testing/gardener-grants.ts';
import { HastyClock } from '@dwd/testing/hasty-clock.ts';
import { PlainDependants } from '@dwd/testing/plain-dependants.ts';
import { noon, WatchedRole, type WatchedRoleParts } from './watched-role.ts';
import { gardenerConfig } from './watched-seed.ts';
import { WeededPods } from './weeded-pods.ts';
import { gardenerWeederConfig } from '@dwd/testing/weeder-configs.ts';

export type WatchedWeederOptions = Readonly<{
  config?: WeederConfig;
  /** By default as Gardener sets them: not at all. */
  rate?: Rate;
  /** The seed number for everything that varies. */
  seedNumber?: number;
  /** How late a sleeper may wake; for a world of many control planes. */
  grain?: Millis;
  /** Waits to be started by the test. */
  later?: boolean;
}>;

/** A deletion as the weeder asked for it: `code` is the seed's status, or a word if there was none. */
export type AskedDeletion = Readonly<{ path: string; uid: unknown; code: string }>;

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
export class WatchedWeeder extends WatchedRole<WeederTurn> {
  readonly config: WeederConfig;
  readonly plain: PlainDependants;
  readonly weeded: WeededPods;
  /** Why each request was held, or `server` if the server answered 429. */
  readonly heldBack: (Held['by'] | 'server')[] = [];
  /** The deletions of every weeder that ran here, in the order of their answers. */
  readonly asked: AskedDeletion[] = [];

  constructor(config: WeederConfig, parts: WatchedRoleParts) {
    super('weeder', parts);
    const { clock, seed } = parts;
    this.config = config;
    this.plain = new PlainDependants(seed, clock);
    this.weeded = new WeededPods(seed, config, () => clock.now());
  }

  state(namespace: string, service: string): WeederState | undefined {
    return this.states.get(serviceKey({ namespace, service }));
  }

  notesOf<Kind extends WeederNote['kind']>(kind: Kind): readonly Extract<WeederNote, { kind: Kind }>[] {
    return this.turns.flatMap(({ notes }) => notes.filter((note) => isKind(note, kind)));
  }

  /** `delete pods` and the like: what reached the seed since the last time, oldest first. */
  takeRequests(): readonly string[] {
    return this.seed.api.requests.take().map(said);
  }

  protected override assemble(client: KubeClient, chance: Chance): Assembled<WeederTurn> {
    const { clock, config } = this;
    const hooks = { onStreamNotice: (notice: StreamNotice) => void this.notices.push(notice) };
    this.weeded.weederStarted();
    return assembleWeeder({ clock, chance, config, client: this.#noting(client), hooks });
  }

  protected override hooks(): Partial<SeedClientHooks> {
    return {
      onRequestThrottled: () => void this.heldBack.push('server'),
      onRequestHeld: ({ by }) => void this.heldBack.push(by),
    };
  }

  protected override brokenLaws(): readonly string[] {
    return [...this.weeded.broken, ...this.#brokenByAsking()];
  }

  /** SPEC 7.3: each deletion carries a uid, and the seed took at most one for each uid. */
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
      pieces: (request) => client.pieces(request),
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
