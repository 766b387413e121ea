import type { Instant } from '../../../domain/time.ts';
import type { JournalHeader } from '../journal/journal-line.ts';
import type { Tenure } from '../journal/journal-kinds.ts';
import { clockWords } from '../../words/plain-words.ts';

/** What tells of one run of a process and of its lead. `lastAt`: of its last recorded turn, where that is known. */
export type LedRun = Pick<JournalHeader, 'run' | 'program' | 'openedAt' | 'lead'> &
  Readonly<{ lastAt?: Instant | undefined }>;

/** A process that leads, or led. */
export type Leader = Readonly<{
  run: string;
  /** `the prober dependency-watchdog-prober-abc`; in journals of older programs, `a prober`. */
  words: string;
  tookAt: Instant;
  how: Tenure['how'] | 'unknown';
  /** Whom it followed: the pod's name; absent where nothing tells. */
  from?: string;
}>;

/** Where nothing is known of who leads. */
export type LeaderOf = (run: string) => Leader | undefined;

export function leaderOf({ run, program, openedAt, lead }: LedRun): Leader {
  const role = program.split(' ').at(-1) ?? program;
  if (lead === undefined) return { run, words: `a ${role}`, tookAt: openedAt, how: 'unknown' };
  const { identity, tookAt, how, from } = lead;
  return {
    run,
    words: `the ${role} ${podOf(identity)}`,
    tookAt,
    how,
    ...(from === undefined ? {} : { from: podOf(from) }),
  };
}

/** A holder is a pod's name and a number of its own, as client-go writes it. */
export function podOf(holder: string): string {
  return holder.replace(/_[^_]*$/, '');
}

/** `took the lead at 12:05:01.2 from prober-a, which had not renewed its Lease`. */
export function tookWords({ tookAt, how, from }: Leader): string {
  const at = clockWords(tookAt);
  switch (how) {
    case 'ranOut':
      return `took the lead at ${at} from ${from ?? 'another one'}, which had not renewed its Lease`;
    case 'released':
      return `took the lead at ${at}${from === undefined ? ', which was given back' : ` from ${from}, which had given it back`}`;
    case 'free':
      return `took the lead at ${at}${from === undefined ? '' : ` after ${from}`}`;
    case 'noElection':
    case 'unknown':
      return `began at ${at}`;
  }
}
