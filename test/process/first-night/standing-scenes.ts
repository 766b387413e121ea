import { seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { mark, record } from '@dwd/testing/stage.ts';
import { quiet } from './files.ts';
import type { NightScene } from './scene.ts';

const prober = `prober --config-file={config} --kubeconfig={kubeconfig} ${quiet}`;
const weeder = `weeder --config-file={weeder} --kubeconfig={kubeconfig} ${quiet}`;

/** A seed with one shoot to which this was done. */
function seedAfter(
  happened: (seed: SeedStage) => void,
  shoots: readonly string[] = ['shoot--dev--one'],
): NonNullable<NightScene['around']> {
  return async (stage) => {
    const seed = await seedStage(stage.test, { shoots: [...shoots] });
    happened(seed);
    const { configFile, weederConfigFile } = seed;
    return { config: configFile, weeder: weederConfigFile, kubeconfig: seed.kubeconfigOf('prober', 'prober') };
  };
}

/** The same for a weeder. */
function weededSeed(happened: (seed: SeedStage) => void): NonNullable<NightScene['around']> {
  return async (stage) => {
    const seed = await seedStage(stage.test, { shoots: [] });
    happened(seed);
    return { weeder: seed.weederConfigFile, kubeconfig: seed.kubeconfigOf('weeder', 'weeder') };
  };
}

/** As the watchdog leaves it. */
function leaveDown({ shoot }: SeedStage): void {
  shoot.dependants.annotate('kube-controller-manager', { [mark]: '', [record]: '2' });
  shoot.dependants.scale('kube-controller-manager', 0);
}

const aMinute = 60_000;

/** What the log says of shoots and services, in the words of whoever was just woken. */
export const standingScenes: readonly NightScene[] = [
  {
    title: 'starts a prober, and asks what it found down',
    args: prober,
    around: seedAfter(() => undefined),
    until: /none was found down/,
    lines: /line found/,
    says: /1 shoot: none was found down/,
    code: 0,
  },
  {
    title: 'starts a prober where the watchdog left something down',
    args: prober,
    around: seedAfter(leaveDown),
    until: /found scaled down by/,
    lines: /line found down/,
    says: /was found scaled down by the watchdog: kube-controller-manager \(2 replicas recorded\); it is scaled up once/,
    code: 0,
  },
  {
    title: 'starts a prober where somebody else scaled something down',
    args: prober,
    around: seedAfter(({ shoot }) => shoot.dependants.scale('cluster-autoscaler', 0)),
    until: /not by the watchdog/,
    lines: /line found down/,
    says: /was found scaled down, but not by the watchdog: cluster-autoscaler/,
    code: 0,
  },
  {
    title: 'starts a prober where the watchdog left something down, and the shoot hibernates',
    args: prober,
    around: seedAfter((seed) => {
      leaveDown(seed);
      seed.shoot.hibernate();
    }),
    until: /nothing is scaled now/,
    lines: /line (?:found down|paused)/,
    says: /nothing is scaled now: the shoot is hibernated/,
    code: 0,
  },
  {
    title: 'ends a prober while a shoot is down',
    args: prober,
    around: seedAfter((seed) => seed.cutOff()),
    until: /"to":"scaledDown"/,
    lines: /line left|prober ends/,
    says: /shoot--dev--one stays scaled down: .*kube-controller-manager \(2 replicas recorded\)/,
    code: 0,
  },
  {
    title: 'ends a prober while nothing is down',
    args: prober,
    around: seedAfter(() => undefined),
    until: /"to":"probing"/,
    lines: /line left|prober ends/,
    says: /no shoot stays scaled down/,
    code: 0,
  },
  {
    title: 'reads in the log what a scale-down did',
    args: prober,
    around: seedAfter((seed) => seed.cutOff()),
    until: /"to":"scaledDown"/,
    lines: /to scalingDown|scaled kube-controller-manager/,
    says: /is cut off: 5 of 5 leases are expired \(.* silent for .*\); it is scaled down[^]*scaled kube-controller-manager from 2 to 0 \(marked, 2 recorded\)/,
    code: 0,
  },
  {
    title: 'watches a shoot whose API server cuts each connection',
    args: prober,
    around: seedAfter(({ shoot }) => shoot.api.setFault({ kind: 'cut' })),
    until: /does not answer/,
    lines: /line probe fails/,
    says: /shoot--dev--one does not answer: /,
    code: 0,
  },
  {
    title: 'watches a shoot whose Secret is missing',
    args: prober,
    around: seedAfter(({ shoot }) => shoot.removeSecret()),
    until: /cannot be probed/,
    lines: /line probe fails/,
    says: /shoot--dev--one cannot be probed: /,
    code: 0,
  },
  {
    title: 'watches a shoot whose Cluster cannot be read',
    args: prober,
    around: seedAfter(({ shoot }) => shoot.makeUnreadable()),
    until: /is paused/,
    lines: /line paused/,
    says: /shoot--dev--one is paused: /,
    code: 0,
  },
  {
    title: 'watches a shoot that lacks a dependant',
    args: prober,
    around: seedAfter(({ shoot }) => shoot.dependants.remove('machine-controller-manager')),
    until: /does not exist/,
    lines: /line dependant missing/,
    says: /shoot--dev--one: machine-controller-manager does not exist/,
    code: 0,
  },
  {
    title: 'watches a shoot of which one kubelet has its clock ahead by a minute',
    args: prober,
    around: seedAfter(({ shoot }) => {
      const [node = ''] = shoot.nodes;
      // Else its next renewal may come before the program has started.
      shoot.cutOff();
      shoot.editLease(node, { spec: { renewTime: new Date(Date.now() + aMinute).toISOString() } });
    }),
    until: /ahead of the time/,
    lines: /line leases ahead/,
    says: /1 lease is ahead of the time: \S+ by N s; they are judged by when they were seen to move\. Check the clocks/,
    code: 0,
  },
  {
    title: 'starts a weeder where a service is down',
    args: weeder,
    around: weededSeed(({ plain }) => plain.slice('shoot--dev--one', 'etcd-main-client', [false])),
    until: /was found down/,
    lines: /line found down/,
    says: /etcd-main-client of shoot--dev--one was found down: no pod is deleted until it is available/,
    code: 0,
  },
  {
    title: 'ends a weeder while a window is open',
    args: weeder,
    around: weededSeed(({ plain }) => plain.slice('shoot--dev--one', 'etcd-main-client', [true])),
    until: /"to":"recovering"/,
    lines: /line (?:state changed|left)/,
    says: /is available, 1 of 1 endpoint ready: crash-looping pods are deleted for[^]*ends with this process/,
    code: 0,
  },
];
