import type { Instant } from '../../../domain/time.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ShootNote } from '../../../machines/shoot-language.ts';
import { oddWords, partialOutageWords, unjudgedWords } from './lease-words.ts';
import { failureWords, pathWords, verdictWords } from './probe-words.ts';
import { counted, endedWords, seconds } from '../../words/plain-words.ts';
import { changeWords, raisedByOthersWords, shortName, viewWords, waitWords, whyNotWritten } from './write-words.ts';
import type { ClusterAnswer, ClusterReading } from '../../../domain/prober/cluster-view.ts';

/** An event as an operator would tell it, without time and shoot: `probe 12 answered: 5 leases, oldest 31.2 s old`. */
export function shootEventWords(event: ShootTurn['event']): string {
  switch (event.type) {
    case 'started':
      return event.input.followed ? 'started, taking over as leader' : 'started';
    case 'ended':
      return endedWords(event, 'the Cluster', shootEventWords);
    case 'cluster.changed':
      return clusterWords(event.reading);
    case 'cluster.gone':
      return 'Cluster gone';
    case 'cluster.watched':
      return watchWords('Clusters', event);
    case 'dependant.changed':
      return `${shortName(event.key)} seen${event.rewound ? ' in a restored seed' : ''}: ${viewWords(event.view)}`;
    case 'dependant.watched':
      return watchWords(shortName(event.key), event);
    case 'woken':
      return 'woken';
    case 'probe.answered':
      return `probe ${event.number} answered: ${counted(event.leases.length, 'lease')}${ageWords(event)}`;
    case 'probe.failed':
      return `probe ${event.number} failed: ${failureWords.line(event.failure)}`;
    case 'probe.reserved':
      return event.probeAt === null
        ? 'no place for a probe before the regular one'
        : `a place for a probe in ${seconds(event.probeAt - event.at)}`;
    case 'candidates.answered':
      return `listing ${event.number} answered: ${counted(event.nodes.length, 'node')}, ${counted(event.machines.length, 'Machine')}${event.cluster === undefined ? '' : `; ${askedClusterWords(event.cluster)}`}`;
    case 'candidates.failed':
      return `listing ${event.number} failed: ${failureWords.line(event.failure)}`;
    case 'path.answered':
      return `probe ${event.number}: the ${pathWords.line(event)}`;
    case 'cluster.answered':
      return `probe ${event.number}: ${askedClusterWords(event.cluster)}`;
    case 'scale.answered': {
      const { asked, answer } = event;
      const write = `write ${asked.number} on ${shortName(asked.key)}`;
      if (answer.outcome === 'written') return `${write} done: ${viewWords(answer.view)}`;
      const why = whyNotWritten(asked, answer);
      return why === undefined ? `${write}: ${answer.outcome}` : `${write} ${answer.outcome}: ${why}`;
    }
    case 'read.answered': {
      const { asked, answer } = event;
      const read = `read ${asked.number} of ${shortName(asked.key)}`;
      return answer.outcome === 'read'
        ? `${read}: ${viewWords(answer.view)}`
        : `${read} ${answer.outcome}: ${answer.detail}`;
    }
  }
}

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
export function shootNoteWords(note: ShootNote, at: Instant): string {
  switch (note.kind) {
    case 'verdict':
      return verdictWords.note(note, at);
    case 'paused':
      return `paused: ${note.reason}`;
    case 'probeLost':
      return `probe ${note.number} was never answered, not even with a failure: this process stood still for want of CPU or memory, or it is a bug of the watchdog`;
    case 'dependantMissing':
      return `${shortName(note.key)} does not exist, and ${note.direction === 'down' ? 'counts as scaled down' : 'cannot be scaled up'}`;
    case 'dependantRefused':
      return `${shortName(note.key)} may not be read: ${note.detail}`;
    case 'clockDiffers':
      return `the shoot's clock is ${seconds(Math.abs(note.ahead))} ${note.ahead > 0 ? 'ahead of' : 'behind'} ours`;
    case 'leasesAhead':
      return `${counted(note.leases.count, 'lease')} ${note.leases.count === 1 ? 'is' : 'are'} ahead of the time: ${oddWords(note.leases, 'by')}; they are judged by when they were seen to move. Check the clocks of the nodes`;
    case 'leasesAheadOver':
      return 'no lease is ahead of the time any more';
    case 'leasesInDoubt': {
      const { leases, until, silentFor } = note;
      const [are, them] = leases === 1 ? ['is', 'it'] : ['are', 'them'];
      const why =
        silentFor === undefined
          ? `${counted(leases, 'lease')} may be old, or a clock may be wrong`
          : `its API server gave no answer for ${seconds(silentFor)}, and ${counted(leases, 'lease')} ${are} old`;
      return `${why}; a probe in ${seconds(until - at)} tells whether anybody renews ${them}`;
    }
    case 'leasesNotRenewed':
      return `nobody renews ${counted(note.leases.count, 'lease')}, though the nodes are Ready: ${oddWords(note.leases, 'for')}. Check whether the machines run, whether their kubelets may renew leases, and whether the kube-controller-manager works`;
    case 'leasesNotRenewedOver':
      return 'the leases of all Ready nodes are renewed again';
    case 'partialOutage':
      return partialOutageWords(note, at);
    case 'partialOutageOver':
      return 'no part of the shoot is cut off by itself any more';
    case 'renewalsLate': {
      const { late, candidates, crossesAt } = note;
      const then =
        crossesAt === undefined ? '' : `; if nobody renews, it counts as cut off in ${seconds(crossesAt - at)}`;
      return `${late} of ${candidates} leases are late${then}`;
    }
    case 'renewalsLateOver':
      return 'few of its leases are late any more';
    case 'unjudged':
      return `nobody can tell whether it is cut off: ${unjudgedWords(note)}. It is not protected, and nothing but what the watchdog took down is ever scaled`;
    case 'unjudgedOver':
      return 'its leases tell again whether it is cut off';
    case 'leasesLeftOut':
      return `the shoot has more leases than are kept; ${counted(note.leases, 'lease')}, the oldest, ${note.leases === 1 ? 'is' : 'are'} left out. Check why the leases of old nodes are not deleted there`;
    case 'internalFailed':
      return `the internal path has failed ${counted(note.failures, 'time')} in a row; nothing new is scaled, and after each failure the shoot is left alone for ${seconds(note.leftAloneUntil - at)}, until the path answers`;
    case 'earlyProbesSpent':
      return 'its leases are about to cross the threshold too often; it is probed on their account every 2 s at most';
    case 'stepTimedOut':
      return `${shortName(note.key)} ${note.direction === 'down' ? 'is not scaled down' : 'has no ready replica'} after ${seconds(note.timeout)}`;
    case 'recordUnreadable':
      return `the recorded replicas of ${shortName(note.key)} cannot be read: ${JSON.stringify(note.record)}; it is scaled to 1`;
    case 'raised':
      return raisedByOthersWords(shortName(note.key), note);
    case 'decided':
      return `the first scale-down is commanded, ${seconds(at - note.crossedAt)} after ${crossedWords(note)}`;
    case 'returnWaits':
      return waitWords(note, at);
    case 'restored':
      return `everything is brought back, ${seconds(at - note.begunAt)} after the scale-up began`;
    case 'shielded':
      return `everything is ${at > note.firstMarkAt ? 'seen to be ' : ''}scaled down${note.again ? ' again' : ''}, ${seconds(at - note.crossedAt)} after ${crossedWords(note)}, ${marginWords(note, at)}`;
  }
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
export function shootCommandWords(command: ShootTurn['commands'][number], at: Instant): string {
  switch (command.type) {
    case 'wake':
      return `wake in ${seconds(command.params.at - at)}`;
    case 'probe':
      return `probe (${command.params.number})`;
    case 'listCandidates':
      return `list nodes and Machines${command.params.cluster ? ', ask for the Cluster' : ''} (${command.params.number})`;
    case 'askPath':
      return `ask on the ${command.params.path} path (${command.params.number})`;
    case 'readCluster':
      return `ask for the Cluster (${command.params.number})`;
    case 'reserveProbe':
      return `reserve a probe in ${seconds(command.params.wanted - at)}`;
    case 'scale': {
      const { number, key, seen, change, urgent } = command.params;
      return `${changeWords(shortName(key), { seen, change })}${urgent ? ', urgently' : ''} (write ${number})`;
    }
    case 'withdraw':
      return `withdraw write ${command.params.number}`;
    case 'read':
      return `read ${shortName(command.params.key)} (${command.params.number})`;
  }
}

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
