import type { LeaseVerdictNote, PathVerdictNote } from '../../../machines/shoot-language.ts';
import { jsonSeconds, jsonSpread } from '../story/figures.ts';
import type { StoryJson } from '../story/storyteller.ts';
import type { NetworkSummary } from './network-summary.ts';
import type { NetworkOptions } from './observation.ts';
import type { NetworkSeen } from './play-network-story.ts';

/** The network outage, in JSON: of what happens `phase`, `state`, `dependant`, `marked`, `missed`, `remark`. */
export function networkJson(options: NetworkOptions): StoryJson<NetworkSeen, NetworkSummary> {
  const { seedNumber: seed, speed, shoots, nodes, config } = options;
  return {
    begin: { seed, speed, shoots, nodes, config },
    fields: fieldsOf,
    summary: (summary) => ({ ...summaryJson(summary), speed, seed }),
  };
}

function fieldsOf({ seen, after }: NetworkSeen): object | undefined {
  switch (seen.type) {
    case 'phase': {
      const { phase, threats, unasked = [] } = seen;
      const hit = [...threats.keys(), ...unasked];
      return { phase, outage: after.outage, ...(hit.length === 0 ? {} : { shoots: hit }) };
    }
    case 'turn': {
      // Only turns that changed the state. The journal has all of them.
      const { seq, subject: shoot, from, to, notes, event } = seen.turn;
      if (from === to && event.type !== 'ended') return undefined;
      const verdict = notes.find((note) => note.kind === 'verdict');
      return { seq, shoot, from, to, because: event.type, ...(verdict && judged(verdict)) };
    }
    case 'dependant':
      return { shoot: seen.shoot, dependant: seen.key, ...seen.view };
    case 'marked':
      return { shoot: seen.shoot, node: seen.node };
    case 'missed':
      return { what: seen.what };
    case 'remark':
      return { text: seen.text };
    case 'tick':
      return undefined;
  }
}

/** What the verdict counted: leases, or in the older generation answers of the external path. */
function judged(verdict: LeaseVerdictNote | PathVerdictNote): Readonly<Record<string, unknown>> {
  const { external } = verdict;
  if (external === undefined) return { expired: verdict.expired, candidates: verdict.candidates };
  return { verdict: verdict.verdict, external, reason: verdict.reason };
}

/** The summary with its lengths in seconds, and names that say so. */
function summaryJson(summary: NetworkSummary): Readonly<Record<string, unknown>> {
  const { ok, shoots, spread, healthyProbes, quiet, nodesMarked, missed, latest, length, outage } = summary;
  return {
    outage,
    ok,
    seconds: jsonSeconds(length),
    decisionDelaySeconds: jsonSpread(spread.decisionDelay),
    downDelaySeconds: jsonSpread(spread.downDelay),
    controllerManagerDelaySeconds: jsonSpread(spread.controllerManagerDelay),
    marginSeconds: jsonSpread(spread.margin),
    nodesMarked,
    healthyProbes,
    quiet: quiet && { seedRequests: quiet.seedRequests, seconds: jsonSeconds(quiet.length) },
    missed,
    latestTickSeconds: jsonSeconds(latest),
    shoots: shoots.map(({ decisionDelay, downDelay, controllerManagerDelay, margin, ...one }) => ({
      ...one,
      decisionDelaySeconds: decisionDelay && jsonSeconds(decisionDelay),
      downDelaySeconds: downDelay && jsonSeconds(downDelay),
      controllerManagerDelaySeconds: controllerManagerDelay && jsonSeconds(controllerManagerDelay),
      marginSeconds: margin && jsonSeconds(margin),
    })),
  };
}
