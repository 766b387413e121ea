import type { Alert } from './alert.ts';

/** The watches without which a role sees nothing. The others are those of dependants, which are read one by one where they may not be watched. */
const vital = 'clusters|secrets/.*|endpointslices|endpoints|pods';

/** Whether the seed can be read and written, and fast enough. */
export const seedAlerts: readonly Alert[] = [
  {
    name: 'WatchdogSeedUnreadable',
    severity: 'critical',
    expr: `max by (resource) (dwd_watch_out_seconds) > 60 unless max by (resource) (dwd_watch_refused{resource!~"${vital}"}) == 1`,
    for: '1m',
    summary: 'The watchdog cannot read {{ $labels.resource }} of the seed',
    means:
      'A watch on the seed has not shown the present state for more than a minute: a wrong address, authority or token, a missing grant, or the seed is away. Shoots that are known go on being probed; new ones are not seen. A dependant whose watch is merely not granted is another alert: [WatchdogNotGranted](#watchdognotgranted).',
    look: [
      'The log, line `cannot watch`: the address and the reason, once a minute.',
      '`kubectl get --raw=/readyz` on the seed: is it well itself?',
    ],
    act: [
      '401, 403: apply the roles and the ServiceAccount of `deploy/` again. Otherwise repair the seed. Watches come back by themselves.',
    ],
  },
  {
    name: 'WatchdogNotGranted',
    severity: 'info',
    expr: `max by (resource) (dwd_watch_refused{resource!~"${vital}"}) == 1`,
    for: '15m',
    summary: 'The watchdog may not watch {{ $labels.resource }}, or the seed has no such kind',
    means:
      'A dependant of the configuration is of a kind that the seed does not grant or does not serve. Where reading is granted, it is read one by one, which costs requests; else it counts as down on the way down, and is never said to be up.',
    look: [
      '`dependency-watchdog validate --config-file=…` shows the dependants.',
      '`kubectl auth can-i watch KIND --as=system:serviceaccount:garden:dependency-watchdog-prober -A`.',
    ],
    act: ['Grant `get`, `list`, `watch` and `patch` on the kind, or take the dependant out of the configuration.'],
  },
  {
    name: 'WatchdogWatchesRestart',
    severity: 'warning',
    expr: 'sum by (resource) (increase(dwd_watch_restarts_total[15m])) > 10',
    for: '5m',
    summary: 'The watch on {{ $labels.resource }} breaks again and again',
    means:
      'Watches are cut, and opened anew each time. Between two of them the watchdog sees the seed late, and each list costs the seed.',
    look: [
      'The log at level debug, and a proxy or load balancer before the seed’s API server: does it cut connections after some seconds?',
      'The API server of the seed: is it restarted, or short of memory?',
    ],
    act: ['Repair it. A time-out of a proxy must be longer than 10 minutes.'],
  },
  {
    name: 'WatchdogForgetsObjects',
    severity: 'critical',
    expr: 'sum by (resource) (increase(dwd_watch_objects_dropped_total[1h])) > 0',
    summary: 'The seed has more {{ $labels.resource }} than the watchdog keeps: some are not looked after',
    means:
      'Each watch has a limit, so that nobody can fill the memory. It is far above what a seed has; something makes objects without end.',
    look: ['`kubectl get RESOURCE -A --no-headers | wc -l`, and who made them.'],
    act: ['Delete them. Then restart the watchdog, so that it lists again.'],
  },
  {
    name: 'WatchdogThrottled',
    severity: 'warning',
    expr: 'sum(rate(dwd_throttled_requests_total{target="seed"}[5m])) > 0',
    for: '10m',
    summary: 'The seed answers 429 to the watchdog',
    means:
      'The seed has too much to do, and its priority and fairness holds us back. Scale-ups are slowed to half their rate; scale-downs are tried again at once.',
    look: [
      'The dashboard of the program: which requests? `dwd_seed_api_requests_total{code="429"}`.',
      '`kubectl get flowschemas,prioritylevelconfigurations`: in which level are we, and who fills it?',
    ],
    act: [
      'Find who floods the seed. Give `system:serviceaccount:garden:dependency-watchdog-prober` a FlowSchema of a higher level: it asks little, but needs it at once.',
    ],
  },
  {
    name: 'WatchdogQueueFull',
    severity: 'critical',
    expr: 'sum by (lane) (increase(dwd_seed_requests_held_total{by="queue"}[15m])) > 0',
    summary: 'So many requests wait in the lane {{ $labels.lane }} that new ones are refused',
    means: '10,000 requests to the seed wait for our own rate limit. New ones are refused, and tried again later.',
    look: [
      'The dashboard of the program: how long do requests take, and are many held by `rate`?',
      'The flags `--kube-api-qps` and `--kube-api-burst`.',
    ],
    act: [
      'Raise the two flags; Gardener gives the prober 20 and 100. If the seed is slow, see [WatchdogSeedSlow](#watchdogseedslow).',
    ],
  },
  {
    name: 'WatchdogSeedSlow',
    severity: 'warning',
    expr: 'histogram_quantile(0.9, sum by (le) (rate(rest_client_request_duration_seconds_bucket[10m]) and on (instance, job) dwd_build_info)) > 2',
    for: '10m',
    summary: 'One in ten requests to the seed takes more than 2 s',
    means: 'The seed’s API server, its etcd, or the network before them is slow. Scale-downs take longer by as much.',
    look: [
      'The dashboard of the program: reads, writes, or both?',
      'The API server of the seed: `apiserver_request_duration_seconds`, and the disk of its etcd.',
    ],
    act: ['Repair the seed. If the process itself is too busy, [WatchdogOverloaded](#watchdogoverloaded) fires too.'],
  },
];
