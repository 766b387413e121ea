/** One incarnation of a pod: a new pod of the same name has another uid. */
export type PodRef = Readonly<{ name: string; uid: string }>;

/**
 * What is kept of a pod (SPEC 7.3). `crashLooping`: a container of any kind waits in CrashLoopBackOff. `ending`: the pod is
 * being deleted. `fine`: neither of these; it need not be healthy.
 */
export type PodState = 'crashLooping' | 'ending' | 'fine';

export type PodView = PodRef &
  Readonly<{
    state: PodState;
    /** Those that wait in CrashLoopBackOff, by name; empty unless `crashLooping`. */
    containers: readonly string[];
  }>;
