import { writesAtOnce, type Dependant, type DependantRef } from '../domain/prober/dependant.ts';
import { dueChange, readRecord } from '../domain/prober/due-change.ts';
import { judgeLifecycle } from '../domain/prober/lifecycle.ts';
import type { ProberConfig } from '../domain/prober/prober-config.ts';
import type { ReadAnswer, ResourceChange } from '../domain/prober/resource-change.ts';
import type { PresentResource, ResourceView } from '../domain/prober/resource-view.ts';
import type { ShootNamespace } from '../domain/names.ts';
import type { Scaler } from '../effects/ports.ts';
import type { SeedEvent } from '../machines/shoot-language.ts';

export type Releasing = Readonly<{
  shoot: ShootNamespace;
  /** What the seed's streams know about the shoot. */
  known: readonly SeedEvent[];
  config: ProberConfig;
  scaler: Scaler;
  dryRun: boolean;
  say: (line: string) => void;
}>;

/** Writes on one resource. At most two are needed; the others are for conflicts. */
const mostTries = 6;

/** How many resources of a shoot were released, or would be, and how many could not be. `leftAlone`: as 3.1 says. */
export type Released = Readonly<{ released: number; failed: number; leftAlone: boolean }>;

/** Releases one shoot in the order of the levels (SPEC 6.1, 6.5), and prints each write. */
export async function releaseShoot(releasing: Releasing): Promise<Released> {
  const { shoot, known, config, say } = releasing;
  const marked: [Dependant, ResourceView][] = [];
  const unread: [Dependant, string][] = [];
  const foreign: Dependant[] = [];
  for (const dependant of config.dependants) {
    const answer = await readingOf(releasing, dependant);
    if (answer.outcome !== 'read') unread.push([dependant, answer.detail]);
    else if (answer.view.found && answer.view.marked) marked.push([dependant, answer.view]);
    else if (answer.view.found && answer.view.replicas === 0 && !answer.view.ignored) foreign.push(dependant);
  }
  const nothing = { released: 0, failed: 0, leftAlone: false };
  if (marked.length + unread.length + foreign.length === 0) return nothing;

  const excluded = exclusion(known);
  if (excluded !== undefined) {
    // Where nothing carries our mark, there was nothing to be released.
    if (marked.length + unread.length === 0) return nothing;
    say(`${shoot}: left alone, ${excluded}`);
    return { ...nothing, leftAlone: true };
  }
  for (const { ref } of foreign)
    say(`${shoot}: ${ref.kind} ${ref.name} is at 0 replicas, but not by the watchdog; it is left as it is`);
  let failures = 0;
  const fail = ({ ref }: Dependant, problem: string): void => {
    failures++;
    say(`${shoot}: ${ref.kind} ${ref.name} could not be released: ${problem}`);
  };
  // We do not know whether it was left down. To say nothing would mean that it was not.
  for (const [dependant, problem] of unread) fail(dependant, problem);
  for (const [dependant, view] of marked.toSorted(([a], [b]) => a.scaleUp.level - b.scaleUp.level)) {
    const problem = await release(releasing, dependant, view);
    if (problem !== undefined) fail(dependant, problem);
  }
  const failed = failures;
  return { released: marked.length + unread.length - failed, failed, leftAlone: false };
}

function exclusion(known: readonly SeedEvent[]): string | undefined {
  const change = known.findLast((event) => event.type === 'cluster.changed');
  if (change === undefined) return 'its Cluster is gone';
  if (!change.reading.readable) return change.reading.problem;
  const lifecycle = judgeLifecycle(change.reading.cluster);
  return lifecycle.kind === 'stop' ? lifecycle.reason : undefined;
}

async function readingOf({ shoot, known, scaler }: Releasing, { key, ref }: Dependant): Promise<ReadAnswer> {
  const seen = known.findLast((event) => event.type === 'dependant.changed' && event.key === key);
  if (seen?.type === 'dependant.changed') return { outcome: 'read', view: seen.view };
  return await scaler.read(shoot, ref, { urgent: false });
}

/** Writes until nothing is due. Returns what stood in the way, if anything did. */
async function release(
  { shoot, scaler, dryRun, say }: Releasing,
  { ref }: Dependant,
  first: ResourceView,
): Promise<string | undefined> {
  let view = first;
  for (let tries = 0; tries < mostTries; tries++) {
    const change = dueChange(view, 'upOurs', writesAtOnce(ref));
    if (change === undefined || !view.found) return undefined;
    if (dryRun) {
      say(`${shoot}: would ${inWords(view, ref, change, 'scale')}`);
      return undefined;
    }
    const answer = await scaler.write(shoot, ref, view, change, {
      urgent: false,
      withdrawn: new AbortController().signal,
    });
    if (answer.outcome === 'failed') return answer.detail;
    if (answer.outcome === 'written') {
      say(`${shoot}: ${inWords(view, ref, change, 'scaled')}`);
      view = answer.view;
      continue;
    }
    const read = await scaler.read(shoot, ref, { urgent: false });
    if (read.outcome !== 'read') return read.detail;
    view = read.view;
  }
  return `somebody else changed it ${mostTries} times`;
}

/** `scaled Deployment kube-controller-manager from 0 to 2 and removed the mark`. */
function inWords(
  { replicas: from, record }: PresentResource,
  { kind, name }: DependantRef,
  { replicas, mark }: ResourceChange,
  verb: 'scale' | 'scaled',
): string {
  const remove = verb === 'scale' ? 'remove' : 'removed';
  if (replicas === undefined) return `${remove} the mark from ${kind} ${name}`;
  const guessed = readRecord(record) === undefined ? ', since nothing readable tells what it had' : '';
  return `${verb} ${kind} ${name} from ${from} to ${replicas}${guessed}${mark === false ? ` and ${remove} the mark` : ''}`;
}
