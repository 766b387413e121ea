/** One incarnation of a pod: a new pod of the same name has another uid. */
export type PodRef = Readonly<{ name: string; uid: string }>;

/**
 * What is kept of a pod (SPEC 7.3). `crashLooping`: a container, whichever kind, waits in CrashLoopBackOff. `ending`: it
 * is being deleted, whatever its containers do. `fine`: neither; nobody asks whether it really is well.
 */
export type PodState = 'crashLooping' | 'ending' | 'fine';

export type PodView = PodRef &
  Readonly<{
    state: PodState;
    /** Those that wait in CrashLoopBackOff, by name; empty unless `crashLooping`. */
    containers: readonly string[];
  }>;
