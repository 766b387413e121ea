import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { ServiceRow, ShootRow } from '../../model/rows.ts';
import type { About } from '../../wire/wire.ts';

const noon = Date.parse('2026-11-23T12:00:00Z');

export function shootRow(change: Partial<ShootRow> = {}): ShootRow {
  return {
    shoot: 'shoot--dev--one',
    state: 'probing',
    standing: 'watched',
    since: noon,
    verdict: 'connected',
    expired: 0,
    candidates: 5,
    judgedAt: noon,
    failuresInRow: 0,
    nextProbeAt: noon + 30_000,
    paused: null,
    down: [],
    refused: [],
    lastAt: noon,
    ...change,
  };
}

export function serviceRow(change: Partial<ServiceRow> = {}): ServiceRow {
  return {
    service: 'shoot--dev--one/etcd-main-client',
    state: 'settled',
    since: noon,
    readyEndpoints: 3,
    endpoints: 3,
    windowEndsAt: null,
    deleted: 0,
    crashLooping: 0,
    lastAt: noon,
    ...change,
  };
}

export function anEpisode(change: Partial<Episode> = {}): Episode {
  return {
    kind: 'outage',
    machine: 'shoot',
    subject: 'shoot--dev--one',
    id: 'one',
    beganAt: noon,
    endedAt: null,
    weight: 'grave',
    sentence: 'cut off: 3 of 5 leases were 30 s old',
    lines: [],
    stages: [],
    turn: { kind: 'shoot', subject: 'shoot--dev--one', run: 'r', seq: 33, at: noon },
    data: {},
    ...change,
  };
}

export function about(change: Partial<About> = {}): About {
  return {
    version: '0.1.0',
    now: noon,
    live: true,
    sources: ['memory'],
    runs: [],
    turns: 1,
    firstAt: noon,
    lastAt: noon,
    lead: null,
    replayed: null,
    problems: [],
    reading: null,
    ...change,
  };
}
