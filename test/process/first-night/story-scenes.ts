import type { Scene } from './scene.ts';

export const storyScenes: readonly Scene[] = [
  { title: 'invents a story', args: 'simulate --story=earthquake', says: /earthquake/, code: 2 },
  { title: 'wants too many shoots', args: 'simulate --shoots=1000', says: /--shoots/, code: 2 },
  { title: 'wants too many nodes', args: 'simulate --shoots=100 --nodes=100', says: /nodes/, code: 2 },
  {
    title: 'gives nodes to the story of etcd',
    args: 'simulate --story=etcd-outage --nodes=3',
    says: /--nodes/,
    code: 2,
  },
  {
    title: 'asks what simulate can do',
    args: 'simulate --help',
    says: /^Usage: dependency-watchdog simulate/,
    code: 0,
  },
];
