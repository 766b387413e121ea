import type { Instant } from '../../../domain/time.ts';
import type { LeaseVerdictNote, PathVerdictNote } from '../../../machines/shoot-language.ts';
import { jsonSeconds, jsonSpread } from '../story/figures.ts';
import { placesJson } from '../story/places.ts';
import type { Storyteller } from '../story/storyteller.ts';
import type { NetworkSummary } from './network-summary.ts';
import type { NetworkOptions, Observation } from './observation.ts';
import type { NetworkSeen } from './play-network-story.ts';

/**
 * Writes a run as lines of JSON, each with a `kind`: `places`, `begin`, what happens (`phase`, `state`, `dependant`, `marked`,
 * `missed`, `remark`), `summary`, `kept`. Times and lengths are simulated seconds; `at` counts from the beginning.
 */
export function networkJson(
  options: NetworkOptions,
  out: (line: string) => void,
): Storyteller<NetworkSeen, NetworkSummary> {
  const { seedNumber: seed, speed, shoots, nodes, config } = options;
  const tell = (line: Readonly<Record<string, unknown>>) => out(JSON.stringify(line));
  tell(placesJson(options.places));
  tell({ kind: 'begin', seed, speed, shoots, nodes, config });
  return {
    saw: (seen) => {
      const line = lineOf(seen);
      if (line !== undefined) tell(line);
    },
    summary: (summary) => tell({ kind: 'summary', ...summaryJson(summary), speed, seed }),
    kept: () => tell({ kind: 'kept', kubeconfig: options.places.kubeconfig }),
    end: () => undefined,
  };
}

function lineOf({ seen, after }: NetworkSeen): Readonly<Record<string, unknown>> | undefined {
  const line = (kind: string, at: Instant, rest: object) => ({ kind, at: jsonSeconds(at - after.startedAt), ...rest });
  switch (seen.type) {
    case 'phase': {
      const { at, phase, threats, unasked = [] } = seen;
      const hit = [...threats.keys(), ...unasked];
      return line('phase', at, {
        phase,
        outage: after.outage,
        ...(hit.length === 0 ? {} : { shoots: hit }),
      });
    }
    case 'turn':
      return turnLine(seen.turn, line);
    case 'dependant': {
      const { at, type, key, shoot, view } = seen;
      return line(type, at, { shoot, dependant: key, ...view });
    }
    case 'marked':
      return line(seen.type, seen.at, { shoot: seen.shoot, node: seen.node });
    case 'missed':
      return line(seen.type, seen.at, { what: seen.what });
    case 'remark':
      return line(seen.type, seen.at, { text: seen.text });
    case 'tick':
      return undefined;
  }
}

/** Only turns that changed the state. The journal has all of them. */
function turnLine(
  { at, seq, subject: shoot, from, to, notes, event }: Extract<Observation, { type: 'turn' }>['turn'],
  line: (kind: string, at: Instant, rest: object) => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  if (from === to && event.type !== 'ended') return undefined;
  const verdict = notes.find((note) => note.kind === 'verdict');
  return line('state', at, { seq, shoot, from, to, because: event.type, ...(verdict && judged(verdict)) });
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
