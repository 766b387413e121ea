import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { lanesBuilder, stateFace, track, type LanesBuilder, type Track } from './track.ts';
import { dependantLanes } from './dependant-lanes.ts';
import { leaseLanes } from './lease-lanes.ts';
import { pathLanes } from './path-lanes.ts';
import type { SpanFace } from './lanes.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { shootEventWords, shootNoteWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import { probeStateOf, type ReplayedTurn } from '../replayed-turn.ts';

/** One shoot in time: its two regions, each dependant, and each lease, or its two paths. */
export function shootLanes(): LanesBuilder<ShootLanguage> {
  const shield = track();
  const [probes, paths, dependants, leases] = [probeLane(), pathLanes(), dependantLanes(), leaseLanes()];

  return lanesBuilder<ShootLanguage>({
    take(replayedTurn) {
      const { turn } = replayedTurn;
      if (turn.event.type !== 'ended') shield.show(turn.at, stateFace('shoot', turn.to));
      probes.take(replayedTurn);
      paths.take(replayedTurn);
      dependants.take(replayedTurn);
      leases.take(replayedTurn);
    },
    stop(at, face) {
      shield.show(at, face);
      probes.stop(at);
      paths.stop(at);
      dependants.stop(at);
      leases.stop(at);
    },
    lanes: () => ({
      first: [
        { id: 'state', name: 'state', shows: 'state', spans: shield.spans, under: [] },
        { id: 'probes', name: 'probe', shows: 'probes', spans: probes.spans, under: [] },
        ...paths.lanes(),
        ...dependants.lanes(),
      ],
      many: leases.lanes(),
      limits: leases.limits,
    }),
  });
}

type Turn = ReplayedTurn<ShootLanguage>['turn'];

type ProbeLane = Readonly<{
  spans: Track['spans'];
  take(replayedTurn: ReplayedTurn<ShootLanguage>): void;
  stop(at: Instant): void;
}>;

const off: SpanFace = { tone: 'quiet', label: 'off', words: 'the shoot is not probed' };

/**
 * The probe's region of a shoot: from each question to its answer, one span for the leases, or the paths, and one for what was asked for then: nodes
 * and Machines, the second path, or the Cluster. In between the probe rests, or is off.
 */
function probeLane(): ProbeLane {
  const probes = track();
  /** Of the probe that is under way: a late answer of another one ends nothing. */
  let asked: number | undefined;

  return {
    spans: probes.spans,
    stop: (at) => probes.show(at, null),
    take({ turn, after }) {
      const asking = askedIn(turn);
      const probe = probeStateOf(after?.value);
      // One path told, and the other one is waited for.
      const goesOn = turn.event.type === 'path.answered' && asking === undefined && probe === 'askingPaths';
      if (!goesOn) answer(turn, probe);
      if (probe === 'off') probes.show(turn.at, off);
      else if (probes.spans.at(-1)?.label === off.label) probes.show(turn.at, null);
      if (asking === undefined) return;
      const { number, label, what } = asking;
      asked = number;
      probes.show(turn.at, { tone: 'busy', label, words: `probe ${number} asks ${what}` });
    },
  };

  function answer({ at, event, notes }: Turn, probe: unknown): void {
    const lost = notes.find(({ kind }) => kind === 'probeLost');
    if (lost !== undefined) probes.end(at, { tone: 'failed', label: 'lost', words: shootNoteWords(lost, at) });
    if (!('number' in event) || event.number !== asked) return;
    const took = seconds(at - (probes.spans.at(-1)?.from ?? at));
    const words = `${shootEventWords(event)}; it took ${took}`;
    if (event.type === 'probe.failed' || event.type === 'candidates.failed')
      return probes.end(at, { tone: 'failed', label: event.failure.reason, words });
    const verdict = notes.find(({ kind }) => kind === 'verdict');
    if (event.type === 'path.answered' && verdict === undefined && probe === 'resting')
      return probes.end(at, { tone: 'failed', label: event.failure?.reason ?? 'untold', words });
    const isCutOff = verdict?.kind === 'verdict' && verdict.verdict === 'cutOff';
    const judged = verdict === undefined ? '' : `; ${shootNoteWords(verdict, at)}`;
    probes.end(at, { tone: isCutOff ? 'cutOff' : 'calm', label: took, words: `${words}${judged}` });
  }
}

type Asking = Readonly<{ number: number; label: string; what: string }>;

/** What a turn asks the shoot, or of it; undefined for nothing. */
function askedIn({ commands }: Turn): Asking | undefined {
  const paths: ShootPath[] = [];
  let asking: Asking | undefined;
  for (const command of commands)
    switch (command.type) {
      case 'probe':
        asking = { number: command.params.number, label: 'asks', what: 'for the leases' };
        break;
      case 'listCandidates':
        asking = { number: command.params.number, label: 'looks', what: 'for nodes and Machines' };
        break;
      case 'readCluster':
        asking = { number: command.params.number, label: 'reads', what: 'for the Cluster' };
        break;
      case 'askPath':
        paths.push(command.params.path);
        asking = { number: command.params.number, label: 'asks', what: pathsWords(paths) };
        break;
      case 'wake':
      case 'reserveProbe':
      case 'scale':
      case 'withdraw':
      case 'read':
        break;
    }
  return asking;
}

function pathsWords(paths: readonly ShootPath[]): string {
  return paths.length > 1 ? 'both paths' : `the ${paths.join('')} path`;
}
