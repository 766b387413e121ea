import type { Instant } from '../../domain/time.ts';
import { seconds } from '../../adapters/words/plain-words.ts';
import { shootEventWords, shootNoteWords } from '../../adapters/words/shoot-words.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { SpanFace } from './lanes.ts';
import { track, type Track } from './lanes-track.ts';
import type { RetakenTurn } from './retaken.ts';

type Turn = RetakenTurn<ShootLanguage>['turn'];

type ProbeLane = Readonly<{
  spans: Track['spans'];
  take(retaken: RetakenTurn<ShootLanguage>): void;
  stop(at: Instant): void;
}>;

const off: SpanFace = { tone: 'quiet', label: 'off', words: 'the shoot is not probed' };

/**
 * The probe's region of a shoot: from each question to its answer, one span for the leases, and one for nodes and Machines where they were asked
 * for. In between the probe rests, or is off.
 */
export function probeLane(): ProbeLane {
  const probes = track();
  /** Of the probe that is under way: a late answer of another one ends nothing. */
  let asked: number | undefined;

  return {
    spans: probes.spans,
    stop: (at) => probes.show(at, null),
    take({ turn, after }) {
      answer(turn);
      if (isOff(after?.value)) probes.show(turn.at, off);
      else if (probes.spans.at(-1)?.label === off.label) probes.show(turn.at, null);
      for (const command of turn.commands) {
        if (command.type !== 'probe' && command.type !== 'listCandidates') continue;
        const { type, params } = command;
        asked = params.number;
        const [label, what] = type === 'probe' ? ['asks', 'the leases'] : ['looks', 'nodes and Machines'];
        probes.show(turn.at, { tone: 'busy', label, words: `probe ${params.number} asks for ${what}` });
      }
    },
  };

  function answer({ at, event, notes }: Turn): void {
    const lost = notes.find(({ kind }) => kind === 'probeLost');
    if (lost !== undefined) probes.end(at, { tone: 'failed', label: 'lost', words: shootNoteWords(lost, at) });
    if (!('number' in event) || event.number !== asked) return;
    const took = seconds(at - (probes.spans.at(-1)?.from ?? at));
    const words = `${shootEventWords(event)}; it took ${took}`;
    if (event.type === 'probe.failed' || event.type === 'candidates.failed')
      return probes.end(at, { tone: 'failed', label: event.failure.reason, words });
    const verdict = notes.find(({ kind }) => kind === 'verdict');
    const isCutOff = verdict?.kind === 'verdict' && verdict.verdict === 'cutOff';
    const judged = verdict === undefined ? '' : `; ${shootNoteWords(verdict, at)}`;
    probes.end(at, { tone: isCutOff ? 'cutOff' : 'calm', label: took, words: `${words}${judged}` });
  }
}

function isOff(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'probe' in value && value.probe === 'off';
}
