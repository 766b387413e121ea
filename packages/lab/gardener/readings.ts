import type { Reading } from './ask-gardener.ts';

/** What Gardener's own code is to make of a shoot's control plane in each state of an outage: a test asks it, and a page tells it. */
export const readings = {
  connected: {
    state: 'connected; no mark',
    scaledDown: [],
    replicas: { 'kube-controller-manager': 1, 'machine-controller-manager': 1, 'cluster-autoscaler': 1 },
  },
  cutOff: {
    state: 'cut off: all at 0, all marked',
    scaledDown: ['kube-controller-manager', 'machine-controller-manager', 'cluster-autoscaler'],
    replicas: { 'kube-controller-manager': 0, 'machine-controller-manager': 0, 'cluster-autoscaler': 0 },
  },
  comingBack: {
    state: 'coming back: kube-controller-manager is, the others wait for their delay',
    scaledDown: ['machine-controller-manager', 'cluster-autoscaler'],
    replicas: { 'kube-controller-manager': 1, 'machine-controller-manager': 0, 'cluster-autoscaler': 0 },
  },
  unmarked: {
    state: 'all at 0 by somebody else, and so without a mark',
    scaledDown: [],
    replicas: { 'kube-controller-manager': 1, 'machine-controller-manager': 1, 'cluster-autoscaler': 1 },
  },
} as const satisfies Readonly<Record<string, Reading & { state: string }>>;
