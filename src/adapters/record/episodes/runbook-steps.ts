import type { Instant, Millis } from '../../../domain/time.ts';
import type { Episode } from './episode.ts';

/** The first thing to do, as it stands in docs/runbooks.md under the name of the alert. */
export type RunbookStep = Readonly<{ step: string; alert: string }>;

/** Where that is, from the root of this repository on. */
export function runbookPlace({ alert }: Pick<RunbookStep, 'alert'>): string {
  return `docs/runbooks.md#${alert.toLowerCase()}`;
}

function inRunbook(alert: string, step: string): RunbookStep {
  return { step, alert };
}

/** A test holds each to its runbook. */
export const runbookSteps = {
  tooLate: inRunbook(
    'ShootProtectedTooLate',
    'In the shoot: `kubectl get nodes`, and on the seed its Machines: is one being replaced?',
  ),
  notDown: inRunbook(
    'ShootNotProtected',
    '`dependency-watchdog status --config-file=config.yaml NAMESPACE`: what is not at 0?',
  ),
  raised: inRunbook(
    'ShootNotProtected',
    'Did somebody raise a dependant in the outage? `kubectl -n NAMESPACE get deployments -o yaml --show-managed-fields` names who wrote `replicas`. Talk to them, or it happens again.',
  ),
  cutOff: inRunbook('ShootCutOff', 'Repair the way from the nodes to the API server. The rest happens by itself.'),
  notBack: inRunbook(
    'ShootDoesNotComeBack',
    '`dependency-watchdog status --config-file=config.yaml NAMESPACE`, then `kubectl -n NAMESPACE get deployments,pods`: which dependant is at 0, or not ready, and why?',
  ),
  partlyCutOff: inRunbook('ShootPartlyCutOff', 'Repair the way of these nodes to their API server.'),
  unreadable: inRunbook('ShootBlind', 'If its Cluster cannot be read, let Gardener reconcile the shoot.'),
  weeding: inRunbook(
    'WeederDoesNotWork',
    "In the weeder's log, the lines `cannot hold the Lease` (the Lease is `dwd-weeder-leader-election`), `cannot watch`, `deletions fail`: which resource or pod, and the sentence of the seed.",
  ),
  bug: inRunbook(
    'WatchdogUnwell',
    'please report it, with these lines and the journal (`/journal`, or the directory).',
  ),
} satisfies Readonly<Record<string, RunbookStep>>;

/** A way up has delays of half a minute between its levels; beyond this it is not on its way. */
const wayUp: Millis = 5 * 60_000;

/** What is to be done about it now; undefined where nothing is, since it is over, or will be by itself. */
export function stepOf(
  { kind, machine, weight, endedAt, stages, data, odds = [] }: Episode,
  now: Instant,
): RunbookStep | undefined {
  const goesOn = endedAt === null;
  switch (kind) {
    case 'outage': {
      if (odds.some(({ what }) => what === 'tooLate')) return runbookSteps.tooLate;
      if (odds.some(({ what }) => what === 'notDown')) return goesOn ? runbookSteps.notDown : runbookSteps.tooLate;
      if (odds.some(({ what }) => what === 'notReady')) return runbookSteps.notBack;
      // While it goes on, the way is what is to be repaired.
      if (!goesOn) return odds.some(({ what }) => what === 'raised') ? runbookSteps.raised : undefined;
      if (weight === 'notable') return undefined;
      const connected = stages.findLast(({ name }) => name === 'connected again');
      if (connected === undefined) return runbookSteps.cutOff;
      return now - connected.at > wayUp ? runbookSteps.notBack : undefined;
    }
    case 'recovery':
      // One whose service is down again has no pod to restart yet.
      return weight === 'notable' || (goesOn && data['downAgainAt'] !== undefined) ? undefined : runbookSteps.weeding;
    case 'refusal':
      if (machine === 'weeder') return goesOn ? runbookSteps.weeding : undefined;
      if (weight === 'bad') return goesOn ? runbookSteps.notDown : runbookSteps.tooLate;
      return goesOn ? runbookSteps.notBack : undefined;
    case 'bug':
      return runbookSteps.bug;
    case 'pause':
      return weight !== 'notable' && goesOn ? runbookSteps.unreadable : undefined;
    case 'partial':
      if (goesOn) return runbookSteps.partlyCutOff;
      return weight === 'bad' ? runbookSteps.tooLate : undefined;
    case 'oddLeases':
    case 'unreachable':
      return undefined;
  }
}
