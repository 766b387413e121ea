import type { LeaseAccount } from '../../../domain/prober/odd-leases.ts';
import type { ProbeFailure } from '../../../domain/prober/probe-failure.ts';
import { judgePath, type PathCount, type PathTold } from '../../../domain/prober/shoot-path.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Verdict } from '../../../domain/prober/verdict.ts';
import type { LeaseCount, PathVerdictNote, ShootEventOf, VerdictNote } from '../../../machines/shoot-language.ts';
import { counted, seconds, timesWords } from '../../words/plain-words.ts';
import { accountWords } from './lease-words.ts';

/** What a verdict says, before what it counted: `cut off`. */
export const verdictKindWords: Readonly<Record<Verdict['kind'], string>> = {
  cutOff: 'cut off',
  connected: 'connected',
  tooFew: 'too few to tell',
  unjudged: 'nobody can tell',
};

/** How many of how many leases are expired, at the lengths that there is room for. */
export const expiredWords = {
  /** `3/5`, below the title `expired`. */
  cell: ({ expired, candidates }: LeaseCount) => `${expired}/${candidates}`,
  /** `3 of 5`, behind what is said of them. */
  share: ({ expired, candidates }: LeaseCount) => `${expired} of ${candidates}`,
  /** `3 of 5 expired`, where it is plain that leases are meant. */
  line: ({ expired, candidates }: LeaseCount) => `${expired} of ${candidates} expired`,
  /** `3 of 5 leases expired`. */
  phrase: ({ expired, candidates }: LeaseCount) => `${expired} of ${counted(candidates, 'lease')} expired`,
  /** `3 of 5 leases are expired`, `1 of 5 leases is 30.0 s old`. */
  sentence({ expired, candidates }: LeaseCount, what = 'expired', tense: 'now' | 'then' = 'now'): string {
    const verb = tense === 'now' ? { one: 'is', several: 'are' } : { one: 'was', several: 'were' };
    return `${expired} of ${counted(candidates, 'lease')} ${expired === 1 ? verb.one : verb.several} ${what}`;
  },
};

/** How often in a row the external path has failed, or answered, and how often it takes (SPEC 4.9). */
export const externalWords = {
  /** `2/3`; what is beyond the threshold counts no more. */
  cell: ({ count, of }: PathCount) => `${Math.min(count, of)}/${of}`,
  /** `2 of 3`. */
  share: ({ count, of }: PathCount) => `${Math.min(count, of)} of ${of}`,
  /** `external path failed 2 of 3 times`: what counts towards a threshold. */
  line({ verdict, external }: PathVerdict): string {
    if (verdict === 'connected') return 'external path answers';
    return external.count < external.of
      ? `external path failed ${externalWords.share(external)} times`
      : 'external path fails';
  },
  /** `failed 3 times in a row`. */
  failed: ({ count }: PathCount) => (count === 1 ? 'failed once' : `failed ${count} times in a row`),
  /** `failed 2 times in a row, 3 needed`. */
  needed: ({ verdict, external: { count, of } }: PathVerdict) =>
    `${verdict === 'cutOff' ? 'failed' : 'answered'} ${timesWords(count)} in a row, ${of} needed`,
  /** `the external path failed 2 times of the 3 in a row that it takes`. */
  sentence({ verdict, external }: PathVerdict): string {
    const { count, of } = external;
    if (count >= of)
      return verdict === 'cutOff' ? `the external path ${externalWords.failed(external)}` : 'the external path answers';
    const told = verdict === 'cutOff' ? 'failed' : 'answered';
    return `the external path ${told} ${counted(count, 'time')} of the ${of} in a row that it takes`;
  },
};

type PathVerdict = Pick<PathVerdictNote, 'verdict' | 'external'>;

/** `it takes 3 probes in a row that find it so`. */
export function thresholdWords(needed: number): string {
  return `it takes ${counted(needed, 'probe')} in a row that find it so`;
}

/** As much of a verdict as is told: what it counted, by leases or by two paths. */
export type CountedVerdict =
  | (LeaseCount & Readonly<{ external?: never }>)
  | Pick<PathVerdictNote, 'verdict' | 'external' | 'reason'>;

/** With what it says. `crossedAt`: only of `cutOff`. */
type ToldVerdict =
  | (LeaseCount & Readonly<{ verdict: Verdict['kind']; crossedAt?: Instant; external?: never; reason?: never }>)
  | (Pick<PathVerdictNote, 'verdict' | 'external' | 'reason'> & Readonly<{ crossedAt?: Instant }>);

/** A verdict, by leases or by two paths. */
export const verdictWords = {
  /** What it counted, in a line that has little room: `3/5 expired`, `external path failed 2/3, timeout`. */
  brief(verdict: CountedVerdict): string {
    if (verdict.external === undefined) return `${expiredWords.cell(verdict)} expired`;
    if (verdict.verdict === 'connected') return 'external path answers';
    const why = verdict.reason === undefined ? '' : `, ${verdict.reason}`;
    return `external path failed ${externalWords.cell(verdict.external)}${why}`;
  },
  /** With what it counted, in a sentence: `cut off (3 of 5 leases expired)`. */
  inSentence: (note: ToldVerdict) => `${verdictKindWords[note.verdict]} (${countWords(note)})`,
  /** The same by itself: `cut off: 3 of 5 leases expired, threshold crossed 0.2 s ago`. `at`: of its turn; without it no age is told. */
  note(note: ToldVerdict, at?: Instant): string {
    const reason = note.reason === undefined ? '' : ` (${note.reason})`;
    const what = note.external === undefined ? 'threshold crossed' : 'first';
    const ago = note.crossedAt === undefined || at === undefined ? '' : `, ${what} ${seconds(at - note.crossedAt)} ago`;
    return `${verdictKindWords[note.verdict]}: ${countWords(note)}${reason}${ago}`;
  },
  /** What it counted, and who that was, behind what became of the shoot: `3 of 5 leases are expired (node-a silent for 31.2 s)`. */
  cause(verdict: VerdictNote, { account, external }: Witnesses): string {
    if (verdict.external === undefined)
      return `${expiredWords.sentence(verdict)}${account === undefined ? '' : accountWords(account)}`;
    const words = externalWords.sentence(verdict);
    if (verdict.verdict === 'connected') return words;
    const why = external?.detail ?? verdict.reason;
    return `${words}${why === undefined ? '' : ` (${why})`}, while the internal one answers`;
  },
};

/** Who spoke for a verdict: the leases, or why the external path failed. Undefined where nobody saw. */
export type Witnesses = Readonly<{ account?: LeaseAccount | undefined; external?: ProbeFailure | undefined }>;

function countWords(note: ToldVerdict): string {
  return note.external === undefined ? expiredWords.phrase(note) : externalWords.sentence(note);
}

/** Why a probe, or a look, told nothing. */
export const failureWords = {
  /** `timeout: no answer within 5 s`, behind what was asked. */
  cause: ({ reason, detail }: Pick<ProbeFailure, 'reason' | 'detail'>) => `${reason}: ${detail}`,
  /** `leases, timeout: no answer within 5 s`. */
  line: (failure: ProbeFailure) => `${stageWords(failure)}, ${failureWords.cause(failure)}`,
  /**
   * `it does not answer when asked for its leases: …`, with a shoot's name in the place of `it`. Of the external path only what is no verdict: it could not be
   * asked, or had too little time (SPEC 4.9).
   */
  sentence({ stage, reason, detail }: ProbeFailure, shoot?: string): string {
    if (stage === 'machines')
      return `the seed does not list ${shoot === undefined ? 'its Machines' : `the Machines of ${shoot}`}: ${detail}`;
    const who = shoot ?? 'it';
    const where = places[stage];
    if (reason === 'kubeconfig') return `${who} cannot be probed${isPath(stage) ? where : ''}: ${detail}`;
    if (reason === 'local') return `${who} could not be probed${where}, which is no fault of the shoot: ${detail}`;
    return `${who} ${unansweredWords(stage, reason)}${where}: ${detail}`;
  },
};

/** What one path told. A refusal of the API server's is an answer (SPEC 4.9). */
export const pathWords = {
  /** `external path failed, timeout: …`, `internal path answered`. */
  line({ path, failure }: Pick<ShootEventOf<'path.answered'>, 'path' | 'failure'>): string {
    const told = { answered: 'answered', failed: 'failed', untold: 'could not be asked' }[judgePath(failure)];
    return `${path} path ${told}${failure === undefined ? '' : `, ${failureWords.cause(failure)}`}`;
  },
  /** On its own lane of the page: a label, and a sentence. */
  lane(
    told: PathTold,
    failure: ProbeFailure | undefined,
    count: PathCount,
  ): Readonly<{ label: string; words: string }> {
    const reason = failure?.reason ?? '';
    // Beyond what it takes, every failure says the same.
    const share = externalWords.share(count);
    switch (told) {
      case 'answered':
        return { label: 'answers', words: reason === '' ? 'it answers' : `it answers: ${reason}` };
      case 'untold':
        return { label: `untold: ${reason}`, words: `nothing is known of it: ${reason}` };
      case 'failed':
        return { label: `${reason} ${share}`, words: `it fails: ${reason}, ${share} in a row` };
    }
  },
  /** What it does: `answers`, `fails (timeout)`. */
  does: (failure: ProbeFailure | undefined) => (failure === undefined ? 'answers' : `fails (${failure.reason})`),
};

function isPath(stage: ProbeFailure['stage']): stage is 'internal' | 'external' {
  return stage === 'internal' || stage === 'external';
}

function stageWords({ stage }: ProbeFailure): string {
  return isPath(stage) ? `${stage} path` : stage;
}

const places: Readonly<Record<Exclude<ProbeFailure['stage'], 'machines'>, string>> = {
  version: '',
  leases: ' when asked for its leases',
  nodes: ' when asked for its nodes',
  internal: ' on the internal path',
  external: ' on the external path',
};

/** What became of a question that was sent, and told nothing. */
function unansweredWords(
  stage: ProbeFailure['stage'],
  reason: Exclude<ProbeFailure['reason'], 'kubeconfig' | 'local'>,
): string {
  switch (reason) {
    case 'unreachable':
    case 'timeout':
      // A failure of the external path is told here only where the internal one had taken most of the time (SPEC 4.9).
      return stage === 'external' ? 'had too little time to answer' : 'does not answer';
    case 'certificate':
    case 'unauthorized':
    case 'throttled':
    case 'refused':
    case 'garbled':
    case 'tooLarge':
      return 'gives no useful answer';
  }
}
