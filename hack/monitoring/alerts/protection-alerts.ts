import type { Alert } from './alert.ts';

/** Whether shoots are protected in time, and come back. */
export const protectionAlerts: readonly Alert[] = [
  {
    name: 'WatchdogManyShootsDown',
    severity: 'critical',
    expr: 'sum(dwd_shoots{state=~"scalingDown|scaledDown"}) >= 3 and sum(dwd_shoots{state=~"scalingDown|scaledDown"}) > 0.25 * sum(dwd_shoots{state!="idle"})',
    for: '1m',
    summary: 'More than a quarter of the shoots of this seed are cut off from their nodes',
    means:
      'The watchdog works: it took down what would replace healthy machines. But so many shoots at once have one cause, and it is in the network of the seed, or between the seed and the nodes.',
    look: [
      'The dashboard of the seed: since when, and is it still getting worse? `dependency-watchdog status` names the shoots.',
      'What the shoots have in common: the seed, a region, a load balancer, a VPN, a certificate, a change of the last hour.',
      'From a node of a shoot: `curl -k https://api.…/healthz`. From the seed: does the load balancer of the API servers answer?',
    ],
    act: [
      'Repair the network. Shoots come back by themselves within seconds of their kubelets.',
      'Do not scale anything up by hand: the prober would take it down again, and rightly so.',
    ],
  },
  {
    name: 'ShootScaledDown',
    severity: 'info',
    expr: 'max by (shoot) (dwd_shoot_state{state=~"scalingDown|scaledDown"}) == 1',
    for: '15m',
    summary: '{{ $labels.shoot }} is cut off from its nodes, and protected',
    means:
      'Its leases have expired; with two paths, its API server does not answer on the external one. kube-controller-manager, machine-controller-manager and cluster-autoscaler are at 0, so no healthy machine is replaced. Meanwhile no node is added or repaired, and no Deployment in the shoot is rolled.',
    look: [
      '`dependency-watchdog status --shoot=NAMESPACE`: since when, what is down, and is anything at odds with it?',
      '`kubectl -n NAMESPACE get deployments`: what is at 0? The annotation `dependency-watchdog.gardener.cloud/meltdown-protection-active` is on what the watchdog took down.',
      'The log of the prober, `shoot=NAMESPACE`: which leases expired, or how the external path failed, and since when.',
      'The shoot: can its nodes reach its API server?',
    ],
    act: [
      'Repair the way from the nodes to the API server. The rest happens by itself.',
      'If the nodes are really gone, annotate the dependants with `dependency-watchdog.gardener.cloud/ignore-scaling=true` and scale them up.',
    ],
  },
  {
    name: 'ShootDownForLong',
    severity: 'warning',
    expr: 'max by (shoot) (dwd_shoot_state{state=~"scalingDown|scaledDown"}) == 1',
    for: '2h',
    summary: '{{ $labels.shoot }} has been cut off from its nodes for 2 hours',
    means:
      'As [ShootScaledDown](#shootscaleddown), but for so long that its owner feels it: certificates are not renewed, volumes are not moved, broken nodes are not replaced.',
    look: [
      'As for [ShootScaledDown](#shootscaleddown).',
      'Are all kubelets stopped, or is the shoot being deleted, or its network changed on purpose?',
    ],
    act: [
      'Tell the owner of the shoot.',
      'If its nodes will not come back, annotate its dependants with `ignore-scaling`, and scale them up: then machines are replaced.',
    ],
  },
  {
    name: 'ShootDoesNotComeBack',
    severity: 'warning',
    expr: 'max by (shoot) (dwd_shoot_state{state="scalingUp"}) == 1',
    for: '20m',
    summary: '{{ $labels.shoot }} is connected again, but is not all up after 20 minutes',
    means:
      'Its nodes renew their leases, or its external path answers, and the prober scales up, but a dependant does not get ready or its write does not succeed.',
    look: [
      '`dependency-watchdog status --shoot=NAMESPACE`, then `kubectl -n NAMESPACE get deployments,pods`: which dependant is at 0, or not ready, and why?',
      'The log of the prober, `shoot=NAMESPACE`: `write failed`, `scaling not done in time`, `dependant missing`.',
    ],
    act: [
      'Repair the dependant: an image that cannot be pulled, a webhook that refuses, a node without room.',
      'What is still down by our hand, `dependency-watchdog release --shoot=NAMESPACE` raises.',
    ],
  },
  {
    name: 'ShootsFlap',
    severity: 'warning',
    expr: 'max(dwd_shoots_flapping) > 0',
    for: '1m',
    summary: 'A shoot is cut off and back again and again',
    means: 'It was scaled down 3 times within 10 minutes. Its network comes and goes, and its control plane with it.',
    look: ['The log of the prober, line `flapping`: which shoot.', 'The dashboard of one shoot: in which rhythm?'],
    act: [
      'Repair its network: often one of several load balancers, or a VPN that is restarted again and again.',
      'Until then `ignore-scaling` on its dependants keeps them as they are. It also takes the protection away.',
    ],
  },
  {
    name: 'WatchdogTooLate',
    severity: 'critical',
    expr: 'sum(increase(dwd_kcm_margin_seconds_bucket{le="0"}[1h])) > 0.5',
    summary: 'A shoot was protected too late: nodes may have been marked',
    means:
      'Everything was down only after the kube-controller-manager could have marked the first node. Pods may have been evicted, and machines replaced.',
    look: [
      'The log, line `shielded`: which shoot, and by how much. Then all lines of that shoot before it: what took the time?',
      '`dependency-watchdog replay` of the journal shows each step with its time.',
      'In the shoot: `kubectl get nodes`, and on the seed its Machines: is one being replaced?',
      'With two paths no lease is known. The figure is the worst case then: a node that renewed 10 s before the path was last seen to carry. The true one may be better, by an interval and more.',
      'Was the API server of the shoot itself away? Then its leases expired meanwhile, and the first probe after it finds them so (`probe tells again` just before). The figure is worse than the truth then: the kube-controller-manager begins to count anew when it is back.',
    ],
    act: [
      'Two paths, and every outage is late: `dependency-watchdog validate` says how late the configuration alone makes it. A shorter `probeInterval`, a smaller `failureThreshold`, and no `initialDelay` on the way down help.',
      'A dependant that ends slowly: look at its `terminationGracePeriodSeconds`.',
      'A seed that answers slowly or with 429: see [WatchdogSeedSlow](#watchdogseedslow) and [WatchdogThrottled](#watchdogthrottled).',
      'A process that is too busy: see [WatchdogOverloaded](#watchdogoverloaded).',
    ],
  },
  {
    name: 'WatchdogMarginSmall',
    severity: 'warning',
    expr: 'sum(increase(dwd_kcm_margin_seconds_bucket{le="2"}[6h])) - sum(increase(dwd_kcm_margin_seconds_bucket{le="0"}[6h])) > 0.5',
    summary: 'A shoot was protected less than 2 s before its first node would have been marked',
    means: 'It was in time, but the next one may not be. Usual are 5 to 10 s.',
    look: [
      'As for [WatchdogTooLate](#watchdogtoolate).',
      'The dashboard of the seed: has the margin become smaller over weeks?',
    ],
    act: ['As for [WatchdogTooLate](#watchdogtoolate), in daylight.'],
  },
  {
    name: 'WatchdogDecidesLate',
    severity: 'warning',
    expr: 'sum(increase(dwd_decision_delay_seconds_count[1h])) - sum(increase(dwd_decision_delay_seconds_bucket{le="2"}[1h])) > 0.5 unless on () count(dwd_probe_failures_total{probe="external"})',
    summary: 'More than 2 s passed between the threshold and the first scale-down',
    means:
      'A shoot had lost enough leases, but the prober needed more than 2 s to decide. Usual is a tenth of a second. The shoot answered slowly, was probed late, or the process was busy. With two paths it is silent: there the counting of failures is in the figure, and [WatchdogTooLate](#watchdogtoolate) watches the time.',
    look: [
      'The log of that shoot: `probe fails` before it was cut off?',
      'The dashboard of the program: how long do probes take?',
      'The dashboard of the program: the lag of the event loop, and the CPU.',
    ],
    act: [
      'A slow shoot is its own problem. If several are late at once, see [WatchdogOverloaded](#watchdogoverloaded).',
    ],
  },
  {
    name: 'WatchdogScalingFails',
    severity: 'critical',
    expr: 'sum by (direction) (increase(dwd_scale_operations_total{result="failed"}[15m])) > 0',
    for: '5m',
    summary: 'The seed refuses our writes on the way {{ $labels.direction }}',
    means:
      'Dependants cannot be scaled. On the way down shoots are not protected; on the way up they stay down. Each write is tried again every 5 s.',
    look: [
      'The log, line `write failed`: the status and the sentence of the seed. 403: a role. 422 or 400: an admission webhook. 409 is no failure.',
      '`kubectl auth can-i patch deployments --as=system:serviceaccount:garden:dependency-watchdog-prober -n NAMESPACE`.',
    ],
    act: ['Apply the roles of `deploy/` again, or repair the webhook. The prober goes on by itself.'],
  },
  {
    name: 'WatchdogScalingTimesOut',
    severity: 'warning',
    expr: 'sum by (direction) (increase(dwd_timed_out_steps_total[30m])) > 0',
    summary: 'A dependant did not follow within its timeout on the way {{ $labels.direction }}',
    means:
      'The write was taken, but the replicas did not change in time. On the way down the next level is not begun before.',
    look: [
      'The log, line `scaling not done in time`: which dependant of which shoot.',
      'Its pods: do they hang in Terminating, or in Pending? Is the kube-controller-manager of the seed well?',
    ],
    act: ['Repair the pods. If the dependant is just slow, give it a longer `timeout` in the configuration.'],
  },
  {
    name: 'WatchdogDependantMissing',
    severity: 'info',
    expr: 'sum by (direction) (increase(dwd_missing_dependants_total[1h])) > 0',
    summary: 'A dependant that is not optional does not exist',
    means:
      'The configuration names a Deployment that a shoot does not have. On the way down that counts as down; on the way up the shoot is not all back until it exists.',
    look: ['The log, line `dependant missing`: which one, in which namespace. Is the shoot being created or deleted?'],
    act: ['If shoots may rightly be without it, set `optional: true` in the configuration.'],
  },
  {
    name: 'WatchdogRecordUnreadable',
    severity: 'warning',
    expr: 'sum(increase(dwd_unreadable_records_total[1h])) > 0',
    summary: 'A dependant came back with 1 replica, because its record could not be read',
    means:
      'Somebody changed the annotation `dependency-watchdog.gardener.cloud/replicas` of a dependant that was down. It may have had more than 1 replica before.',
    look: ['The log, line `recorded replicas unreadable`: which dependant of which shoot.'],
    act: [
      'Set the replicas that it should have. For Gardener’s own dependants 1 is usually right, and the next reconciliation sets it anyway.',
    ],
  },
];
