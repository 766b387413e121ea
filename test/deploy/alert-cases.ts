/** One series of promtool, `name{labels}`, with its values: `0+1x60` begins at 0 and grows by 1 each minute. */
type Series = Readonly<Record<string, string>>;

export type Firing = Readonly<{
  series: Series;
  /** The first minute in which it fires: it is silent in each one before. */
  at: number;
  /** Of each alert that fires, the labels of its own. */
  labels?: readonly Readonly<Record<string, string>>[];
}>;

export type AlertCase = Readonly<{
  fires: readonly Firing[];
  /** Nearly the same, with which it fires in no minute. */
  silent: readonly Series[];
  /** For so many minutes; for an hour unless given. */
  minutes?: number;
}>;

const one = 'job="dwd",instance="a"';
const other = 'job="dwd",instance="b"';
const stranger = 'job="other",instance="c"';
const another = 'job="other",instance="d"';
const build = { [`dwd_build_info{${one}}`]: '1x600', [`dwd_build_info{${other}}`]: '1x600' };
const never = '0x60';
/** Once, half an hour in. */
const once = '0x29 1x30';
/** From the tenth minute on; before, there is no such series. */
const later = '_x10 1x60';
const briefly = '_x10 1x3 stale';

const probers = (values = '5x60') => ({
  [`dwd_probes_active{${one}}`]: values,
  [`dwd_probes_active{${other}}`]: values.replace('5', '0'),
});
const weeders = (values = '0x60') => ({
  [`dwd_weeders_active{${one}}`]: values,
  [`dwd_weeders_active{${other}}`]: values,
});
const leads = (first: string, second: string) => ({
  [`dwd_leader{${one}}`]: first,
  [`dwd_leader{${other}}`]: second,
});
/** Of the other role, and it leads. */
const stranded = (role: 'probes' | 'weeders') => ({
  [`dwd_leader{${stranger}}`]: '1x60',
  [`dwd_${role}_active{${stranger}}`]: '0x60',
});
const candidate = (of: string, values: string) => ({
  [`leader_election_master_status{${of},name="dwd-prober-leader-election"}`]: values,
});

/** Shoots by state, over both probers: the standby guards none. */
const shoots = (probing: number, down: number) => ({
  [`dwd_shoots{${one},state="probing"}`]: `${probing}x60`,
  [`dwd_shoots{${one},state="scaledDown"}`]: `${down}x60`,
  [`dwd_shoots{${one},state="idle"}`]: '100x60',
  [`dwd_shoots{${other},state="scaledDown"}`]: '0x60',
});
const ofShoot = (metric: string, values: string) => ({ [`${metric}{${one},shoot="s1"}`]: values });
const inState = (state: string, values: string) => ({
  [`dwd_shoot_state{${one},shoot="s1",state="${state}"}`]: values,
});
const failures = (probe: string, reason: string, values: string, shoot = 's1') => ({
  [`dwd_probe_failures_total{${one},shoot="${shoot}",probe="${probe}",reason="${reason}"}`]: values,
});
/** So many shoots are probed ten times a minute. */
const probed = (shootCount: number) => ({
  [`dwd_probe_duration_seconds_count{${one}}`]: '0+10x60',
  [`dwd_probes_active{${one}}`]: `${shootCount}x60`,
});
const watch = (metric: string, resource: string, values: string, of = one) => ({
  [`${metric}{${of},resource="${resource}"}`]: values,
});
/** Out from the tenth minute on, by a minute more in each. */
const goesOut = '0x9 0+60x60';
const requests = (le: string) =>
  Object.fromEntries(
    ['0.5', '2', '4', '+Inf'].map((bound, index, bounds) => [
      `rest_client_request_duration_seconds_bucket{${one},le="${bound}"}`,
      index >= bounds.indexOf(le) ? '0+60x60' : '0x60',
    ]),
  );
const of = (shoot: string, cause?: string) => [{ shoot, ...(cause === undefined ? {} : { cause }) }];

/** For each alert, when it fires and when it does not. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  WatchdogNoProberLeads: {
    fires: [
      { series: { ...probers(), ...leads('1x9 0x50', '0x60'), ...stranded('weeders') }, at: 13 },
      // All are gone, or nobody scrapes them any more.
      { series: { ...probers('5x9 stale'), ...leads('1x9 stale', '0x9 stale'), ...stranded('weeders') }, at: 13 },
    ],
    silent: [
      { ...probers(), ...leads('1x9 0x50', '0x11 1x48') },
      // No prober was ever seen: that is another alert.
      { ...weeders(), ...leads('0x60', '0x60') },
    ],
  },
  WatchdogProberNotScraped: {
    fires: [{ series: weeders(), at: 15 }],
    silent: [probers('5x9 stale')],
  },
  WatchdogStandbyLost: {
    fires: [
      {
        series: { ...build, ...candidate(one, '1x600'), ...candidate(other, '0x479 stale') },
        at: 495,
        labels: [{ name: 'dwd-prober-leader-election' }],
      },
    ],
    silent: [
      // One replica, of which a roll-out starts a second one at first.
      { ...build, ...candidate(one, '1x600'), ...candidate(other, '_x170 0x20 stale') },
      { ...build, ...candidate(stranger, '1x600'), ...candidate(another, '0x479 stale') },
    ],
    minutes: 500,
  },
  WeederDoesNotWork: {
    fires: [
      {
        series: { ...weeders(), ...leads('1x9 0x50', '0x60'), ...stranded('probes') },
        at: 20,
        labels: [{ cause: 'none leads' }],
      },
      {
        series: { ...weeders(), ...leads('1x60', '0x60'), ...watch('dwd_watch_out_seconds', 'pods', goesOut) },
        at: 26,
        labels: [{ cause: 'it cannot read the seed' }],
      },
      {
        series: { [`dwd_pod_deletion_failures_total{${one},reason="403"}`]: '_x9 1+1x50' },
        at: 25,
        labels: [{ cause: 'the seed refuses its deletions' }],
      },
    ],
    silent: [
      { ...probers(), ...leads('0x60', '0x60'), ...watch('dwd_watch_out_seconds', 'clusters', goesOut) },
      { ...weeders(), ...leads('1x9 0x50', '0x14 1x45') },
      { [`dwd_pod_deletion_failures_total{${one},reason="403"}`]: '5x60' },
    ],
  },
  WatchdogManyShootsDown: {
    fires: [{ series: shoots(8, 3), at: 2 }],
    silent: [shoots(9, 3), shoots(2, 2)],
  },
  ShootNotProtected: {
    fires: [{ series: inState('scalingDown', later), at: 12, labels: of('s1') }],
    silent: [
      // One write fails, and succeeds 5 s later.
      {
        ...inState('scalingDown', '_x10 1x1 stale'),
        ...inState('scaledDown', '_x12 1x48'),
        [`dwd_scale_operations_total{${one},direction="down",result="failed"}`]: '0x10 1x50',
      },
    ],
  },
  ShootProtectedTooLate: {
    fires: [{ series: ofShoot('dwd_shoot_margin_seconds', '_x10 -0.5x5 stale'), at: 10, labels: of('s1') }],
    silent: [ofShoot('dwd_shoot_margin_seconds', '_x10 0.5x5 stale')],
  },
  ShootMarginSmall: {
    fires: [{ series: ofShoot('dwd_shoot_margin_seconds', '_x10 1.5x5 stale'), at: 10, labels: of('s1') }],
    silent: [
      ofShoot('dwd_shoot_margin_seconds', '_x10 2x5 stale'),
      ofShoot('dwd_shoot_margin_seconds', '_x10 -0.5x5 stale'),
    ],
  },
  ShootCutOff: {
    fires: [
      {
        series: { ...inState('scalingDown', '1x9 stale'), ...inState('scaledDown', '_x10 1x140') },
        at: 120,
        labels: of('s1', 'for 2 hours'),
      },
      { series: ofShoot('dwd_shoots_flapping', later), at: 15, labels: of('s1', 'again and again') },
    ],
    silent: [
      { ...inState('scaledDown', '1x99 stale _x4 1x60'), ...inState('probing', '_x100 1x4 stale') },
      ofShoot('dwd_shoots_flapping', briefly),
    ],
    minutes: 165,
  },
  ShootDoesNotComeBack: {
    fires: [
      {
        series: inState('scalingUp', later),
        at: 30,
        labels: of('s1', 'is connected again, but was not brought back within 20 minutes'),
      },
      {
        series: ofShoot('dwd_unconfigured_marks', later),
        at: 25,
        labels: of('s1', 'has a resource that the watchdog scaled down, and that is not in its configuration any more'),
      },
    ],
    silent: [
      { ...inState('scalingUp', '1x14 stale _x9 1x15 stale'), ...ofShoot('dwd_unconfigured_marks', '0x60') },
      ofShoot('dwd_unconfigured_marks', '_x10 1x13 stale'),
    ],
  },
  WatchdogSeedUnreadable: {
    fires: [
      {
        // What the role cannot do without is an alert, whether it was refused or not.
        series: {
          ...probers(),
          ...watch('dwd_watch_out_seconds', 'secrets/access', goesOut),
          ...watch('dwd_watch_refused', 'secrets/access', '1x60'),
        },
        at: 17,
        labels: [{ resource: 'secrets/access', cause: 'its watch is out' }],
      },
      {
        series: watch('dwd_watch_objects_dropped_total', 'pods', once),
        at: 30,
        labels: [{ resource: 'pods', cause: 'there are too many' }],
      },
    ],
    silent: [
      {
        ...probers(),
        ...watch('dwd_watch_out_seconds', 'deployments/kcm', goesOut),
        ...watch('dwd_watch_refused', 'deployments/kcm', '1x60'),
      },
      { ...weeders(), ...watch('dwd_watch_out_seconds', 'pods', goesOut) },
      watch('dwd_watch_objects_dropped_total', 'pods', '5x60'),
    ],
  },
  WatchdogNotGranted: {
    fires: [
      {
        series: watch('dwd_watch_refused', 'deployments/kcm', '1x70'),
        at: 60,
        labels: [{ resource: 'deployments/kcm' }],
      },
    ],
    silent: [watch('dwd_watch_refused', 'clusters', '1x70')],
    minutes: 70,
  },
  WatchdogBlindForAll: {
    fires: [
      { series: { ...probed(2), ...failures('apiserver', 'timeout', '0+10x60') }, at: 6 },
      { series: { ...probed(2), ...failures('internal', 'unreachable', '0+10x60') }, at: 6 },
      // The Secret of the external path is missing in each shoot.
      { series: { ...probed(2), ...failures('external', 'kubeconfig', '0+10x60') }, at: 6 },
    ],
    silent: [
      { ...probed(2), ...failures('apiserver', 'timeout', '0+5x60') },
      { ...probed(1), ...failures('apiserver', 'timeout', '0+10x60') },
      // What is judged: nodes alone are not known, or the external path fails.
      { ...probed(2), ...failures('node', 'timeout', '0+10x60') },
      { ...probed(2), ...failures('external', 'unreachable', '0+10x60') },
    ],
  },
  ShootBlind: {
    fires: [
      { series: failures('lease', 'timeout', '0+2x60'), at: 21, labels: of('s1', 'its probes fail') },
      {
        // A back-off of five minutes leaves few failures.
        series: { ...failures('internal', 'timeout', '3+0.2x60'), ...ofShoot('dwd_internal_path_failed', later) },
        at: 25,
        labels: of('s1', 'its internal path fails'),
      },
      {
        series: { ...failures('external', 'kubeconfig', '0+1x60'), ...failures('external', 'slow', '0+1x60') },
        at: 21,
        labels: of('s1', 'its external path tells nothing'),
      },
      {
        series: ofShoot('dwd_unreadable_clusters', later),
        at: 25,
        labels: of('s1', 'its Cluster cannot be read'),
      },
      { series: ofShoot('dwd_unjudged_shoots', later), at: 25, labels: of('s1', 'its leases cannot tell') },
    ],
    silent: [
      failures('lease', 'timeout', '0+0.5x60'),
      failures('external', 'kubeconfig', '0+0.5x60'),
      // That is an outage, and the shoot is judged.
      failures('external', 'timeout', '0+10x60'),
      {
        ...ofShoot('dwd_internal_path_failed', briefly),
        ...ofShoot('dwd_unreadable_clusters', briefly),
        ...ofShoot('dwd_unjudged_shoots', briefly),
      },
    ],
  },
  ShootPartlyCutOff: {
    fires: [
      {
        series: { [`dwd_shoots_partly_cut_off{${one}}`]: '0x10 2x60' },
        at: 12,
        labels: [{ cause: 'a zone or a pool is cut off' }],
      },
      {
        series: { [`dwd_shoots_with_late_leases{${one}}`]: later },
        at: 15,
        labels: [{ cause: 'many leases are late' }],
      },
    ],
    silent: [
      { [`dwd_shoots_partly_cut_off{${one}}`]: never, [`dwd_shoots_partly_cut_off{${other}}`]: never },
      // A whole seed that is cut off passes by in seconds.
      { [`dwd_shoots_with_late_leases{${one}}`]: '0x10 500x2 0x60' },
    ],
  },
  ShootLeasesOdd: {
    fires: [
      {
        series: ofShoot('dwd_shoot_clock_difference_seconds', '_x10 4x60'),
        at: 25,
        labels: of('s1', 'its clock and ours differ'),
      },
      { series: ofShoot('dwd_leases_ahead', later), at: 25, labels: of('s1', 'some are ahead of the time') },
      {
        series: ofShoot('dwd_leases_not_renewed', later),
        at: 25,
        labels: of('s1', 'some are not renewed though their nodes are Ready'),
      },
    ],
    silent: [
      { ...ofShoot('dwd_leases_ahead', briefly), ...ofShoot('dwd_leases_not_renewed', briefly) },
      { ...ofShoot('dwd_leases_ahead', never), ...ofShoot('dwd_leases_not_renewed', never) },
      ofShoot('dwd_shoot_clock_difference_seconds', '2x60'),
    ],
  },
  WatchdogSlow: {
    fires: [
      {
        series: { ...build, [`nodejs_eventloop_lag_p99_seconds{${one}}`]: '0.1+0.02x60' },
        at: 18,
        labels: [{ instance: 'a', cause: 'its event loop is late' }],
      },
      { series: { ...build, ...requests('4') }, at: 16, labels: [{ cause: 'the seed answers late' }] },
      {
        series: { [`dwd_throttled_requests_total{${one},target="seed"}`]: '0+1x60' },
        at: 16,
        labels: [{ cause: 'the seed answers 429' }],
      },
      {
        series: { [`dwd_seed_requests_held_total{${one},by="queue",lane="urgent"}`]: once },
        at: 30,
        labels: [{ cause: 'too many requests wait for the seed' }],
      },
    ],
    silent: [
      {
        ...build,
        ...requests('2'),
        [`rest_client_request_duration_seconds_bucket{${stranger},le="+Inf"}`]: '0+99x60',
        [`nodejs_eventloop_lag_p99_seconds{${stranger}}`]: '9x60',
      },
      {
        [`dwd_throttled_requests_total{${one},target="seed"}`]: once,
        [`dwd_throttled_requests_total{${one},target="shoot"}`]: '0+1x60',
        [`dwd_seed_requests_held_total{${one},by="rate",lane="urgent"}`]: '0+9x60',
      },
    ],
  },
  WatchdogUnwell: {
    fires: [
      {
        series: { ...build, [`process_start_time_seconds{${one}}`]: '1x9 2x9 3x9 4x9 5x20' },
        at: 40,
        labels: [{ instance: 'a', cause: 'it starts again and again' }],
      },
      {
        series: {
          [`dwd_bugs_total{${one}}`]: never,
          [`dwd_observer_faults_total{${one},observer="log"}`]: once,
        },
        at: 30,
        labels: [{ instance: 'a', cause: 'a bug' }],
      },
      {
        series: { ...probers(), ...leads('1x60', '0x9 1x50') },
        at: 12,
        labels: [{ cause: 'two of one role lead' }],
      },
      {
        series: { ...weeders(), ...leads('1x60', '0x9 1x50') },
        at: 12,
        labels: [{ cause: 'two of one role lead' }],
      },
      {
        series: { [`dwd_log_lines_dropped_total{${one}}`]: once },
        at: 30,
        labels: [{ instance: 'a', cause: 'its log loses lines' }],
      },
      {
        series: {
          [`dwd_journal_write_failures_total{${one}}`]: never,
          [`dwd_journal_dropped_turns_total{${one},reason="backlogBytes"}`]: once,
        },
        at: 30,
        labels: [{ instance: 'a', cause: 'its journal loses turns' }],
      },
      {
        series: { ...build, [`process_open_fds{${one}}`]: '700+10x60', [`process_max_fds{${one}}`]: '1000x60' },
        at: 26,
        labels: [{ instance: 'a', cause: 'it has four fifths of the files that it may have' }],
      },
    ],
    silent: [
      {
        // The leader of the probers, and that of the weeders.
        [`dwd_probes_active{${one}}`]: '5x60',
        [`dwd_weeders_active{${other}}`]: '0x60',
        ...leads('1x60', '1x60'),
      },
      {
        ...build,
        [`process_start_time_seconds{${one}}`]: '1x9 2x9 3x9 4x29',
        [`process_start_time_seconds{${stranger}}`]: '1+1x60',
        [`process_open_fds{${stranger}}`]: '999x60',
        [`process_max_fds{${stranger}}`]: '1000x60',
      },
      {
        [`dwd_bugs_total{${one}}`]: '5x60',
        [`dwd_observer_faults_total{${one},observer="log"}`]: '5x60',
        [`dwd_log_lines_dropped_total{${one}}`]: '9x60',
        [`dwd_journal_write_failures_total{${one}}`]: '9x60',
        [`dwd_journal_dropped_turns_total{${one},reason="writeFailed"}`]: '9x60',
        [`dwd_journal_dropped_turns_total{${one},reason="memoryTurns"}`]: '0+9x60',
      },
    ],
  },
};
