import type { Instant } from '../../../domain/time.ts';
import { jsonSeconds, jsonSpread } from '../story/figures.ts';
import { placesJson } from '../story/places.ts';
import type { Storyteller } from '../story/storyteller.ts';
import type { EtcdSummary } from './etcd-summary.ts';
import type { EtcdOptions, Side } from './observation.ts';
import type { EtcdSeen } from './play-etcd-story.ts';

/**
 * Writes a run as lines of JSON, each with a `kind`: `places`, `begin`, what happens (`phase`, `state`, `stage`, `service`, `deletion`,
 * `missed`, `remark`), `summary`, `kept`. Times and lengths are simulated seconds; `at` counts from the beginning.
 */
export function etcdJson(options: EtcdOptions, out: (line: string) => void): Storyteller<EtcdSeen, EtcdSummary> {
  const { seedNumber: seed, speed, slowSpeed, shoots, config } = options;
  const tell = (line: Readonly<Record<string, unknown>>) => out(JSON.stringify(line));
  tell(placesJson(options.places));
  tell({ kind: 'begin', story: 'etcd-outage', seed, speed, slowSpeed, shoots, config });
  return {
    saw: (seen) => {
      const line = lineOf(seen);
      if (line !== undefined) tell(line);
    },
    summary: (summary) => tell({ kind: 'summary', ...summaryJson(summary), speed, slowSpeed, seed }),
    kept: () => tell({ kind: 'kept', kubeconfig: options.places.kubeconfig }),
    end: () => undefined,
  };
}

function lineOf({ seen, after }: EtcdSeen): Readonly<Record<string, unknown>> | undefined {
  const since = (at: Instant): number => jsonSeconds(at - after.startedAt);
  const at = since(seen.at);
  switch (seen.type) {
    case 'phase':
      return { kind: 'phase', at, phase: seen.phase, outage: after.outage };
    case 'stage': {
      const { backOffUntil, ...view } = seen.view;
      const { type: kind, side, shoot, stage } = seen;
      return {
        kind,
        at,
        side,
        shoot,
        stage,
        ...view,
        ...(backOffUntil !== null && { backOffUntil: since(backOffUntil) }),
      };
    }
    case 'service': {
      const { type: kind, side, shoot, stage, available } = seen;
      return { kind, at, side, shoot, stage, available };
    }
    case 'deletion': {
      const { type: kind, shoot, stage, pod, fault, waitingSince } = seen;
      return { kind, at, shoot, stage, pod, waitingSince: since(waitingSince), fault };
    }
    case 'turn': {
      // Only turns that changed the state. The journal has all of them.
      const { seq, subject: service, from, to, event } = seen.turn;
      if (from === to && event.type !== 'ended') return undefined;
      return { kind: 'state', at, seq, service, from, to, because: event.type };
    }
    case 'missed':
      return { kind: 'missed', at, what: seen.what };
    case 'remark':
      return { kind: 'remark', at, text: seen.text };
    case 'tick':
      return undefined;
  }
}

/** The summary with its lengths in seconds, and names that say so. */
function summaryJson(summary: EtcdSummary): Readonly<Record<string, unknown>> {
  const { ok, planes, recovery, reaction, deleted, isFaster, requests, missed, latest, length, outage } = summary;
  const spreads = (side: Side) => ({
    apiServers: jsonSpread(recovery[side].apiServers),
    controllers: jsonSpread(recovery[side].controllers),
  });
  return {
    outage,
    ok,
    seconds: jsonSeconds(length),
    recoverySeconds: { weeded: spreads('weeded'), unaided: spreads('unaided') },
    reactionSeconds: jsonSpread(reaction),
    deleted,
    isFaster,
    requests,
    missed,
    latestTickSeconds: jsonSeconds(latest),
    controlPlanes: planes.map(({ recovery: own, ...plane }) => {
      const inSeconds = (side: Side) => ({
        apiServers: own[side].apiServers && jsonSeconds(own[side].apiServers),
        controllers: own[side].controllers && jsonSeconds(own[side].controllers),
      });
      return { ...plane, recoverySeconds: { weeded: inSeconds('weeded'), unaided: inSeconds('unaided') } };
    }),
  };
}
