import type { Alert } from './alert.ts';

/** Whether a watchdog is there at all, and one of each role acts. */
export const presenceAlerts: readonly Alert[] = [
  {
    name: 'WatchdogProberAbsent',
    severity: 'critical',
    expr: 'absent(dwd_probes_active)',
    for: '5m',
    summary: 'No prober is there: no shoot of this seed is protected',
    means:
      'Prometheus sees no prober. Either none runs, or it cannot be scraped. If none runs, an outage of a network is a meltdown: healthy nodes are taken for dead.',
    look: [
      '`kubectl -n garden get deployments,pods | grep dependency-watchdog-prober`: does it run, and is it ready?',
      '`kubectl -n garden describe pod …` and `kubectl -n garden logs … --previous`: why did it end? A configuration that is wrong is named in full on the last lines.',
      'Prometheus, Status → Targets: if it runs, is it scraped? The port is 9643, and a network policy must let Prometheus in.',
    ],
    act: [
      'If it cannot start after a change, take the change back. Its state is in the cluster: nothing is lost by a restart.',
      'If a shoot stays down meanwhile, `dependency-watchdog release --shoot=NAMESPACE` raises it.',
    ],
  },
  {
    name: 'WatchdogProberWithoutLeader',
    severity: 'critical',
    expr: 'max(dwd_leader and dwd_probes_active) < 1',
    for: '2m',
    summary: 'Probers run, but none of them leads: no shoot of this seed is protected',
    means:
      'Each prober stands by, or, without an election, cannot read the seed. A change of the leader takes 20 s at most.',
    look: [
      'The log of each prober, the lines `cannot hold the Lease`, `cannot watch` and `leadership`: each says why, once a minute.',
      '`kubectl -n garden get lease dwd-prober-leader-election -o yaml`: who holds it, and is it renewed?',
    ],
    act: [
      'If the seed refuses the Lease, apply the roles of `deploy/` again.',
      'If somebody holds the Lease who is gone, it runs out by itself within 15 s. If it does not, delete it.',
    ],
  },
  {
    name: 'WatchdogWeederAbsent',
    severity: 'warning',
    expr: 'absent(dwd_weeders_active)',
    for: '5m',
    summary: 'No weeder is there: control planes recover slowly',
    means:
      'Prometheus sees no weeder. Pods that crash-loop after an outage of etcd come back by themselves, but minutes later. If you run no weeder, leave this rule out.',
    look: [
      '`kubectl -n garden get deployments,pods | grep dependency-watchdog-weeder`, and the log of its last run.',
      'Prometheus, Status → Targets: if it runs, is it scraped?',
    ],
    act: ['As for [WatchdogProberAbsent](#watchdogproberabsent).'],
  },
  {
    name: 'WatchdogWeederWithoutLeader',
    severity: 'warning',
    expr: 'max(dwd_leader and dwd_weeders_active) < 1',
    for: '2m',
    summary: 'Weeders run, but none of them leads',
    means: 'Each weeder stands by, or, without an election, cannot read the seed.',
    look: ['The log of each weeder, the lines `cannot hold the Lease`, `cannot watch` and `leadership`.'],
    act: [
      'As for [WatchdogProberWithoutLeader](#watchdogproberwithoutleader); the Lease is `dwd-weeder-leader-election`.',
    ],
  },
  {
    name: 'WatchdogTwoLeaders',
    severity: 'critical',
    expr: 'sum(dwd_leader and dwd_probes_active) > 1 or sum(dwd_leader and dwd_weeders_active) > 1',
    for: '2m',
    summary: 'Two watchdogs of one role lead',
    means:
      'Two processes of one role act on the same seed. Each write names the version that it saw, so nothing is overwritten, but they may undo what the other did. One Prometheus that sees two seeds looks the same: add a label of the seed to the rule then.',
    look: [
      '`kubectl get deployments -A | grep dependency-watchdog`: is a second one installed, or does one run with more than one replica and without `--enable-leader-election`?',
      'The log, line `leadership`: who leads, and by which Lease (`--leader-election-namespace`)?',
    ],
    act: ['Leave one Deployment of each role, with the election on if it has more than one replica.'],
  },
  {
    name: 'WatchdogRestartsOften',
    severity: 'warning',
    expr: 'max by (instance) (changes((process_start_time_seconds and on (instance, job) dwd_build_info)[1h:1m])) > 3',
    summary: 'The watchdog on {{ $labels.instance }} started more than 3 times within an hour',
    means:
      'It crashes, is killed, or loses its lead again and again. Each time it takes seconds until all shoots are probed again.',
    look: [
      '`kubectl -n garden get pods`: the column RESTARTS, and `describe pod`: is the reason `OOMKilled`, a failed probe, or an error?',
      'The last lines of `kubectl -n garden logs … --previous`: `the prober ends` says why.',
    ],
    act: [
      'OOMKilled: raise the memory limit. 256 MiB is enough for some hundreds of shoots.',
      '`the prober ends by a bug`: please report it, with the journal.',
      'The lead is lost: the seed answers slowly, see [WatchdogSeedSlow](#watchdogseedslow).',
    ],
  },
];
