import { join } from 'node:path';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import { readConfigFile } from '../../src/adapters/config/config-file.ts';
import type { RequestSeen } from '../../src/adapters/kube/kube-client.ts';
import { readProberConfig } from '../../src/domain/config/read-prober-config.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../src/domain/names.ts';
import type { Millis } from '../../src/domain/time.ts';
import type { Hearer } from '../../src/commands/role/run-role-in-process.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import type { ShootState } from '../../src/machines/shoot-language.ts';
import { startEmbeddedSeed, type EmbeddedSeedOptions } from '@dwd/simulator/embedded-seed.ts';
import type { Authorize } from '@dwd/simulator/api/access.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { DependantChanges } from './judged-writes.ts';
import { gardenerGrants } from '@dwd/testing/gardener-rbac.ts';
import { HastyClock } from '@dwd/testing/hasty-clock.ts';
import { noon, WatchedRole, type WatchedRoleParts } from './watched-role.ts';

export type WatchedSeedOptions = Partial<Omit<EmbeddedSeedOptions, 'clock' | 'chance'>> &
  Readonly<{
    /** `--kube-api-qps` and `--kube-api-burst`; by default as Gardener sets them. */
    rate?: WatchedRoleParts['rate'];
    /** The seed number for everything that varies. */
    seedNumber?: number;
    /** How late a sleeper may wake; for a world of many shoots. */
    grain?: Millis;
    /** Waits to be started by the test. */
    proberLater?: boolean;
  }>;

/** A prober that was a standby skips the delay: so in a test the first probe comes at once. */
const atOnce = { initialDelay: 0 };

/** As gardenlet writes it, with every default filled in. */
export async function gardenerConfig(): Promise<ProberConfig> {
  const path = join(import.meta.dirname, '../../deploy/base/prober/dep-config.yaml');
  const reading = await readConfigFile(path, (written) => readProberConfig(written, { strict: true }));
  if (!reading.ok) throw new Error('the configuration of Gardener cannot be read');
  return reading.config;
}

/** A seed with one shoot of five nodes, and the prober that watches it, unless the options say otherwise. It stops when it is disposed of. */
export async function watchedSeed(options: WatchedSeedOptions = {}): Promise<WatchedSeed> {
  const { rate = { qps: 20, burst: 100 }, seedNumber = 7, grain = 0, proberLater = false, ...more } = options;
  const clock = new HastyClock(noon, grain);
  const config = more.config ?? { ...(await gardenerConfig()), ...atOnce };
  const seed = await startEmbeddedSeed({
    clock,
    chance: seededChance(seedNumber),
    config,
    shoots: 1,
    nodes: 5,
    authorize: (asked) => gardenerGrants(asked),
    ...more,
  });
  for (const { api } of seed.shoots) api.permitOnly(shootGrants);
  const stage = new WatchedSeed(config, { clock, seed, rate, seedNumber });
  if (!proberLater) await stage.start();
  return stage;
}

/** A seed and the real prober; see WatchedRole. */
export class WatchedSeed extends WatchedRole<'prober'> {
  readonly config: ProberConfig;
  readonly seedRequests: RequestSeen[] = [];
  /** Codes of the answers of all shoots. */
  readonly shootCodes: string[] = [];
  readonly changes: DependantChanges;

  constructor(config: ProberConfig, parts: WatchedRoleParts) {
    super('prober', config, parts);
    const { clock, seed } = parts;
    this.config = config;
    this.changes = new DependantChanges(seed, config.dependants, () => clock.now());
  }

  /** The only shoot, or the one with that number, counted from 0. */
  shoot(index = 0): EmbeddedShoot {
    const shoot = this.seed.shoots[index];
    if (shoot === undefined) throw new Error(`there is no shoot ${index}`);
    return shoot;
  }

  /** Waits until the shoot is in this state. */
  async untilState(state: ShootState, within: Millis, index = 0): Promise<void> {
    await this.until(() => this.state(index) === state, within, `${this.shoot(index).name} is ${state}`);
  }

  state(index = 0): ShootState | undefined {
    return this.states.get(this.shoot(index).name);
  }

  /** Whether every shoot is in this state. */
  areAll(state: ShootState): boolean {
    return this.seed.shoots.every(({ name }) => this.states.get(name) === state);
  }

  turnsOf(shoot: ShootNamespace): readonly ShootTurn[] {
    return this.turns.filter((turn) => turn.subject === shoot);
  }

  /** How often a shoot was probed. */
  probes(index = 0): number {
    const turns = this.turnsOf(this.shoot(index).name);
    return turns.flatMap(({ commands }) => commands.filter(({ type }) => type === 'probe')).length;
  }

  /** The number of nodes that were marked, in all shoots. */
  get marks(): number {
    return this.seed.shoots.reduce((sum, { marks }) => sum + marks.length, 0);
  }

  protected override hooks(): Hearer['hooks'] {
    return {
      onSeedRequest: (seen) => void this.seedRequests.push(seen),
      onShootRequest: ({ code }) => void this.shootCodes.push(code),
    };
  }

  protected override brokenLaws(): readonly string[] {
    return this.changes.broken;
  }
}

/** What Gardener grants the probe in the shoot: no watch, and of the leases only the nodes'. */
const shootGrants: Authorize = ({ verb, group, resource, namespace }) =>
  resource === '/version' ||
  (['get', 'list'].includes(verb) &&
    (`${group}/${resource}` === '/nodes' ||
      (`${group}/${resource}` === 'coordination.k8s.io/leases' && namespace === 'kube-node-lease')));
