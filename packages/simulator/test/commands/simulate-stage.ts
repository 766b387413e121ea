import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEVER } from 'rxjs';
import { dependantEvent, phaseEvent, shootTurnEvent } from '../../commands/simulate/network-outage/network-events.ts';
import { markEvents, replaceEvents } from '../../commands/simulate/network-outage/meltdown-events.ts';
import {
  begunModel,
  type DependantView,
  type NetworkModel,
  type NetworkOptions,
  type Phase,
  type ProbeCost,
  type Threat,
} from '../../commands/simulate/network-outage/network-model.ts';
import { networkWords } from '../../commands/simulate/network-outage/network-words.ts';
import type { TimelineEntry } from '../../commands/simulate/story/screen.ts';
import { missedEvent, remarkEvent, type StoryEvent, type StoryState } from '../../commands/simulate/story/story.ts';
import { lineText } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { firstContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { ShootNote, ShootState } from 'dependency-watchdog/machines/shoot-language.ts';
import {
  autoscaler,
  controllerManager,
  gardenerConfig,
  machineController,
  twoPathConfig,
} from '@dwd/testing/prober-configs.ts';

export const start = 1_790_000_000_000;
export const kcm: DependantKey = controllerManager.key;
export const mcm: DependantKey = machineController.key;
const ca: DependantKey = autoscaler.key;

export function up(replicas: number, rest: Partial<DependantView> = {}): DependantView {
  return { replicas, readyReplicas: replicas, marked: false, ignored: false, ...rest };
}

export function down(record: number): DependantView {
  return { replicas: 0, readyReplicas: 0, marked: true, record: String(record), ignored: false };
}

/** What was seen of a story. Instants are given in seconds since the start. */
export abstract class SeenStory<Model extends StoryState<unknown, unknown>> {
  abstract model: Model;
  readonly timeline: TimelineEntry[] = [];

  see({ entries = [] }: StoryEvent): this {
    this.timeline.push(...entries);
    return this;
  }

  missed(what: string): this {
    return this.see(missedEvent(this.model, start, what));
  }

  remark(text: string): this {
    return this.see(remarkEvent(start, text));
  }

  words(): readonly string[] {
    return this.timeline.map(({ shoot = '-', text }) => `${shoot.replace('shoot--demo--', '')}: ${text}`);
  }
}

export class SeenNetwork extends SeenStory<NetworkModel> {
  model: NetworkModel;

  constructor(shoots = 2, twoPaths = false, hasTwin = false) {
    super();
    const names = Array.from({ length: shoots }, (_, index) => `shoot--demo--${String(index + 1).padStart(2, '0')}`);
    const views = new Map([
      [kcm, up(2)],
      [mcm, up(1)],
      [ca, up(1)],
    ] as const);
    this.model = begunModel(
      start,
      new Map(names.map((name) => [name, views])),
      twoPaths,
      undefined,
      hasTwin ? views : undefined,
    );
  }

  phase(at: number, phase: Phase, threats: Record<string, Threat> = {}, unasked: readonly string[] = []): this {
    const begins = { phase, threats: new Map(Object.entries(threats)), unasked };
    return this.see(phaseEvent(this.model, start + 1_000 * at, begins));
  }

  turn(
    at: number,
    shoot: string,
    to: ShootState,
    rest: Partial<Pick<ShootTurn, 'from' | 'commands' | 'notes' | 'event'>> & { cost?: ProbeCost } = {},
  ): this {
    const { cost, ...others } = rest;
    const turn: ShootTurn = {
      kind: 'shoot',
      subject: shoot,
      seq: 1,
      at: start + 1_000 * at,
      event: { type: 'woken', at: start + 1_000 * at },
      from: this.model.rows.get(shoot)?.state,
      to,
      commands: [],
      notes: [],
      before: undefined,
      after: { value: to, context: this.#knows(shoot) },
      ...others,
    };
    return this.see(shootTurnEvent(this.model, turn, cost));
  }

  /** What a machine remembers of a shoot that was judged, and of which nothing is down. */
  #knows(shoot: string): NonNullable<ShootTurn['after']>['context'] {
    const config = this.model.twoPaths ? twoPathConfig : gardenerConfig;
    const context = firstContext({ shoot, config, followed: false, chance: 0 });
    return { ...context, streak: { of: 'connected', count: 1 } };
  }

  dependant(at: number, shoot: string, key: DependantKey, view: DependantView): this {
    return this.see(dependantEvent(this.model, start + 1_000 * at, { shoot, key, view }));
  }

  /** Every dependant of a shoot at once. */
  all(at: number, shoot: string, view: (before: number) => DependantView): this {
    for (const [key, { before }] of this.model.rows.get(shoot)!.dependants)
      this.dependant(at, shoot, key, view(before));
    return this;
  }

  mark(shoot: string, node: string): this {
    for (const event of markEvents(this.model, start, shoot, [node])) this.see(event);
    return this;
  }

  replace(shoot: string, ...nodes: readonly string[]): this {
    for (const event of replaceEvents(this.model, start, shoot, nodes)) this.see(event);
    return this;
  }

  /** Another outage is about to begin; everything is as the last one left it. */
  another(at: number): this {
    const views = [...this.model.rows].map(
      ([shoot, { dependants }]) =>
        [shoot, new Map([...dependants].map(([key, { now }]) => [key, now] as const))] as const,
    );
    this.model = begunModel(start + 1_000 * at, new Map(views), false, this.model);
    return this;
  }

  /** What a screen of this size shows, some seconds after the start. `age`: of each shoot's oldest lease, in seconds. */
  shown(
    at: number,
    columns: number,
    rows: number,
    age = (shoot: string): number => (shoot.endsWith('01') ? 31.4 : 7.9),
  ) {
    const now = start + 1_000 * at;
    const oldestRenewal = (shoot: string) => now - 1_000 * age(shoot);
    const clock = { now: () => now, wakeAt: () => NEVER };
    const words = networkWords({ ...options, clock }, { model: () => this.model, oldestRenewal });
    return words.picture(this.timeline, { columns, rows }).map((line) => lineText(line, columns, false));
  }
}

export const options: NetworkOptions = {
  seedNumber: 7,
  speed: 4,
  shoots: 100,
  nodes: 5,
  configName: 'FILE',
  clock: { now: () => start, wakeAt: () => NEVER },
  again: '',
  places: {
    kubeconfig: join(tmpdir(), 'dependency-watchdog-abcdef', 'kubeconfig.yaml'),
    metrics: 'http://127.0.0.1:65535/metrics',
    health: 'http://127.0.0.1:65535',
    journal: 'http://127.0.0.1:65535/journal',
    inspector: 'http://127.0.0.1:65535/',
  },
  keep: true,
  keys: true,
  config: gardenerConfig,
};

export function verdict(kind: 'cutOff' | 'connected' | 'tooFew', expired: number, looked = true): ShootNote {
  return { kind: 'verdict', verdict: kind, expired, candidates: 5, looked };
}

/** In the older generation (SPEC 4.9). */
export function pathVerdict(kind: 'cutOff' | 'connected', count: number): ShootNote {
  if (kind === 'connected') return { kind: 'verdict', verdict: kind, external: { count, of: 1 } };
  return { kind: 'verdict', verdict: kind, external: { count, of: 3 }, reason: 'timeout' };
}

export const healthy = { notes: [verdict('connected', 0, false)] } as const;

export function scale(key: DependantKey, from: number, to: number): ShootTurn['commands'][number] {
  const { ref } = gardenerConfig.dependants.find((one) => one.key === key)!;
  return {
    type: 'scale',
    params: {
      number: 1,
      key,
      ref,
      seen: {
        found: true,
        resourceVersion: '1',
        replicas: from,
        readyReplicas: from,
        observed: true,
        marked: false,
        ignored: false,
      },
      change: { replicas: to },
      urgent: to === 0,
    },
  };
}

/** A whole story of two shoots, of which the first is cut off; nothing goes wrong. */
export function goodStory(): SeenNetwork {
  const [one, two] = ['shoot--demo--01', 'shoot--demo--02'];
  const cost = { connections: 1, shootRequests: 2, seedRequests: 0 };
  return new SeenNetwork()
    .phase(0, 'calm')
    .turn(1, one, 'probing')
    .turn(1, two, 'probing')
    .turn(30, one, 'probing', { ...healthy, cost })
    .turn(31, two, 'probing', { ...healthy, cost })
    .phase(50, 'outage', { [one]: { crossedAt: start + 75_000, firstMarkAt: start + 84_000 } })
    .turn(75.1, one, 'scalingDown', { notes: [verdict('cutOff', 3)], commands: [scale(mcm, 1, 0), scale(ca, 1, 0)] })
    .dependant(75.5, one, mcm, down(1))
    .dependant(75.5, one, ca, down(1))
    .turn(75.6, one, 'scalingDown', { commands: [scale(kcm, 2, 0)] })
    .dependant(75.6, one, kcm, { replicas: 0, readyReplicas: 2, marked: true, record: '2', ignored: false })
    .dependant(76, one, kcm, down(2))
    .turn(76, one, 'scaledDown', {
      notes: [{ kind: 'shielded', crossedAt: start + 75_000, firstMarkAt: start + 84_000 }],
    })
    .phase(105, 'healing')
    .turn(120, one, 'scalingUp', { notes: [verdict('connected', 1)], commands: [scale(kcm, 0, 2)] })
    .dependant(123, one, kcm, up(2))
    .dependant(155, one, mcm, up(1))
    .dependant(158, one, ca, up(1))
    .turn(158, one, 'probing')
    .phase(162, 'over');
}
