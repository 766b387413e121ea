import { map } from 'rxjs';
import { hasTwoPaths, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { Episode, EpisodeDraft } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { followOutages } from 'dependency-watchdog/adapters/record/episodes/outage-episode.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import type { PathFault } from '../../../api/balancer.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import type { EmbeddedShoot } from '../../../shoot/embedded-shoot.ts';
import { missedEvent, type Entry, type Story, type StoryEvent } from '../story/story.ts';
import { dependantChanges, dependantViews, probeMeter, threatTo } from './ground-truth.ts';
import { machineHealth } from '../../../shoot/machine-health.ts';
import { markEvents, replaceEvents } from './meltdown-events.ts';
import { dependantEvent, phaseEvent, shootTurnEvent } from './network-events.ts';
import {
  begunModel,
  carriesMark,
  type NetworkModel,
  type Phase,
  type ObservedShoot,
  type Threat,
  twinName,
} from './network-model.ts';
import { networkStoryPart, type NetworkStoryLengths } from './network-story.ts';

type NetworkStage = Readonly<{
  clock: Clock;
  seed: EmbeddedSeed;
  /** Of the one shoot that nobody watches. */
  twinSeed: EmbeddedSeed;
  config: ProberConfig;
  lengths: NetworkStoryLengths;
  speed: number;
}>;

type NetworkStory = Omit<Story<Phase, ObservedShoot, ShootTurn>, 'state'> &
  Readonly<{
    state: () => NetworkModel;
    /** The outages of this part of the story, as the turns tell them. */
    episodes: () => readonly Episode[];
  }>;

/** The share of the shoots whose nodes use the gateway that fails. */
const gatewayShare = 0.6;

/** What happens to an embedded seed on which a prober runs. */
export function networkStory({ clock, seed, twinSeed, config, lengths, speed }: NetworkStage): NetworkStory {
  const meter = probeMeter(seed);
  const marksSeen = new Map<ShootNamespace, number>();
  const observed = [
    ...seed.shoots.map((shoot) => [shoot.name, shoot, machineHealth(shoot)] as const),
    ...twinSeed.shoots.map((shoot) => [twinName, shoot, machineHealth(shoot)] as const),
  ];
  const begun = (at: Instant, before?: NetworkModel) => {
    const [twinViews] = dependantViews(twinSeed, config).values();
    return begunModel(at, dependantViews(seed, config), hasTwoPaths(config), before, twinViews);
  };
  let model = begun(clock.now());
  const followers = new Map(seed.shoots.map(({ name }) => [name, followOutages()]));
  let drafts = new Map<string, EpisodeDraft>();

  const enter = ({ phase, at, quiet, fail }: Entry<Phase>, see: (event: StoryEvent) => void): void => {
    const threats = new Map<ShootNamespace, Threat>();
    const hit = behindGateway(seed.shoots, model.outage);
    // The twin is cut off with the others, and left alone while no node is in danger.
    const struck = phase === 'outage' || phase === 'healing' ? [...hit, ...twinSeed.shoots] : hit;
    for (const shoot of struck) strike(shoot, phase, model).catch(fail);
    if (phase === 'healing') for (const [, , health] of observed) health.rejoin();
    for (const shoot of hit) {
      const threat = phase === 'outage' ? threatTo(seed, shoot.name, config, clock.now()) : undefined;
      if (threat !== undefined) threats.set(shoot.name, threat);
    }
    if (model.phase === 'internalHealing')
      for (const { shoot } of [...model.rows.values()].filter(({ scaledUnasked }) => scaledUnasked))
        see(missedEvent(model, at, `${shoot} was scaled down though only its internal path failed`));
    const unasked = phase === 'internalOutage' ? hit.map(({ name }) => name) : [];
    see(phaseEvent(model, at, { phase, threats, unasked, ...(model.phase === 'calm' && quiet && { quiet }) }));
  };

  const newMarks = (now: Instant): readonly StoryEvent[] =>
    observed.flatMap(([name, { marks }, health]) => {
      const fresh = marks.slice(marksSeen.get(name) ?? 0);
      marksSeen.set(name, marks.length);
      const replaced = health.replace(now);
      return [
        ...markEvents(
          model,
          fresh[0]?.at ?? now,
          name,
          fresh.map(({ node }) => node),
        ),
        ...replaceEvents(model, now, name, replaced),
      ];
    });

  return {
    clock,
    seed,
    state: () => model,
    another(at) {
      model = begun(at, model);
      drafts = new Map();
    },
    part: (phase) => networkStoryPart(phase, lengths, model.outage),
    enter,
    look(now, late) {
      if (model.phase !== 'over') model.latest = Math.max(model.latest, late);
      return newMarks(now);
    },
    changes$: dependantChanges(seed, config).pipe(map((change) => dependantEvent(model, clock.now(), change))),
    turn(turn) {
      for (const draft of followers.get(turn.subject)?.(turn, '') ?? []) drafts.set(draft.id, draft);
      return shootTurnEvent(model, turn, endsProbe(turn) ? meter(turn.subject) : undefined);
    },
    episodes: () => [...drafts.values()].map(({ episode }) => episode()),
    outage: 'outage',
    healing: 'healing',
    cannotHeal: () => (model.phase === 'outage' ? undefined : 'There is no outage to heal.'),
    isBusy: (row) => row.state !== 'probing' || carriesMark(row),
    busy: 'is not back to normal',
    speed: () => speed,
  };
}

/** The shoots whose nodes use the gateway that fails: with each outage others, in turn. */
function behindGateway<Shoot>(shoots: readonly Shoot[], outage: number): readonly Shoot[] {
  const count = Math.max(1, Math.round(gatewayShare * shoots.length));
  const first = ((outage - 1) * count) % Math.max(1, shoots.length);
  return [...shoots.slice(first), ...shoots.slice(0, first)].slice(0, count);
}

/** All requests since the last probe belong to this one, even if it failed. */
function endsProbe({ event, notes }: ShootTurn): boolean {
  if (notes.some(({ kind }) => kind === 'verdict')) return true;
  if (event.type === 'path.answered') return event.failure !== undefined;
  return event.type === 'probe.failed' || event.type === 'candidates.failed';
}

/** A load balancer drops everything, as a broken network does; refuses, as one that is gone; or resets, as one without a target. */
const waysToFail: readonly PathFault[] = [{ kind: 'hang' }, { kind: 'refuse' }, { kind: 'reset' }];

/** Does to a shoot that is hit what the phase begins with. With each outage a load balancer fails in another way. */
async function strike(
  shoot: EmbeddedShoot,
  phase: Phase,
  { twoPaths, outage }: Pick<NetworkModel, 'twoPaths' | 'outage'>,
): Promise<void> {
  switch (phase) {
    case 'calm':
    case 'over':
      return;
    case 'internalOutage':
      return shoot.paths.break('internal', { kind: 'refuse' });
    case 'internalHealing':
      return shoot.paths.heal('internal');
    case 'outage': {
      const fault = waysToFail[(outage - 1) % waysToFail.length];
      return twoPaths && fault !== undefined ? shoot.paths.break('external', fault) : shoot.cutOff();
    }
    case 'healing':
      return twoPaths ? shoot.paths.heal('external') : shoot.heal();
  }
}
