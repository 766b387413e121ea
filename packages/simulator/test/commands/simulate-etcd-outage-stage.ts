import {
  begunControlPlanes,
  byStage,
  type ControlPlaneModel,
  type DependantStage,
  type Phase,
  type Side,
  sides,
  type OutageStage,
  type StageView,
} from '../../commands/simulate/etcd-outage/control-plane-model.ts';
import {
  deletionEvent,
  etcdPhaseEvent,
  serviceEvent,
  stageEvent,
  takeTick,
  weederTurnEvent,
} from '../../commands/simulate/etcd-outage/etcd-events.ts';
import type { WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import { SeenStory, start } from './simulate-stage.ts';

export const [one, two] = ['shoot--demo--01', 'shoot--demo--02'] as const;

const pods: Readonly<Record<OutageStage, number>> = { etcd: 1, apiServers: 2, controllers: 5 };

export function whole(stage: OutageStage): StageView {
  return { pods: pods[stage], ready: pods[stage], crashLooping: 0, backOffUntil: null };
}

/** All of it waits; until so many seconds after the start. */
export function waiting(stage: OutageStage, until: number): StageView {
  return { pods: pods[stage], ready: 0, crashLooping: pods[stage], backOffUntil: start + 1_000 * until };
}

export class SeenEtcd extends SeenStory<ControlPlaneModel> {
  model: ControlPlaneModel;

  constructor(shoots: readonly string[] = [one, two]) {
    super();
    const views = byStage(whole);
    const planes = new Map(shoots.map((shoot) => [shoot, { weeded: views, unaided: views }]));
    this.model = begunControlPlanes(start, planes);
  }

  phase(at: number, phase: Phase): this {
    return this.see(etcdPhaseEvent(this.model, start + 1_000 * at, phase));
  }

  view(at: number, shoot: string, side: Side, stage: OutageStage, view: StageView): this {
    return this.see(stageEvent(this.model, start + 1_000 * at, { shoot, side, stage }, view));
  }

  serves(at: number, shoot: string, side: Side, stage: OutageStage, available: boolean): this {
    return this.see(serviceEvent(this.model, start + 1_000 * at, { shoot, side, stage }, available));
  }

  deletes(at: number, shoot: string, stage: DependantStage, rest: { since?: number; fault?: string } = {}): this {
    const { since = 0, fault = null } = rest;
    const deletion = { shoot, stage, pod: 'pod-x', waitingSince: start + 1_000 * since, fault };
    return this.see(deletionEvent(this.model, start + 1_000 * at, deletion));
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
    return this.see(weederTurnEvent(this.model, turn));
  }

  tick(late: number): this {
    takeTick(this.model, late, { all: 20, lists: 5, watches: 6, deletions: 8 });
    return this;
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
}

/** Two control planes, one of which is less lucky without the weeder. */
export function goodEtcdStory(): SeenEtcd {
  return new SeenEtcd()
    .phase(0, 'calm')
    .turn(1, one)
    .turn(1, two)
    .phase(10, 'outage')
    .fails(10, one)
    .fails(10, two)
    .phase(430, 'recovery')
    .tick(40)
    .returns(435, one, 'weeded', 10, 15)
    .returns(436, two, 'weeded', 12, 19)
    .tick(900)
    .returns(435, one, 'unaided', 250, 300)
    .returns(436, two, 'unaided', 270, 560)
    .phase(1_000, 'over')
    .tick(5_000);
}
