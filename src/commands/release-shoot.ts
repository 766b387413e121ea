import { scaledDownByOthersWords, standingWords } from '../adapters/words/standing-words.ts';
import { refWords, releaseWords } from '../adapters/words/write-words.ts';
import { writesAtOnce, type DependantRef } from '../domain/prober/dependant.ts';
import { dueChange } from '../domain/prober/due-change.ts';
import type { PresentResource, ResourceView } from '../domain/prober/resource-view.ts';
import type { DependantStanding, ShootStanding } from '../domain/prober/standing.ts';
import type { Scaler } from '../effects/ports.ts';
import { counted } from '../adapters/words/plain-words.ts';

export type Releasing = Readonly<{
  standing: ShootStanding;
  scaler: Scaler;
  dryRun: boolean;
  say: (step: ReleaseStep) => void;
}>;

/** One thing that was done, would be done, or was not. `says`: without the shoot. */
export type ReleaseStep = Readonly<{
  shoot: string;
  /** Absent: it is of the shoot as a whole. */
  resource?: DependantRef;
  outcome: 'written' | 'would be written' | 'failed' | 'left alone';
  says: string;
}>;

/** Writes on one resource. At most two are needed; the others are for conflicts. */
const mostTries = 6;

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

/** Writes until nothing is due. Returns what stood in the way, if anything did. */
async function release(
  { standing: { shoot }, scaler, dryRun, say }: Releasing,
  { dependant: { ref } }: DependantStanding,
  first: PresentResource,
): Promise<string | undefined> {
  let view: ResourceView = first;
  for (let tries = 0; tries < mostTries; tries++) {
    const change = dueChange(view, 'upOurs', writesAtOnce(ref));
    if (change === undefined || !view.found) return undefined;
    if (dryRun) {
      const says = `would ${releaseWords(view, ref, change, 'command')}`;
      say({ shoot, resource: ref, outcome: 'would be written', says });
      return undefined;
    }
    const answer = await scaler.write(shoot, ref, view, change, {
      urgent: false,
      withdrawn: new AbortController().signal,
    });
    if (answer.outcome === 'failed') return answer.detail;
    if (answer.outcome === 'written') {
      say({ shoot, resource: ref, outcome: 'written', says: releaseWords(view, ref, change, 'done') });
      view = answer.view;
      continue;
    }
    const read = await scaler.read(shoot, ref, { urgent: false });
    if (read.outcome !== 'read') return read.detail;
    view = read.view;
  }
  return `somebody else changed it ${mostTries} times`;
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
