import type { Instant } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ShootNote } from '../../../machines/shoot-language.ts';
import type { Pause } from '../facts/shoot-standing.ts';
import { oddWords, partialOutageWords, unjudgedWords } from './lease-words.ts';
import { failureWords, pathWords, verdictWords } from './probe-words.ts';
import { areWords, counted, endedWords, seconds, wordsBy } from '../../words/plain-words.ts';
import { changeWords, raisedByOthersWords, shortName, viewWords, waitWords, whyNotWritten } from './write-words.ts';
import type { ClusterAnswer, ClusterReading } from '../../../domain/prober/cluster-view.ts';

/** An event as an operator would tell it, without time and shoot: `probe 12 answered: 5 leases, oldest 31.2 s old`. */
export const shootEventWords: (event: ShootTurn['event']) => string = wordsBy<'type', ShootTurn['event']>('type', {
  started: ({ input }) => (input.followed ? 'started, taking over as leader' : 'started'),
  ended: (event) => endedWords(event, 'the Cluster', shootEventWords),
  'cluster.changed': ({ reading }) => clusterWords(reading),
  'cluster.gone': () => 'Cluster gone',
  'cluster.watched': (event) => watchWords('Clusters', event),
  'dependant.changed': ({ key, view, rewound }) =>
    `${shortName(key)} seen${rewound ? ' in a restored seed' : ''}: ${viewWords(view)}`,
  'dependant.watched': (event) => watchWords(shortName(event.key), event),
  woken: () => 'its wait is over',
  'probe.answered': (event) =>
    `probe ${event.number} answered: ${counted(event.leases.length, 'lease')}${ageWords(event)}`,
  'probe.failed': ({ number, failure }) => `probe ${number} failed: ${failureWords.line(failure)}`,
  'probe.reserved': ({ at, probeAt }) =>
    probeAt === null
      ? 'no early probe: too many shoots want one'
      : `an early probe may start in ${seconds(probeAt - at)}`,
  'candidates.answered': ({ number, nodes, machines, cluster }) =>
    `probe ${number} listed ${counted(nodes.length, 'node')} and ${counted(machines.length, 'Machine')}${cluster === undefined ? '' : `; ${askedClusterWords(cluster)}`}`,
  'candidates.failed': ({ number, failure }) =>
    `probe ${number} could not list nodes and Machines: ${failureWords.line(failure)}`,
  'path.answered': (event) => `probe ${event.number}: the ${pathWords.line(event)}`,
  'cluster.answered': ({ number, cluster }) => `probe ${number}: ${askedClusterWords(cluster)}`,
  'scale.answered': ({ asked, answer }) => {
    const write = `request ${asked.number} on ${shortName(asked.key)}`;
    if (answer.outcome === 'written') return `${write} done: ${viewWords(answer.view)}`;
    const why = whyNotWritten(asked, answer);
    return why === undefined ? `${write}: ${answer.outcome}` : `${write} ${answer.outcome}: ${why}`;
  },
  'read.answered': ({ asked, answer }) => {
    const read = `read ${asked.number} of ${shortName(asked.key)}`;
    return answer.outcome === 'read'
      ? `${read}: ${viewWords(answer.view)}`
      : `${read} ${answer.outcome}: ${answer.detail}`;
  },
});

function watchWords(what: string, { live, never }: Readonly<{ live: boolean; never?: true }>): string {
  if (live) return `the watch on ${what} is open`;
  return `the watch on ${what} ${never ? 'is not open yet' : 'broke'}`;
}

function ageWords({
  askedAt,
  leases,
}: Readonly<{ askedAt: Instant; leases: readonly { renewedAt: Instant | null }[] }>) {
  let oldest: Instant | undefined;
  let unreadable = 0;
  for (const { renewedAt } of leases)
    if (renewedAt === null) unreadable += 1;
    else if (oldest === undefined || renewedAt < oldest) oldest = renewedAt;
  return [
    oldest === undefined ? '' : `, oldest ${seconds(askedAt - oldest)} old`,
    unreadable === 0 ? '' : `, ${unreadable} without a readable renewTime`,
  ].join('');
}

/** A note as an operator would tell it: `cut off: 5 of 5 leases expired, threshold crossed 0.2 s ago`. `at`: the turn's. */
export const shootNoteWords = wordsBy<'kind', ShootNote, [at: Instant]>('kind', {
  verdict: (note, at) => verdictWords.note(note, at),
  paused: ({ reason }) => `paused: ${reason}`,
  probeLost: ({ number }) =>
    `probe ${number} was never answered, not even with a failure: this process stood still for want of CPU or memory, or it is a bug of the watchdog`,
  dependantMissing: ({ key, direction }) =>
    `${shortName(key)} does not exist, and ${direction === 'down' ? 'counts as scaled down' : 'cannot be scaled up'}`,
  dependantRefused: ({ key, detail }) => `${shortName(key)} may not be read: ${detail}`,
  clockDiffers: ({ ahead }) =>
    `the shoot's clock is ${seconds(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} ours`,
  leasesAhead: ({ leases }) =>
    `${areWords(leases.count, 'lease')} ahead of the time: ${oddWords(leases, 'by')}; they are judged by when they were seen to move. Check the clocks of the nodes`,
  leasesAheadOver: () => 'no lease is ahead of the time any more',
  leasesInDoubt: ({ leases, until, silentFor }, at) => {
    const why =
      silentFor === undefined
        ? `${counted(leases, 'lease')} may be old, or a clock may be wrong`
        : `its API server gave no answer for ${seconds(silentFor)}, and ${areWords(leases, 'lease')} old`;
    return `${why}; a probe in ${seconds(until - at)} tells whether anybody renews ${leases === 1 ? 'it' : 'them'}`;
  },
  leasesNotRenewed: ({ leases }) =>
    `nobody renews ${counted(leases.count, 'lease')}, though the nodes are Ready: ${oddWords(leases, 'for')}. Check whether the machines run, whether their kubelets may renew leases, and whether the kube-controller-manager works`,
  leasesNotRenewedOver: () => 'the leases of all Ready nodes are renewed again',
  partialOutage: partialOutageWords,
  partialOutageOver: () => 'no part of the shoot is cut off by itself any more',
  renewalsLate: ({ late, candidates, crossesAt }, at) => {
    const then =
      crossesAt === undefined ? '' : `; if nobody renews, it counts as cut off in ${seconds(crossesAt - at)}`;
    return `${late} of ${candidates} leases are late${then}`;
  },
  renewalsLateOver: () => 'few of its leases are late any more',
  unjudged: (note) =>
    `nobody can tell whether it is cut off: ${unjudgedWords(note)}. It is not protected, and nothing but what the watchdog took down is ever scaled`,
  unjudgedOver: () => 'its leases tell again whether it is cut off',
  leasesLeftOut: ({ leases }) =>
    `the shoot has more leases than are kept; ${counted(leases, 'lease')}, the oldest, ${leases === 1 ? 'is' : 'are'} left out. Check why the leases of old nodes are not deleted there`,
  internalFailed: ({ failures, leftAloneUntil }, at) =>
    `the internal path has failed ${counted(failures, 'time')} in a row; nothing new is scaled, and after each failure the shoot is left alone for ${seconds(leftAloneUntil - at)}, until the path answers`,
  earlyProbesSpent: () =>
    'its leases are about to cross the threshold too often; it is probed on their account every 2 s at most',
  stepTimedOut: ({ key, direction, timeout }) =>
    `${shortName(key)} ${direction === 'down' ? 'is not scaled down' : 'has no ready replica'} after ${seconds(timeout)}`,
  recordUnreadable: ({ key, record }) =>
    `the recorded replicas of ${shortName(key)} cannot be read: ${JSON.stringify(record)}; it is scaled to 1`,
  raised: (note) => raisedByOthersWords(shortName(note.key), note),
  decided: (note, at) =>
    `the first scale-down is commanded, ${seconds(at - note.crossedAt)} after ${crossedWords(note)}`,
  returnWaits: waitWords,
  restored: ({ begunAt }, at) => `everything is brought back, ${seconds(at - begunAt)} after the scale-up began`,
  shielded: (note, at) =>
    `everything is ${at > note.firstMarkAt ? 'seen to be ' : ''}scaled down${note.again ? ' again' : ''}, ${seconds(at - note.crossedAt)} after ${crossedWords(note)}, ${marginWords(note, at)}`,
});

/** Why a shoot is left alone: `it hibernates`, `its Cluster cannot be read: spec.shoot is missing`. */
export function pauseWords({ reason, unreadable }: Pause): string {
  return unreadable ? `its Cluster cannot be read: ${reason}` : reason;
}

function crossedWords({ paths, again }: Readonly<{ paths?: true; again?: true }>): string {
  if (again) return 'somebody else raised it';
  return paths ? 'the external path was first found broken' : 'the threshold was crossed';
}

/** Of two paths only the earliest instant of a mark is known. Nobody knows how long before it was seen that the last pod ended (SPEC 9.2). */
function marginWords({ firstMarkAt, paths }: Extract<ShootNote, { kind: 'shielded' }>, at: Instant): string {
  const margin = firstMarkAt - at;
  if (margin < 0) return `${seconds(-margin)} after the first node may have been marked`;
  return `${seconds(margin)} before the first node ${paths ? 'could' : 'would'} have been marked`;
}

/** A command as an operator would tell it: `scale kube-controller-manager from 1 to 0 (mark, record 1)`. `at`: the turn's. */
export const shootCommandWords = wordsBy<'type', ShootTurn['commands'][number], [at: Instant]>('type', {
  wake: ({ params }, at) => `wait ${seconds(params.at - at)}`,
  probe: ({ params }) => `probe (${params.number})`,
  listCandidates: ({ params }) =>
    `list nodes and Machines${params.cluster ? ', ask for the Cluster' : ''} (${params.number})`,
  askPath: ({ params }) => `ask on the ${params.path} path (${params.number})`,
  readCluster: ({ params }) => `ask for the Cluster (${params.number})`,
  reserveProbe: ({ params }, at) => `ask for an early probe in ${seconds(params.wanted - at)}`,
  scale: ({ params }) =>
    `${changeWords(shortName(params.key), params)}${params.urgent ? ', urgently' : ''} (request ${params.number})`,
  withdraw: ({ params }) => `withdraw request ${params.number}`,
  read: ({ params }) => `read ${shortName(params.key)} (${params.number})`,
});

/** `Cluster seen: Reconcile Succeeded, 2 worker pools`. */
export function clusterWords(reading: ClusterReading): string {
  if (!reading.readable) return `Cluster unreadable: ${reading.problem}`;
  const { cluster } = reading;
  const marks = [
    cluster.deleting && 'deleting',
    cluster.hibernationEnabled && 'hibernation enabled',
    cluster.hibernated && 'hibernated',
  ].filter((mark) => mark !== false);
  const operation =
    cluster.lastOperation === undefined
      ? 'no last operation'
      : `${cluster.lastOperation.type} ${cluster.lastOperation.state}`.trim();
  return `Cluster seen: ${[operation, counted(cluster.workers.length, 'worker pool'), ...marks].join(', ')}`;
}

/** The same of a Cluster that was asked for while its stream was out (SPEC 3.5). */
export function askedClusterWords(answer: ClusterAnswer): string {
  switch (answer.outcome) {
    case 'read':
      return clusterWords(answer.reading);
    case 'gone':
      return 'the Cluster is gone';
    case 'failed':
      return `the Cluster could not be asked for: ${answer.detail}`;
  }
}
