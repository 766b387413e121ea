import { scaledDownByOthersWords, standingWords } from '../adapters/record/words/standing-words.ts';
import { brokenOffWords, refWords, releaseWords } from '../adapters/record/words/write-words.ts';
import type { DependantRef } from '../domain/prober/dependant.ts';
import { dueChange } from '../domain/prober/due-change.ts';
import type { PresentResource, ResourceChange, ResourceView } from '../domain/prober/resource-view.ts';
import type { DependantStanding, ShootStanding } from '../domain/prober/standing.ts';
import type { Clock, Scaler } from '../effects/ports.ts';
import { counted, timesWords } from '../adapters/words/plain-words.ts';
import { backoff, type Backoff } from '../domain/backoff.ts';
import type { Millis } from '../domain/time.ts';
import { firstValueFrom } from 'rxjs';

export type Releasing = Readonly<{
  standing: ShootStanding;
  scaler: Scaler;
  dryRun: boolean;
  say: (step: ReleaseStep) => void;
  /** Asked before each write: why none may be sent any more, if so. */
  mayWrite: () => Promise<string | undefined>;
  /** As `patience`. */
  mayTryAgain: (undone: number) => Promise<boolean>;
}>;

/** One thing that was done, would be done, or was not. `says`: without the shoot. */
export type ReleaseStep = Readonly<{
  shoot: string;
  /** Absent: it is of the shoot as a whole. */
  resource?: DependantRef;
  outcome: 'written' | 'would be written' | 'failed' | 'left alone';
  says: string;
}>;

/** In a row, on one resource. */
const mostConflicts = 6;

/** How many resources of a shoot were released, or would be, and how many could not be. `leftAlone`: as 3.1 says. */
export type Released = Readonly<{ released: number; failed: number; leftAlone: boolean }>;

/** Releases one shoot in the order of the levels (SPEC 6.1, 6.5), and tells each write. */
export async function releaseShoot(releasing: Releasing): Promise<Released> {
  const { standing, say } = releasing;
  const { shoot, state, reason, dependants } = standing;
  const marked = dependants.filter(({ view }) => view?.marked);
  const unread = dependants.filter((one) => one.state === 'unread');
  const nothing = { released: 0, failed: 0, leftAlone: false };
  // A Cluster that cannot be read has its reason; a dependant that could not be read is told below.
  if (state === 'leftAlone' || (state === 'unreadable' && reason !== undefined)) {
    // Where nothing carries our mark, there was nothing to be released.
    if (marked.length + unread.length === 0) return nothing;
    say({ shoot, outcome: 'left alone', says: `${standingWords.leftAlone}, ${reason ?? ''}` });
    return { ...nothing, leftAlone: true };
  }
  for (const { dependant } of dependants.filter((one) => one.state === 'scaledDownByOthers')) {
    const says = `${refWords(dependant.ref)} ${scaledDownByOthersWords}; it is left as it is`;
    say({ shoot, resource: dependant.ref, outcome: 'left alone', says });
  }
  let failed = 0;
  const fail = ({ dependant }: DependantStanding, problem: string): void => {
    failed++;
    const says = `${refWords(dependant.ref)} could not be released: ${problem}`;
    say({ shoot, resource: dependant.ref, outcome: 'failed', says });
  };
  // We do not know whether it was left down. To say nothing would mean that it was not.
  for (const one of unread) fail(one, one.problem ?? '');
  for (const one of marked.toSorted((a, b) => a.dependant.scaleUp.level - b.dependant.scaleUp.level)) {
    const problem = one.view && (await release(releasing, one, one.view));
    if (problem !== undefined) fail(one, problem);
  }
  return { released: marked.length + unread.length - failed, failed, leftAlone: false };
}

/**
 * Raises it, and takes mark and record away once the seed shows the replicas, by a write of its own: whatever changes a write on its way, what it had is not lost
 * (SPEC 6.8, L1). Returns what stood in the way, if anything did.
 */
async function release(
  { standing: { shoot }, scaler, dryRun, say, mayWrite, mayTryAgain }: Releasing,
  { dependant: { ref } }: DependantStanding,
  first: PresentResource,
): Promise<string | undefined> {
  const due = dueChange(first, 'upOurs', true);
  if (due === undefined) return undefined;
  const whole = first.ignored ? due : { ...due, mark: false, record: null };
  const resource = ref;
  if (dryRun) {
    const says = `would ${releaseWords(first, ref, whole, 'command')}`;
    say({ shoot, resource, outcome: 'would be written', says });
    return undefined;
  }
  let { replicas: wanted = 0 } = whole;
  let view: ResourceView = first;
  let [hasRaised, hasUnmarked, isLost] = [false, false, false];
  let [undone, waited, conflicts] = [0, 0, 0];
  for (;;) {
    const change = nextChange(view, wanted, hasUnmarked);
    if (change === undefined || !view.found) {
      if (hasRaised || hasUnmarked)
        say({ shoot, resource, outcome: 'written', says: releaseWords(first, ref, whole, 'done') });
      return undefined;
    }
    // What mark and record were lost with is put back at once, whoever leads.
    if (!isLost) {
      const isSpent = undone > waited && !(await mayTryAgain(undone));
      waited = undone;
      const barred = isSpent ? undoneWords(view, wanted, undone) : await mayWrite();
      if (barred !== undefined) return barred;
    }
    const options = { urgent: false, withdrawn: new AbortController().signal };
    const answer = await scaler.write(shoot, ref, view, change, options);
    if (answer.outcome === 'failed') return brokenOffWords(answer.detail, hasRaised ? wanted : undefined);
    if (answer.outcome === 'written' || answer.outcome === 'undone') {
      ({ view } = answer);
      conflicts = 0;
      if (!view.found) continue;
      isLost = change.mark === false && view.replicas < wanted;
      if (isLost || answer.outcome === 'undone') undone++;
      hasRaised = view.replicas >= wanted && (hasRaised || change.replicas !== undefined);
      hasUnmarked ||= change.mark === false;
      continue;
    }
    if (++conflicts === mostConflicts) return `somebody else changed it ${conflicts} times`;
    const read = await scaler.read(shoot, ref, { urgent: false });
    if (read.outcome !== 'read') return read.detail;
    ({ view } = read);
    // Somebody else may have taken it down meanwhile.
    wanted = dueChange(view, 'upOurs', true)?.replicas ?? wanted;
  }
}

/** Up to what is recorded; then without the mark. Where the replicas went with the mark that we took away, both are written again. */
function nextChange(view: ResourceView, wanted: number, hasUnmarked: boolean): ResourceChange | undefined {
  if (!view.found) return undefined;
  if (view.ignored) return view.marked ? { mark: false } : undefined;
  if (view.replicas >= wanted) return view.marked ? { mark: false, record: null } : undefined;
  if (view.marked) return { replicas: wanted };
  return hasUnmarked ? { mark: true, record: wanted } : undefined;
}

function undoneWords({ replicas, marked }: PresentResource, wanted: number, times: number): string {
  const stands = replicas < wanted ? `${replicas} of ${counted(wanted, 'replica')}` : counted(replicas, 'replica');
  return `the seed took the write, and something there undid it, ${timesWords(times)}: it is at ${stands}, and ${marked ? 'still carries the mark' : 'without the mark'}`;
}

/** The pauses after a write that something undid. */
const pauses: Backoff = { first: 250, longest: 5_000 };
const mostUndone = 6;
/** Of one run: behind a policy that holds all that a seed has, hours would pass otherwise. */
const mostWaiting: Millis = 60_000;

/** Waits before a write is tried again that was undone so often; false where that is not worth it any more. */
export function patience(clock: Clock): Releasing['mayTryAgain'] {
  let left = mostWaiting;
  return async (undone) => {
    const pause = backoff(undone, pauses);
    if (undone >= mostUndone || pause > left) return false;
    left -= pause;
    await firstValueFrom(clock.wakeAt(clock.now() + pause));
    return true;
  };
}

/** What came of all shoots, in numbers. */
export function releaseCounts(all: readonly Released[]) {
  const sum = (of: (one: Released) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    shoots: all.length,
    released: sum((one) => one.released),
    failed: sum((one) => one.failed),
    leftAlone: all.filter((one) => one.leftAlone).length,
  };
}

/** The same in one sentence. */
export function releaseSum(counts: ReturnType<typeof releaseCounts>, dryRun: boolean): string {
  const { shoots, released, failed, leftAlone } = counts;
  const parts = [
    ...(released === 0 ? [] : [`${counted(released, 'resource')} ${dryRun ? 'would be ' : ''}released`]),
    ...(failed === 0 ? [] : [`${counted(failed, 'resource')} could not be released`]),
    ...(leftAlone === 0 ? [] : [`${counted(leftAlone, 'shoot')} left alone`]),
  ];
  const looked = `${counted(shoots, 'shoot')} looked at`;
  if (parts.length === 0)
    return `${looked}: nothing to release, ${shoots === 1 ? 'it carries no mark' : 'none carries a mark'} of the watchdog`;
  return `${looked}: ${parts.join(', ')}${dryRun ? '; this was a dry run, nothing was written' : ''}`;
}
