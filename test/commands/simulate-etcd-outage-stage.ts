import {
  type ControlPlaneModel,
  firstControlPlanes,
  withObservation,
} from '../../src/commands/simulate/etcd-outage/control-plane-model.ts';
import { etcdTimeline } from '../../src/commands/simulate/etcd-outage/etcd-timeline.ts';
import {
  type DependantStage,
  type Observation,
  type Phase,
  type Side,
  sides,
  type Stage,
  type StageView,
} from '../../src/commands/simulate/etcd-outage/observation.ts';
import type { TimelineEntry } from '../../src/commands/simulate/story/screen.ts';
import type { WeederTurn } from '../../src/effects/turn.ts';

export const start = 1_790_000_000_000;
export const [one, two] = ['shoot--demo--01', 'shoot--demo--02'] as const;

const pods: Readonly<Record<Stage, number>> = { etcd: 1, apiServers: 2, controllers: 5 };

export function whole(stage: Stage): StageView {
  return { pods: pods[stage], ready: pods[stage], crashLooping: 0, backOffUntil: null };
}

/** All of it waits; until so many seconds after the start. */
export function waiting(stage: Stage, until: number): StageView {
  return { pods: pods[stage], ready: 0, crashLooping: pods[stage], backOffUntil: start + 1_000 * until };
}

/** Instants are given in seconds since the start. */
export class EtcdStage {
  model: ControlPlaneModel;
  readonly timeline: TimelineEntry[] = [];

  constructor(shoots: readonly string[] = [one, two]) {
    const views = { etcd: whole('etcd'), apiServers: whole('apiServers'), controllers: whole('controllers') };
    this.model = firstControlPlanes(start, new Map(shoots.map((shoot) => [shoot, { weeded: views, unaided: views }])));
  }

  see(seen: Observation): this {
    const before = this.model;
    this.model = withObservation(before, seen);
    this.timeline.push(...etcdTimeline(before, seen, this.model));
    return this;
  }

  phase(at: number, phase: Phase): this {
    return this.see({ type: 'phase', at: start + 1_000 * at, phase });
  }

  view(at: number, shoot: string, side: Side, stage: Stage, view: StageView): this {
    return this.see({ type: 'stage', at: start + 1_000 * at, shoot, side, stage, view });
  }

  serves(at: number, shoot: string, side: Side, stage: Stage, available: boolean): this {
    return this.see({ type: 'service', at: start + 1_000 * at, shoot, side, stage, available });
  }

  deletes(at: number, shoot: string, stage: DependantStage, rest: { since?: number; fault?: string } = {}): this {
    const { since = 0, fault = null } = rest;
    const waitingSince = start + 1_000 * since;
    return this.see({ type: 'deletion', at: start + 1_000 * at, shoot, stage, pod: 'pod-x', waitingSince, fault });
  }

  turn(at: number, shoot: string, rest: Partial<Pick<WeederTurn, 'event' | 'notes'>> = {}): this {
    const turn: WeederTurn = {
      kind: 'weeder',
      subject: `${shoot}/etcd-main-client`,
      seq: 1,
      at: start + 1_000 * at,
      event: { type: 'woken', at: start + 1_000 * at },
      from: 'recovering',
      to: 'recovering',
      commands: [],
      notes: [],
      before: undefined,
      after: undefined,
      ...rest,
    };
    return this.see({ type: 'turn', at: turn.at, turn });
  }

  tick(at: number, late: number): this {
    const requests = { all: 20, lists: 5, watches: 6, deletions: 8 };
    return this.see({ type: 'tick', at: start + 1_000 * at, late, requests });
  }

  /** etcd and all that needs it are gone, on either side. */
  fails(at: number, shoot: string): this {
    for (const side of sides) {
      this.serves(at, shoot, side, 'etcd', false).serves(at + 30, shoot, side, 'apiServers', false);
      this.view(at, shoot, side, 'etcd', waiting('etcd', at + 10));
      this.view(at + 30, shoot, side, 'apiServers', waiting('apiServers', at + 330));
      this.view(at + 40, shoot, side, 'controllers', waiting('controllers', at + 340));
    }
    return this;
  }

  /** etcd is back at `at`, its dependants so many seconds later. */
  returns(at: number, shoot: string, side: Side, apiServers: number, controllers: number): this {
    this.view(at, shoot, side, 'etcd', whole('etcd')).serves(at, shoot, side, 'etcd', true);
    if (side === 'weeded') this.deletes(at + 0.1, shoot, 'apiServers').deletes(at + 0.2, shoot, 'apiServers');
    this.serves(at + apiServers, shoot, side, 'apiServers', true);
    this.view(at + apiServers, shoot, side, 'apiServers', whole('apiServers'));
    if (side === 'weeded') this.deletes(at + apiServers + 0.3, shoot, 'controllers');
    return this.view(at + controllers, shoot, side, 'controllers', whole('controllers'));
  }

  words(): readonly string[] {
    return this.timeline.map(({ shoot = '-', text }) => `${shoot.replace('shoot--demo--', '')}: ${text}`);
  }
}

/** Two control planes, one of which is less lucky without the weeder. */
export function goodEtcdStory(): EtcdStage {
  return new EtcdStage()
    .phase(0, 'calm')
    .turn(1, one)
    .turn(1, two)
    .phase(10, 'outage')
    .fails(10, one)
    .fails(10, two)
    .phase(430, 'recovery')
    .tick(431, 40)
    .returns(435, one, 'weeded', 10, 15)
    .returns(436, two, 'weeded', 12, 19)
    .tick(500, 900)
    .returns(435, one, 'unaided', 250, 300)
    .returns(436, two, 'unaided', 270, 560)
    .phase(1_000, 'over')
    .tick(1_001, 5_000);
}
