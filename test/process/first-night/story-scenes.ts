import { weederConfig } from './files.ts';
import type { NightScene } from './scene.ts';

const dependant = (kind: string, level: number) =>
  `- {ref: {apiVersion: apps/v1, kind: ${kind}, name: kube-controller-manager}, scaleUp: {level: 0}, scaleDown: {level: ${level}}}`;
const twins = `kubeConfigSecretName: access
dependentResourceInfos:
${dependant('Deployment', 0)}
${dependant('StatefulSet', 1)}
`;

export const storyScenes: readonly NightScene[] = [
  { title: 'invents a story', args: 'simulate --story=earthquake', says: /earthquake/, code: 2 },
  { title: 'wants too many shoots', args: 'simulate --shoots=1000', says: /--shoots/, code: 2 },
  { title: 'wants too many nodes', args: 'simulate --shoots=100 --nodes=100', says: /nodes/, code: 2 },
  {
    title: 'gives nodes to the story of etcd',
    args: 'simulate --story=etcd-outage --nodes=3',
    says: /--nodes/,
    code: 2,
  },
  { title: 'gives a story a speed in words', args: 'simulate --speed=fast', says: /number/, code: 2 },
  { title: 'wants the story at once', args: 'simulate --speed=1000', says: /at most 100/, code: 2 },
  {
    title: 'gives a story a name in place of a seed number',
    args: 'simulate --seed=abc',
    says: /whole number/,
    code: 2,
  },
  { title: 'gives a shoot one node', args: 'simulate --nodes=1', says: /at least 2/, code: 2 },
  {
    title: 'gives the story a seed of their own',
    args: 'simulate --kubeconfig=seed.kubeconfig',
    says: /unknown flag --kubeconfig/,
    code: 2,
  },
  {
    title: 'plays a story with a configuration that is not there',
    args: 'simulate --config-file={dir}/missing.yaml',
    says: /no such file/,
    code: 1,
  },
  {
    title: "plays the prober's story with the weeder's configuration",
    args: 'simulate --config-file={dir}/weeder.yaml',
    files: { 'weeder.yaml': weederConfig },
    says: /a configuration of the weeder/,
    code: 1,
  },
  {
    title: 'plays a story with two dependants of one name',
    args: 'simulate --config-file={dir}/twins.yaml',
    files: { 'twins.yaml': twins },
    says: /two dependants have the name kube-controller-manager/,
    code: 1,
  },
  {
    title: 'keeps the journal of a story in a file',
    args: 'simulate --journal-dir={dir}/twins.yaml',
    files: { 'twins.yaml': twins },
    says: /is a file, not a directory/,
    code: 1,
  },
  {
    title: 'looks for kubectl, metrics, health and journal of a story',
    args: 'simulate --shoots=1 --nodes=2',
    until: /will be probed/,
    lines: /^ {2}\w|terminal/,
    says: /export KUBECONFIG=.*\n.*\/metrics\n.*\/healthz.*\n.*\/journal/,
    code: 1,
  },
  {
    title: 'looks for them in a script',
    args: 'simulate --json --shoots=1 --nodes=2',
    until: /"phase"/,
    lines: /"places"/,
    says: /^\{"kind":"places","kubeconfig":".*","metrics":"http/,
    code: 1,
  },
  {
    title: 'asks how another outage begins',
    args: 'simulate --keep --shoots=1 --nodes=2',
    until: /will be probed/,
    lines: /outage {2}/,
    says: /kill -USR2 \S+ begins another one/,
    code: 1,
  },
  {
    title: 'interrupts a story',
    args: 'simulate --shoots=1 --nodes=2',
    until: /will be probed/,
    lines: /^dependency-watchdog simulate: (?!\d)/,
    says: /interrupted before the outage was over/,
    code: 1,
  },
  {
    title: 'asks what simulate can do',
    args: 'simulate --help',
    says: /^Usage: dependency-watchdog simulate/,
    code: 0,
  },
];
