import {
  beforeAnother,
  firstModel,
  type NetworkModel,
  withObservation,
} from '../../src/commands/simulate/network-outage/network-model.ts';
import { networkTimeline } from '../../src/commands/simulate/network-outage/network-timeline.ts';
import type {
  DependantView,
  Observation,
  ProbeCost,
  Threat,
} from '../../src/commands/simulate/network-outage/observation.ts';
import type { TimelineEntry } from '../../src/commands/simulate/story/screen.ts';
import type { DependantKey } from '../../src/domain/prober/dependant.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import type { ShootNote, ShootState } from '../../src/machines/shoot-language.ts';
import { autoscaler, controllerManager, gardenerConfig, machineController } from '../support/prober-configs.ts';

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

/** Instants are given in seconds since the start. */
export class Stage {
  model: NetworkModel;
  readonly timeline: TimelineEntry[] = [];

  constructor(shoots = 2, twoPaths = false) {
    const names = Array.from({ length: shoots }, (_, index) => `shoot--demo--${String(index + 1).padStart(2, '0')}`);
    const views = new Map([
      [kcm, up(2)],
      [mcm, up(1)],
      [ca, up(1)],
    ] as const);
    this.model = firstModel(start, new Map(names.map((name) => [name, views])), twoPaths);
  }

  see(seen: Observation): this {
    const before = this.model;
    this.model = withObservation(before, seen);
    this.timeline.push(...networkTimeline(before, seen, this.model));
    return this;
  }

  phase(
    at: number,
    phase: Extract<Observation, { type: 'phase' }>['phase'],
    threats: Record<string, Threat> = {},
    unasked: readonly string[] = [],
  ): this {
    const hit = { threats: new Map(Object.entries(threats)), unasked: new Set(unasked) };
    return this.see({ type: 'phase', at: start + 1_000 * at, phase, ...hit });
  }

  turn(
    at: number,
    shoot: string,
    to: ShootState,
    rest: Partial<Pick<ShootTurn, 'from' | 'commands' | 'notes' | 'event'>> & { cost?: ProbeCost } = {},
  ): this {
    const { cost, ...told } = rest;
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
      after: undefined,
      ...told,
    };
    return this.see({ type: 'turn', at: turn.at, turn, ...(cost === undefined ? {} : { cost }) });
  }

  dependant(at: number, shoot: string, key: DependantKey, view: DependantView): this {
    return this.see({ type: 'dependant', at: start + 1_000 * at, shoot, key, view });
  }

  /** Every dependant of a shoot at once. */
  all(at: number, shoot: string, view: (before: number) => DependantView): this {
    for (const [key, { before }] of this.model.rows.get(shoot)!.dependants)
      this.dependant(at, shoot, key, view(before));
    return this;
  }

  tickOf(at: number, late: number): this {
    return this.see({ type: 'tick', at: start + 1_000 * at, late });
  }

  /** Another outage is about to begin; everything is as the last one left it. */
  another(at: number): this {
    const views = [...this.model.rows].map(
      ([shoot, { dependants }]) =>
        [shoot, new Map([...dependants].map(([key, { now }]) => [key, now] as const))] as const,
    );
    this.model = beforeAnother(this.model, start + 1_000 * at, new Map(views));
    return this;
  }

  words(): readonly string[] {
    return this.timeline.map(({ shoot = '-', text }) => `${shoot.replace('shoot--demo--', '')}: ${text}`);
  }
}

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
export function goodStory(): Stage {
  const [one, two] = ['shoot--demo--01', 'shoot--demo--02'];
  const cost = { connections: 1, shootRequests: 2, seedRequests: 0 };
  return new Stage()
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
