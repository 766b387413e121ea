import { writesAtOnce, type Dependant } from '../domain/prober/dependant.ts';
import { dueChange } from '../domain/prober/due-change.ts';
import { judgeLifecycle } from '../domain/prober/lifecycle.ts';
import type { ProberConfig } from '../domain/prober/prober-config.ts';
import type { ReadAnswer, ResourceChange } from '../domain/prober/resource-change.ts';
import type { ResourceView } from '../domain/prober/resource-view.ts';
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

/** Releases one shoot in the order of the levels (SPEC 6.1, 6.5), and prints each write. Returns how many resources it could not release. */
export async function releaseShoot(releasing: Releasing): Promise<number> {
  const { shoot, known, config, say } = releasing;
  const marked: [Dependant, ResourceView][] = [];
  const unread: [Dependant, string][] = [];
  for (const dependant of config.dependants) {
    const answer = await readingOf(releasing, dependant);
    if (answer.outcome !== 'read') unread.push([dependant, answer.detail]);
    else if (answer.view.found && answer.view.marked) marked.push([dependant, answer.view]);
  }
  if (marked.length + unread.length === 0) return 0;

  const excluded = exclusion(known);
  if (excluded !== undefined) {
    say(`${shoot}: left alone, ${excluded}`);
    return 0;
  }
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
  return failures;
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
      say(`${shoot}: ${ref.kind} ${ref.name} would be released: ${inWords(view.replicas, change)}`);
      return undefined;
    }
    const answer = await scaler.write(shoot, ref, view, change, {
      urgent: false,
      withdrawn: new AbortController().signal,
    });
    if (answer.outcome === 'failed') return answer.detail;
    if (answer.outcome === 'written') {
      say(`${shoot}: ${ref.kind} ${ref.name}: ${inWords(view.replicas, change)}`);
      view = answer.view;
      continue;
    }
    const read = await scaler.read(shoot, ref, { urgent: false });
    if (read.outcome !== 'read') return read.detail;
    view = read.view;
  }
  return `somebody else changed it ${mostTries} times`;
}

function inWords(from: number, { replicas, mark }: ResourceChange): string {
  const raised = replicas === undefined ? [] : [`from ${from} to ${replicas} replicas`];
  return [...raised, ...(mark === false ? ['our mark removed'] : [])].join(', ');
}
