import { jitterFactor, leaseNameOf, usualLeaseNamespace } from '../../adapters/election/lease-record.ts';
import { defaultRate, rateOf, type Rate } from '../../adapters/seed-client/rate.ts';
import { writeGoDuration } from '../../domain/go-duration.ts';
import type { Millis } from '../../domain/time.ts';
import { wrongCommandLine, type Refusal } from '../command.ts';
import {
  addressFlag,
  boolFlag,
  choiceFlag,
  durationFlag,
  floatFlag,
  intFlag,
  logLevelFlag,
  openToOthers,
  requiredFlag,
  stringFlag,
  type ListenAddress,
  type LogLevel,
} from '../flag.ts';
import { flagSet, type FlagValues } from '../go-flags.ts';
import type { RoleName } from '../../domain/names.ts';

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

const fatalAddress = '0 or empty turns it off; an address that cannot be used ends the program';

/** What the flags mean for one role and not for the other. */
const ownWords: Readonly<Record<RoleName, Readonly<{ subjects: string; lanes: string }>>> = {
  prober: { subjects: 'shoots', lanes: 'scale-downs have 25 times as much, scale-ups five times the rate' },
  weeder: { subjects: 'services', lanes: 'requests for pods have 25 times as much' },
};

function declaredFor(role: RoleName) {
  const { subjects, lanes } = ownWords[role];
  const limits = `0 means the default, below 0 means no limit; ${lanes}, of their own`;
  return {
    configFile: requiredFlag({
      placeholder: 'FILE',
      help: `the ${role}'s configuration, a YAML file; required; "validate --example ${role}" prints one to begin with`,
    }),
    kubeconfig: stringFlag({
      placeholder: 'FILE',
      help: "the seed's kubeconfig; without it $KUBECONFIG, else the pod's service account, else ~/.kube/config",
    }),
    kubeApiQps: floatFlag({
      default: defaultRate.qps,
      help: `requests per second to the seed; ${limits}`,
    }),
    kubeApiBurst: intFlag({
      default: defaultRate.burst,
      help: `requests to the seed at once; ${limits}`,
    }),
    concurrentReconciles: intFlag({
      default: 1,
      help: `accepted, without effect: ${subjects} never wait for each other`,
    }),
    metricsBindAddr: addressFlag({ default: ':9643', help: `where /metrics is served; ${fatalAddress}` }),
    healthBindAddr: addressFlag({ default: ':9644', help: `where /healthz and /readyz are served; ${fatalAddress}` }),
    pprofBindAddr: stringFlag({ placeholder: 'ADDRESS', help: 'accepted, without effect' }),
    inspectorBindAddr: addressFlag({
      default: '127.0.0.1:9645',
      help:
        "where the inspector's page and /journal are served, for kubectl port-forward; 0 or empty turns it off; " +
        'an address that cannot be used is only a warning',
    }),
    journalDir: stringFlag({
      placeholder: 'DIR',
      help: 'the directory to which the journal is written, made if its parent exists; without it, the journal stays in memory',
    }),
    enableLeaderElection: boolFlag({
      help: 'let one replica act, while the others stand by; without it, this one acts at once',
    }),
    leaderElectionNamespace: stringFlag({
      default: usualLeaseNamespace,
      placeholder: 'NAMESPACE',
      help: `the namespace of the Lease ${leaseNameOf(role)}, by which the leader is elected`,
    }),
    leaderElectLeaseDuration: durationFlag({
      default: 15_000,
      help: 'for how long a leader that does not renew its Lease is left alone',
    }),
    leaderElectRenewDeadline: durationFlag({
      default: 10_000,
      help: 'for how long a leader that cannot renew its Lease goes on',
    }),
    leaderElectRetryPeriod: durationFlag({
      default: 2_000,
      help: 'the time from one try to become, or to stay, leader to the next',
    }),
    zapLogLevel: logLevelFlag(
      'which lines are written: DEBUG, INFO, WARN, ERROR or PANIC, in upper or lower case, or a number from 1 (DEBUG) on',
    ),
    zapDevel: boolFlag({ help: 'accepted, without effect' }),
    zapEncoder: choiceFlag({
      choices: ['json', 'console'],
      default: 'json',
      help: 'accepted, without effect: the log is JSON lines',
    }),
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
}

type RoleFlagValues = FlagValues<ReturnType<typeof declaredFor>>;

export function roleFlagSet(role: RoleName) {
  return flagSet(role, declaredFor(role));
}

/** Reads the command line that prober and weeder have in common. */
export function readRoleFlags(
  command: RoleName,
  args: readonly string[],
): Readonly<{ ok: true; flags: RoleFlags }> | Refusal {
  const parsed = roleFlagSet(command).parse(args);
  if (!parsed.ok) return parsed;
  const { values } = parsed;
  const election = leaderElectionProblem(values);
  const wrong = sameAddressProblem(values) ?? (values.enableLeaderElection ? election : undefined);
  if (wrong !== undefined) return wrongCommandLine(command, wrong);
  return { ok: true, flags: { ...toRoleFlags(values), notices: noticesOf(values, election) } };
}

/** What can be done without, and yet is most likely a mistake: a manifest that worked with Go's watchdog goes on working. */
function noticesOf(values: RoleFlagValues, election: string | undefined): readonly string[] {
  const pprof = values.pprofBindAddr ?? '';
  const open = openToOthers(values.inspectorBindAddr);
  return [
    ...(pprof === '' || pprof === '0' ? [] : [`--pprof-bind-addr=${pprof} has no effect: there is no Go profile here`]),
    ...(open === undefined ? [] : [`--inspector-bind-addr ${open}`]),
    ...(values.journalDir === '' ? ['--journal-dir is empty, so the journal is kept in memory only'] : []),
    ...(election === undefined || values.enableLeaderElection
      ? []
      : [`${election}; this has no effect, because --enable-leader-election is not set`]),
  ];
}

/** The system would say it of one of them: that it is in use. */
function sameAddressProblem({ metricsBindAddr: metrics, healthBindAddr: health }: RoleFlagValues): string | undefined {
  if (metrics === undefined || metrics.port === 0) return undefined;
  if (metrics.port !== health?.port || metrics.host !== health.host) return undefined;
  return `--metrics-bind-addr and --health-bind-addr must not be the same address; found port ${metrics.port} twice`;
}

function toRoleFlags(values: RoleFlagValues): Omit<RoleFlags, 'notices'> {
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
  };
}

function leaderElection(values: RoleFlagValues): LeaderElectionFlags {
  return {
    namespace: values.leaderElectionNamespace,
    leaseDuration: values.leaderElectLeaseDuration,
    renewDeadline: values.leaderElectRenewDeadline,
    retryPeriod: values.leaderElectRetryPeriod,
  };
}

const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** client-go refuses to start on the same conditions, where election is on. */
function leaderElectionProblem(values: RoleFlagValues): string | undefined {
  const { namespace, leaseDuration, renewDeadline, retryPeriod } = leaderElection(values);
  const [lease, renew, retry] = [leaseDuration, renewDeadline, retryPeriod].map(writeGoDuration);
  if (!namespaceName.test(namespace)) {
    return `--leader-election-namespace must be the name of a namespace, such as garden; found ${JSON.stringify(namespace)}`;
  }
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
