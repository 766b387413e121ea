import { jitterFactor } from '../../adapters/election/leader-election.ts';
import { defaultRate, rateOf, type Rate } from '../../adapters/seed-client/rate-limit.ts';
import { writeGoDuration } from '../../domain/go-duration.ts';
import type { Millis } from '../../domain/time.ts';
import { wrongCommandLine, type Refusal } from '../command.ts';
import { boolFlag, choiceFlag, durationFlag, floatFlag, intFlag, requiredFlag, stringFlag } from '../flag.ts';
import { flagSet, type FlagValues } from '../go-flags.ts';
import { addressFlag, logLevelFlag, type ListenAddress, type LogLevel } from './role-flag-kinds.ts';
import { usualLeaseNamespace, type RoleName } from './role.ts';

/** The flags of prober and weeder (SPEC 1.2), with every default filled in. */
export type RoleFlags = Readonly<{
  configFile: string;
  /** Absent: `$KUBECONFIG`, else the service account, else `~/.kube/config`. */
  kubeconfig?: string;
  /** One limit for the whole seed client. */
  rate: Rate;
  /** Absent: off. */
  metricsAddress?: ListenAddress;
  healthAddress?: ListenAddress;
  inspectorAddress?: ListenAddress;
  /** Absent: the journal is kept in memory. */
  journalDir?: string;
  /** Absent: no election, this process leads. */
  leaderElection?: LeaderElectionFlags;
  logLevel: LogLevel;
  /** Sentences to be said once at the start: flags that are accepted and have no effect. */
  notices: readonly string[];
}>;

export type LeaderElectionFlags = Readonly<{
  namespace: string;
  /** leaseDuration > renewDeadline > 1.2 × retryPeriod > 0. */
  leaseDuration: Millis;
  renewDeadline: Millis;
  retryPeriod: Millis;
}>;

const declared = {
  configFile: requiredFlag({ placeholder: 'FILE', help: 'the configuration, a YAML file; required' }),
  kubeconfig: stringFlag({
    placeholder: 'FILE',
    help: "the seed's kubeconfig; else $KUBECONFIG, else the in-cluster service account, else ~/.kube/config",
  }),
  kubeApiQps: floatFlag({
    default: defaultRate.qps,
    help: 'requests a second to the seed; 0 takes the default, below 0 there is no limit',
  }),
  kubeApiBurst: intFlag({
    default: defaultRate.burst,
    help: 'requests to the seed at once; 0 takes the default, below 0 there is no limit',
  }),
  concurrentReconciles: intFlag({ default: 1, help: 'accepted; shoots are independent of each other anyway' }),
  metricsBindAddr: addressFlag({ default: ':9643', help: 'where /metrics is served; 0 or empty turns it off' }),
  healthBindAddr: addressFlag({
    default: ':9644',
    help: 'where /healthz and /readyz are served; 0 or empty turns them off',
  }),
  pprofBindAddr: stringFlag({ placeholder: 'ADDRESS', help: 'accepted, without effect' }),
  inspectorBindAddr: addressFlag({
    default: '127.0.0.1:9645',
    help: 'where the inspector is served, for kubectl port-forward; 0 or empty turns it off',
  }),
  journalDir: stringFlag({
    placeholder: 'DIR',
    help: 'where the journal is written; without it, it is kept in memory',
  }),
  enableLeaderElection: boolFlag({ help: 'let one replica act while the others stand by' }),
  leaderElectionNamespace: stringFlag({
    default: usualLeaseNamespace,
    placeholder: 'NAMESPACE',
    help: 'where the Lease of the election is kept',
  }),
  leaderElectLeaseDuration: durationFlag({ default: 15_000, help: 'how long an unrenewed leader is left alone' }),
  leaderElectRenewDeadline: durationFlag({ default: 10_000, help: 'how long a leader that cannot renew goes on' }),
  leaderElectRetryPeriod: durationFlag({ default: 2_000, help: 'from one try to become or stay leader to the next' }),
  zapLogLevel: logLevelFlag('DEBUG, INFO, ERROR, PANIC, or a number above 0, in upper or lower case'),
  zapDevel: boolFlag({ help: 'accepted, without effect' }),
  zapEncoder: choiceFlag({ choices: ['json', 'console'], default: 'json', help: 'accepted; logs are JSON lines' }),
  zapStacktraceLevel: choiceFlag({
    choices: ['info', 'warn', 'error', 'panic'],
    default: 'error',
    placeholder: 'LEVEL',
    help: 'accepted, without effect',
  }),
  zapTimeEncoding: choiceFlag({
    choices: ['epoch', 'millis', 'nano', 'nanos', 'iso8601', 'rfc3339', 'rfc3339nano'],
    default: 'rfc3339',
    placeholder: 'ENCODING',
    help: 'accepted, without effect',
  }),
} as const;

/** Reads the command line that prober and weeder have in common. */
export function readRoleFlags(
  command: RoleName,
  args: readonly string[],
): Readonly<{ ok: true; flags: RoleFlags }> | Refusal {
  const parsed = flagSet(command, declared).parse(args);
  if (!parsed.ok) return parsed;
  const { values } = parsed;
  const wrong = values.enableLeaderElection ? leaderElectionProblem(values) : undefined;
  if (wrong !== undefined) return wrongCommandLine(command, wrong);
  return { ok: true, flags: toRoleFlags(values) };
}

function toRoleFlags(values: FlagValues<typeof declared>): RoleFlags {
  const pprof = values.pprofBindAddr ?? '';
  return {
    configFile: values.configFile,
    ...(values.kubeconfig ? { kubeconfig: values.kubeconfig } : {}),
    rate: rateOf({ qps: values.kubeApiQps, burst: values.kubeApiBurst }),
    ...(values.metricsBindAddr ? { metricsAddress: values.metricsBindAddr } : {}),
    ...(values.healthBindAddr ? { healthAddress: values.healthBindAddr } : {}),
    ...(values.inspectorBindAddr ? { inspectorAddress: values.inspectorBindAddr } : {}),
    ...(values.journalDir ? { journalDir: values.journalDir } : {}),
    ...(values.enableLeaderElection ? { leaderElection: leaderElection(values) } : {}),
    logLevel: values.zapLogLevel,
    notices:
      pprof === '' || pprof === '0' ? [] : [`--pprof-bind-addr=${pprof} has no effect: there is no Go profile here`],
  };
}

function leaderElection(values: FlagValues<typeof declared>): LeaderElectionFlags {
  return {
    namespace: values.leaderElectionNamespace,
    leaseDuration: values.leaderElectLeaseDuration,
    renewDeadline: values.leaderElectRenewDeadline,
    retryPeriod: values.leaderElectRetryPeriod,
  };
}

/** client-go refuses to start on the same conditions. */
function leaderElectionProblem(values: FlagValues<typeof declared>): string | undefined {
  const { namespace, leaseDuration, renewDeadline, retryPeriod } = leaderElection(values);
  const [lease, renew, retry] = [leaseDuration, renewDeadline, retryPeriod].map(writeGoDuration);
  if (namespace === '') return '--leader-election-namespace is empty, but leader election is on';
  if (retryPeriod <= 0) return `--leader-elect-retry-period=${retry} must be above 0`;
  // A candidate waits up to this much longer than the retry period: not even one try would fit into the deadline.
  if (renewDeadline <= jitterFactor * retryPeriod) {
    return `--leader-elect-renew-deadline=${renew} must be longer than 1.2 times --leader-elect-retry-period=${retry}`;
  }
  if (leaseDuration <= renewDeadline) {
    return `--leader-elect-lease-duration=${lease} must be longer than --leader-elect-renew-deadline=${renew}`;
  }
  return undefined;
}
