/** One series of promtool, `name{labels}`, with its values: `0+1x60` begins at 0 and grows by 1 each minute. */
export type Series = Readonly<Record<string, string>>;

export type AlertCase = Readonly<{
  /** Series with which the alert fires, and others with which it does. */
  fires: Series | readonly Series[];
  /** Nearly the same ones, with which it does not. */
  silent: Series | readonly Series[];
  /** After so many minutes. */
  at?: number;
  /** Of each alert that fires, the labels of its own. */
  labels?: readonly Readonly<Record<string, string>>[];
}>;

const one = 'job="dwd",instance="a"';
const other = 'job="dwd",instance="b"';
const stranger = 'job="other",instance="c"';
const probers = { [`dwd_probes_active{${one}}`]: '5x60', [`dwd_probes_active{${other}}`]: '0x60' };
const weeders = { [`dwd_weeders_active{${one}}`]: '0x60', [`dwd_weeders_active{${other}}`]: '0x60' };
const build = { [`dwd_build_info{${one}}`]: '1x200' };
const never = '0x60';
/** Once, half an hour in. */
const once = '0x29 1x30';

const leads = (first: number, second: number) => ({
  [`dwd_leader{${one}}`]: `${first}x60`,
  [`dwd_leader{${other}}`]: `${second}x60`,
});

/** A histogram that saw one value, half an hour in, and in which the bucket `le` is the first that holds it. */
function seen(name: string, bounds: readonly string[], le: string | undefined): Series {
  const from = le === undefined ? Infinity : bounds.indexOf(le);
  const buckets = bounds.map((bound, index) => [`${name}_bucket{${one},le="${bound}"}`, index >= from ? once : never]);
  return Object.fromEntries([...buckets, [`${name}_count{${one}}`, le === undefined ? never : once]]);
}

const margins = (le?: string) => seen('dwd_kcm_margin_seconds', ['-1', '0', '2', '7.5', '+Inf'], le);
const delays = (le?: string) => seen('dwd_decision_delay_seconds', ['0.1', '2', '+Inf'], le);

/** Shoots by state, over both probers: the standby guards none. */
const shoots = (probing: number, down: number) => ({
  [`dwd_shoots{${one},state="probing"}`]: `${probing}x60`,
  [`dwd_shoots{${one},state="scaledDown"}`]: `${down}x60`,
  [`dwd_shoots{${one},state="idle"}`]: '100x60',
  [`dwd_shoots{${other},state="scaledDown"}`]: '0x60',
});
const inState = (state: string, values: string) => ({
  [`dwd_shoot_state{${one},shoot="s1",state="${state}"}`]: values,
});
const probes = (failing: string, all: string) => ({
  [`dwd_probe_failures_total{${one},shoot="s1",probe="apiserver",reason="timeout"}`]: failing,
  [`dwd_probe_failures_total{${one},shoot="s2",probe="node",reason="timeout"}`]: all,
  [`dwd_probe_duration_seconds_count{${one}}`]: all,
  [`dwd_probes_active{${one}}`]: '2x60',
});
/** With two paths: so many failures of them, over ten probes in a minute. */
const paths = (failing: Readonly<Record<string, string>>, shoots = ['s1']) => ({
  ...Object.fromEntries(
    Object.entries(failing).flatMap(([what, values]) => {
      const [probe, reason] = what.split(' ');
      return shoots.map((shoot) => [
        `dwd_probe_failures_total{${one},shoot="${shoot}",probe="${probe}",reason="${reason}"}`,
        values,
      ]);
    }),
  ),
  [`dwd_probe_duration_seconds_count{${one}}`]: `0+${10 * shoots.length}x60`,
  [`dwd_probes_active{${one}}`]: '12x60',
});
const refused = (resource: string) => ({
  [`dwd_watch_out_seconds{${one},resource="${resource}"}`]: '0+60x60',
  [`dwd_watch_refused{${one},resource="${resource}"}`]: '1x60',
});
const requests = (le: string) =>
  Object.fromEntries(
    ['0.5', '2', '4', '+Inf'].map((bound, index, bounds) => [
      `rest_client_request_duration_seconds_bucket{${one},le="${bound}"}`,
      index >= bounds.indexOf(le) ? '0+60x60' : '0x60',
    ]),
  );

/** For each alert, when it fires and when it does not. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  WatchdogProberAbsent: { fires: weeders, silent: probers },
  WatchdogProberWithoutLeader: {
    fires: {
      ...probers,
      ...leads(0, 0),
      [`dwd_leader{${stranger}}`]: '1x60',
      [`dwd_weeders_active{${stranger}}`]: '0x60',
    },
    silent: { ...probers, ...leads(0, 1) },
  },
  WatchdogWeederAbsent: { fires: probers, silent: weeders },
  WatchdogWeederWithoutLeader: {
    fires: {
      ...weeders,
      ...leads(0, 0),
      [`dwd_leader{${stranger}}`]: '1x60',
      [`dwd_probes_active{${stranger}}`]: '0x60',
    },
    silent: { ...weeders, ...leads(1, 0) },
  },
  WatchdogTwoLeaders: {
    fires: { ...probers, ...leads(1, 1) },
    // The leader of the probers, and that of the weeders.
    silent: {
      [`dwd_probes_active{${one}}`]: '5x60',
      [`dwd_weeders_active{${other}}`]: '0x60',
      ...leads(1, 1),
    },
  },
  WatchdogRestartsOften: {
    fires: { ...build, [`process_start_time_seconds{${one}}`]: '1x9 2x9 3x9 4x9 5x20' },
    silent: {
      ...build,
      [`process_start_time_seconds{${one}}`]: '1x9 2x9 3x9 4x29',
      [`process_start_time_seconds{${stranger}}`]: '1+1x60',
    },
    at: 55,
    labels: [{ instance: 'a' }],
  },
  WatchdogManyShootsDown: { fires: shoots(8, 3), silent: shoots(9, 3) },
  ShootScaledDown: {
    fires: { ...inState('scalingDown', '1x9 _x50'), ...inState('scaledDown', '_x9 1x50') },
    silent: { ...inState('scaledDown', '1x44 _x15'), ...inState('probing', '_x44 1x15') },
    at: 50,
    labels: [{ shoot: 's1' }],
  },
  ShootDownForLong: {
    fires: inState('scaledDown', '1x200'),
    silent: inState('scaledDown', '_x29 1x171'),
    at: 140,
    labels: [{ shoot: 's1' }],
  },
  ShootDoesNotComeBack: {
    fires: inState('scalingUp', '1x60'),
    silent: inState('scalingUp', '1x14 _x10 1x35'),
    at: 40,
    labels: [{ shoot: 's1' }],
  },
  ShootsFlap: {
    fires: { [`dwd_shoots_flapping{${one}}`]: '1x60' },
    silent: { [`dwd_shoots_flapping{${one}}`]: '0x60' },
  },
  WatchdogTooLate: { fires: margins('-1'), silent: margins('2') },
  WatchdogMarginSmall: { fires: margins('2'), silent: { ...margins('7.5') } },
  WatchdogDecidesLate: {
    fires: delays('+Inf'),
    // With two paths it is counted for longer than that.
    silent: [delays('2'), { ...delays('+Inf'), ...paths({ 'external timeout': '0+1x60' }) }],
  },
  WatchdogScalingFails: {
    fires: {
      [`dwd_scale_operations_total{${one},direction="down",result="failed"}`]: once,
      [`dwd_scale_operations_total{${one},direction="up",result="failed"}`]: never,
    },
    silent: { [`dwd_scale_operations_total{${one},direction="down",result="conflict"}`]: '0+1x60' },
    at: 40,
    labels: [{ direction: 'down' }],
  },
  WatchdogScalingTimesOut: {
    fires: { [`dwd_timed_out_steps_total{${one},direction="up"}`]: once },
    silent: { [`dwd_timed_out_steps_total{${one},direction="up"}`]: '5x60' },
    labels: [{ direction: 'up' }],
  },
  WatchdogDependantMissing: {
    fires: { [`dwd_missing_dependants_total{${one},direction="down"}`]: once },
    silent: { [`dwd_missing_dependants_total{${one},direction="down"}`]: never },
    labels: [{ direction: 'down' }],
  },
  WatchdogRecordUnreadable: {
    fires: { [`dwd_unreadable_records_total{${one}}`]: once },
    silent: { [`dwd_unreadable_records_total{${one}}`]: never },
  },
  WatchdogBlindForAll: {
    fires: [
      probes('0+10x60', '0+10x60'),
      paths({ 'internal unreachable': '0+10x60' }),
      // The Secret of the external path is missing in each shoot.
      paths({ 'external kubeconfig': '0+10x60' }),
    ],
    silent: [probes('0+5x60', '0+10x60'), paths({ 'external unreachable': '0+10x60' })],
  },
  WatchdogBlind: {
    fires: [
      { [`dwd_probe_failures_total{${one},shoot="s1",probe="lease",reason="timeout"}`]: '0+2x60' },
      paths({ 'internal timeout': '0+2x60' }),
      // A back-off of five minutes leaves few failures.
      { ...paths({ 'internal timeout': '3+0.2x60' }), [`dwd_internal_path_failed{${one},shoot="s1"}`]: '1x60' },
    ],
    silent: [
      { [`dwd_probe_failures_total{${one},shoot="s1",probe="lease",reason="timeout"}`]: '0+0.5x60' },
      // That is an outage, and the shoot is judged.
      paths({ 'external timeout': '0+10x60' }),
    ],
    labels: [{ shoot: 's1' }],
  },
  WatchdogExternalPathUnknown: {
    fires: paths({ 'external kubeconfig': '0+6x60', 'external slow': '0+6x60', 'external local': '0+0.5x60' }),
    silent: paths({ 'external unreachable': '0+10x60', 'internal kubeconfig': '0+10x60' }),
    labels: [
      { shoot: 's1', reason: 'kubeconfig' },
      { shoot: 's1', reason: 'slow' },
    ],
  },
  WatchdogExternalPathsFail: {
    fires: paths({ 'external refused': '0+10x60', 'external kubeconfig': '0+10x60' }, ['s1', 's2', 's3', 's4']),
    silent: [
      // A quarter of twelve is three.
      paths({ 'external refused': '0+10x60' }, ['s1', 's2', 's3']),
      paths({ 'internal refused': '0+10x60' }, ['s1', 's2', 's3', 's4']),
      paths({ 'external kubeconfig': '0+10x60', 'external slow': '0+10x60' }, ['s1', 's2', 's3', 's4']),
    ],
    labels: [{ reason: 'refused' }],
  },
  WatchdogClustersUnreadable: {
    fires: { [`dwd_unreadable_clusters{${one}}`]: '1x60' },
    silent: { [`dwd_unreadable_clusters{${one}}`]: '1x9 0x50' },
  },
  WatchdogClockDiffers: {
    fires: { [`dwd_shoots_with_clock_difference{${one}}`]: '1x60' },
    silent: { [`dwd_shoots_with_clock_difference{${one}}`]: never },
  },
  WatchdogClockWrong: {
    fires: { ...probers, [`dwd_shoots_with_clock_difference{${one}}`]: '3x60' },
    silent: { ...probers, [`dwd_shoots_with_clock_difference{${one}}`]: '2x60' },
  },
  LeasesAhead: {
    fires: { [`dwd_leases_ahead{${one}}`]: '2x60' },
    silent: { [`dwd_leases_ahead{${one}}`]: '2x9 0x50' },
  },
  LeasesNotRenewed: {
    fires: { [`dwd_leases_not_renewed{${one}}`]: '2x60' },
    silent: { [`dwd_leases_not_renewed{${one}}`]: '2x9 0x50' },
  },
  WatchdogEarlyProbesSpent: {
    fires: { [`dwd_early_probes_spent_total{${one}}`]: once },
    silent: { [`dwd_early_probes_spent_total{${one}}`]: never },
  },
  WatchdogProbesHeld: {
    fires: { [`dwd_probes_held_total{${one}}`]: once },
    silent: { [`dwd_probes_held_total{${one}}`]: never },
    at: 40,
  },
  WatchdogSeedUnreadable: {
    // What the role cannot do without is an alert, whether it was refused or not.
    fires: refused('secrets/access'),
    silent: refused('deployments/kube-controller-manager'),
    labels: [{ resource: 'secrets/access' }],
  },
  WatchdogNotGranted: {
    fires: refused('deployments/kube-controller-manager'),
    silent: refused('clusters'),
    labels: [{ resource: 'deployments/kube-controller-manager' }],
  },
  WatchdogWatchesRestart: {
    fires: { [`dwd_watch_restarts_total{${one},resource="clusters"}`]: '0+1x60' },
    silent: { [`dwd_watch_restarts_total{${one},resource="clusters"}`]: '0+0.5x60' },
    labels: [{ resource: 'clusters' }],
  },
  WatchdogForgetsObjects: {
    fires: { [`dwd_watch_objects_dropped_total{${one},resource="pods"}`]: once },
    silent: { [`dwd_watch_objects_dropped_total{${one},resource="pods"}`]: never },
    labels: [{ resource: 'pods' }],
  },
  WatchdogThrottled: {
    fires: { [`dwd_throttled_requests_total{${one},target="seed"}`]: '0+1x60' },
    silent: {
      [`dwd_throttled_requests_total{${one},target="seed"}`]: once,
      [`dwd_throttled_requests_total{${one},target="shoot"}`]: '0+1x60',
    },
  },
  WatchdogQueueFull: {
    fires: { [`dwd_seed_requests_held_total{${one},by="queue",lane="urgent"}`]: once },
    silent: { [`dwd_seed_requests_held_total{${one},by="rate",lane="urgent"}`]: '0+9x60' },
    at: 40,
    labels: [{ lane: 'urgent' }],
  },
  WatchdogSeedSlow: {
    fires: { ...build, ...requests('4') },
    silent: {
      ...build,
      ...requests('0.5'),
      [`rest_client_request_duration_seconds_bucket{${stranger},le="+Inf"}`]: '0+99x60',
    },
  },
  WeederCannotDelete: {
    fires: { [`dwd_pod_deletion_failures_total{${one},reason="403"}`]: '0+1x60' },
    silent: { [`dwd_pod_deletion_failures_total{${one},reason="403"}`]: '5x60' },
    labels: [{ reason: '403' }],
  },
  WatchdogJournalLost: {
    fires: {
      [`dwd_journal_write_failures_total{${one}}`]: '0x49 1x10',
      [`dwd_journal_dropped_turns_total{${other},reason="backlogBytes"}`]: '0x49 9x10',
    },
    silent: { [`dwd_journal_dropped_turns_total{${one},reason="memoryTurns"}`]: '0+9x60' },
    labels: [{ instance: 'a' }, { instance: 'b' }],
  },
  WatchdogLogLost: {
    fires: { [`dwd_log_lines_dropped_total{${one}}`]: '0x49 9x10' },
    silent: { [`dwd_log_lines_dropped_total{${one}}`]: '9x60' },
    labels: [{ instance: 'a' }],
  },
  WatchdogBug: {
    fires: { [`dwd_bugs_total{${one}}`]: never, [`dwd_observer_faults_total{${one},observer="log"}`]: once },
    silent: { [`dwd_bugs_total{${one}}`]: never, [`dwd_observer_faults_total{${one},observer="log"}`]: never },
  },
  WatchdogOverloaded: {
    fires: { ...build, [`nodejs_eventloop_lag_p99_seconds{${one}}`]: '0.2x60' },
    silent: {
      ...build,
      [`nodejs_eventloop_lag_p99_seconds{${one}}`]: '0.01x60',
      [`nodejs_eventloop_lag_p99_seconds{${stranger}}`]: '9x60',
    },
    labels: [{ instance: 'a' }],
  },
  WatchdogFilesRunOut: {
    fires: { ...build, [`process_open_fds{${one}}`]: '900x60', [`process_max_fds{${one}}`]: '1000x60' },
    silent: {
      ...build,
      [`process_open_fds{${one}}`]: '700x60',
      [`process_max_fds{${one}}`]: '1000x60',
      [`process_open_fds{${stranger}}`]: '999x60',
      [`process_max_fds{${stranger}}`]: '1000x60',
    },
    labels: [{ instance: 'a' }],
  },
  WatchdogVersionsDiffer: {
    fires: {
      [`dwd_build_info{${one},version="0.1.0",commit="a"}`]: '1x200',
      [`dwd_build_info{${other},version="0.2.0",commit="b"}`]: '1x200',
    },
    silent: {
      [`dwd_build_info{${one},version="0.1.0",commit="a"}`]: '1x200',
      [`dwd_build_info{${other},version="0.1.0",commit="a"}`]: '1x200',
    },
    at: 100,
  },
};
