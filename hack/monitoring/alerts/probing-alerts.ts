import type { Alert } from './alert.ts';

/** With two paths: what the external one did not tell, since it could not be asked, or too little time was left. Its other failures are verdicts. */
const untold = 'dwd_probe_failures_total{probe="external",reason=~"kubeconfig|local|lost|slow"}';
const broken = 'dwd_probe_failures_total{probe="external",reason!~"kubeconfig|local|lost|slow"}';

/** Whether the prober sees the shoots, and by clocks that are right. */
export const probingAlerts: readonly Alert[] = [
  {
    name: 'WatchdogBlindForAll',
    severity: 'critical',
    expr: `sum(rate(dwd_probe_failures_total{probe=~"apiserver|lease|internal"}[10m]) or rate(${untold}[10m])) > 0.9 * sum(rate(dwd_probe_duration_seconds_count[10m])) and sum(dwd_probes_active) > 1`,
    for: '5m',
    summary: 'Nearly every probe fails: no shoot of this seed can be judged',
    means:
      'The prober reaches the API server of no shoot, or may not read its leases; with two paths, the internal one answers nowhere, or the external one cannot even be asked. Nothing is scaled while nothing is known, so no shoot is protected. One cause for all is near the prober: its network policy, its DNS, the access Secrets.',
    look: [
      'The dashboard of the seed: what was asked (`probe`), and the `reason`.',
      '`unreachable`, `timeout`: network policies and DNS of the prober’s namespace. `unauthorized`, `kubeconfig`: the Secrets of the shoots’ access; does the token requestor renew them? `certificate`: the authority in them. `refused`: the role in the shoots.',
      '`external: kubeconfig`, and nothing else: the second Secret is missing in every shoot. Is `externalKubeConfigSecretName` right?',
    ],
    act: ['Repair what all have in common. Probes go on by themselves.'],
  },
  {
    name: 'WatchdogBlind',
    severity: 'warning',
    expr: 'sum by (shoot) (increase(dwd_probe_failures_total{probe!="external"}[15m])) > 10 or max by (shoot) (dwd_internal_path_failed) == 1',
    for: '15m',
    summary: '{{ $labels.shoot }} has not been judged for a while',
    means:
      'Its probes fail; with two paths, those on the internal one. Nothing new is scaled until one succeeds: it is not protected, and if it is down, it stays down. An API server that is down is the usual reason, and then nothing can mark its nodes either.',
    look: [
      'The log, line `probe fails` or `internal path fails`, with this shoot: what was asked, and the sentence of the failure.',
      '`kubectl -n NAMESPACE get pods`: do its API server and etcd run?',
    ],
    act: [
      'Repair its API server, or the Secret with its access.',
      'If it fails because its lists are too large (`tooLarge`), something in the shoot makes nodes or leases without end.',
    ],
  },
  {
    name: 'WatchdogExternalPathUnknown',
    severity: 'warning',
    expr: `sum by (shoot, reason) (increase(${untold}[15m])) > 10`,
    for: '15m',
    summary: '{{ $labels.shoot }} is not judged: its external path tells nothing ({{ $labels.reason }})',
    means:
      'Only with two paths. The internal path answers, but the kubeconfig of the external one is missing, unreadable, or without a token (`kubeconfig`); or no connection could be opened here (`local`), or no answer came at all (`lost`), or none in time while the internal path was slow as well (`slow`). That says nothing about the path, so nothing new is scaled: the shoot is not protected, and if it is down, it stays down.',
    look: [
      'The log, line `probe fails`, with this shoot: the sentence says what is wrong.',
      '`kubectl -n NAMESPACE get secret NAME`, with the name of `externalKubeConfigSecretName`: is it there, and has it the key `kubeconfig`?',
      '`local`: [WatchdogFilesRunOut](#watchdogfilesrunout). `slow`: is its API server overloaded?',
    ],
    act: ['Give the shoot its Secret back. It is read before each probe, so nothing has to be started again.'],
  },
  {
    name: 'WatchdogExternalPathsFail',
    severity: 'warning',
    expr: `count by (reason) (sum by (shoot, reason) (increase(${broken}[5m])) > 1) >= 3 and on () count(sum by (shoot) (increase(${broken}[5m])) > 1) > 0.25 * sum(dwd_probes_active)`,
    for: '1m',
    summary: 'The external path fails for more than a quarter of the shoots: {{ $labels.reason }}',
    means:
      'Only with two paths. The API servers answer inside the seed, and not through the load balancer, as their nodes go. So many at once have one cause. The shoots are taken down as soon as that was seen often enough, and each comes back when its path answers.',
    look: [
      'The `reason`: `unreachable` and `timeout`: the load balancer, its DNS name, a firewall, or the way from the prober out of the seed. `refused`: the load balancer answers in place of the API server (503, say). `certificate`: somebody else answers at that name.',
      'The dashboard of the seed: since when, and how many?',
      'From a node of a shoot: `curl -k https://api.…/healthz`. If nodes get an answer and the prober does not, only the prober’s way out of the seed is broken: a network policy, or a NAT. Then shoots are taken down that need not be.',
    ],
    act: [
      'Repair the load balancer. Shoots come back by themselves.',
      'If only the prober’s own way is broken, repair that; until then, `ignore-scaling` on the dependants keeps them as they are.',
    ],
  },
  {
    name: 'WatchdogClustersUnreadable',
    severity: 'warning',
    expr: 'max(dwd_unreadable_clusters) > 0',
    for: '15m',
    summary: 'A Cluster cannot be read: its shoot is paused, and not protected',
    means: 'The Cluster resource of a shoot holds something that is no shoot as the prober knows it.',
    look: ['The log, line `paused`: which shoot, and which field.', '`kubectl get cluster NAMESPACE -o yaml`.'],
    act: ['Let Gardener reconcile the shoot. If the Cluster is right, please report it.'],
  },
  {
    name: 'WatchdogClockDiffers',
    severity: 'warning',
    expr: 'max(dwd_shoots_with_clock_difference) > 0',
    for: '15m',
    summary: 'The clock of a shoot and ours differ by more than 3 s',
    means:
      'The shoot is judged by its own clock, so it is protected. But certificates and tokens may be refused, there or here.',
    look: [
      'The log, line `clock differs`: which shoot, and by how much.',
      'The clock of the node on which its API server runs.',
    ],
    act: ['Repair time synchronisation on that node.'],
  },
  {
    name: 'WatchdogClockWrong',
    severity: 'critical',
    expr: 'max(dwd_shoots_with_clock_difference) >= 2 and max(dwd_shoots_with_clock_difference) > 0.5 * max(dwd_probes_active)',
    for: '5m',
    summary: 'The clocks of most shoots differ from ours: ours is wrong',
    means:
      'The node on which the prober runs has a wrong clock. Shoots are judged by their own clocks, but Leases of the election and delays are counted by ours.',
    look: ['`kubectl -n garden get pods -o wide`: on which node? Then the clock and the time service of that node.'],
    act: ['Cordon the node, delete the prober’s pod, and repair the clock.'],
  },
  {
    name: 'LeasesAhead',
    severity: 'warning',
    expr: 'sum(dwd_leases_ahead) > 0',
    for: '15m',
    summary: 'Leases of nodes are ahead of the time: the clocks of these nodes are wrong',
    means:
      'The clocks of some kubelets are ahead by more than 3 s. Their leases are judged by when they were seen to move, so an outage of these nodes is seen some seconds later at worst.',
    look: ['The log, line `leases ahead`: which nodes of which shoot.'],
    act: ['Repair time synchronisation on these nodes, or tell the owner of the shoot.'],
  },
  {
    name: 'LeasesNotRenewed',
    severity: 'warning',
    expr: 'sum(dwd_leases_not_renewed) > 0',
    for: '15m',
    summary: 'Leases are not renewed, though their nodes are Ready',
    means:
      'Such leases count as expired. Where enough of them come together, the shoot looks cut off although it is not, and goes down.',
    look: [
      'The log, line `leases not renewed`: which nodes of which shoot.',
      'The machine: does it run? If it is off, the kube-controller-manager of the shoot should have marked its node within a minute and a half. While that one stalls, a node that is off stays Ready: is its pod well, and what does its log say?',
      'If it runs, the log of the kubelet there: may it write its lease? A webhook of the shoot on leases is a usual reason.',
    ],
    act: [
      'The machine is off: get the kube-controller-manager going. It marks the node, and then the lease is no riddle any more.',
      'The kubelet runs: remove the webhook, or restart the kubelet.',
    ],
  },
  {
    name: 'WatchdogEarlyProbesSpent',
    severity: 'info',
    expr: 'sum(increase(dwd_early_probes_spent_total[1h])) > 0',
    summary: 'The leases of a shoot are about to cross the threshold again and again',
    means:
      'Its kubelets renew so late that each probe finds it nearly cut off. It has used up its early probes, and is probed at the usual interval.',
    look: [
      'The log, line `early probes used up`: which shoot.',
      'Its API server: is it slow, or does it answer 429 to kubelets?',
    ],
    act: ['Repair the API server of the shoot, or give it more room.'],
  },
  {
    name: 'WatchdogProbesHeld',
    severity: 'info',
    expr: 'sum(increase(dwd_probes_held_total[15m])) > 0',
    summary: 'More shoots are down than can be probed every 5 s',
    means:
      'Shoots that are down are probed every 5 s, 60 in a second over the whole seed. There are more, so their return is seen a little later.',
    look: ['The dashboard of the seed: how many are down?'],
    act: ['Nothing, beyond what [WatchdogManyShootsDown](#watchdogmanyshootsdown) says.'],
  },
];
