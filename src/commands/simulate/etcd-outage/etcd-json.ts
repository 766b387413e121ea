import type { Instant } from '../../../domain/time.ts';
import { jsonSeconds, jsonSpread } from '../story/figures.ts';
import type { StoryJson } from '../story/storyteller.ts';
import type { EtcdSummary } from './etcd-summary.ts';
import type { EtcdOptions, Side } from './observation.ts';
import type { EtcdSeen } from './play-etcd-story.ts';

/** The etcd outage, in JSON: of what happens `phase`, `state`, `stage`, `service`, `deletion`, `missed`, `remark`. */
export function etcdJson(options: EtcdOptions): StoryJson<EtcdSeen, EtcdSummary> {
  const { seedNumber: seed, speed, slowSpeed, shoots, config } = options;
  return {
    begin: { story: 'etcd-outage', seed, speed, slowSpeed, shoots, config },
    fields: fieldsOf,
    summary: (summary) => ({ ...summaryJson(summary), speed, slowSpeed, seed }),
  };
}

function fieldsOf({ seen, after }: EtcdSeen): object | undefined {
  const since = (at: Instant): number => jsonSeconds(at - after.startedAt);
  switch (seen.type) {
    case 'phase':
      return { phase: seen.phase, outage: after.outage };
    case 'stage': {
      const { backOffUntil, ...view } = seen.view;
      const { side, shoot, stage } = seen;
      return { side, shoot, stage, ...view, ...(backOffUntil !== null && { backOffUntil: since(backOffUntil) }) };
    }
    case 'service': {
      const { side, shoot, stage, available } = seen;
      return { side, shoot, stage, available };
    }
    case 'deletion': {
      const { shoot, stage, pod, fault, waitingSince } = seen;
      return { shoot, stage, pod, waitingSince: since(waitingSince), fault };
    }
    case 'turn': {
      // Only turns that changed the state. The journal has all of them.
      const { seq, subject: service, from, to, event } = seen.turn;
      if (from === to && event.type !== 'ended') return undefined;
      return { seq, service, from, to, because: event.type };
    }
    case 'missed':
      return { what: seen.what };
    case 'remark':
      return { text: seen.text };
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
