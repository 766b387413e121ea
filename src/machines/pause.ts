import { type ClusterReading, judgeLifecycle } from '../domain/prober/cluster-view.ts';
import { withdrawals } from './shield.ts';
import { firstPaths, noStreak, note, remember, type Decision, type ShootContext } from './shoot-context.ts';

/** Remembers a Cluster that lets the shoot be probed, as far as it can be read (SPEC 3). */
export function recordCluster(context: ShootContext, reading: ClusterReading): Decision {
  if (!reading.readable) return pauseUnreadable(context, reading.problem);
  return remember({ ...context, ...overtaking(context), cluster: reading.cluster, pause: null });
}

/** A GET that is under way was asked for before. Where it is the GET that tells, its probe has no further use of it. */
function overtaking({ probe }: ShootContext): Pick<ShootContext, 'probe'> {
  const { asked } = probe;
  return { probe: asked?.cluster === undefined ? probe : { ...probe, asked: { ...asked, cluster: 'overtaken' } } };
}

/** Remembers a Cluster that lets the shoot rest, and why (SPEC 3). */
export function recordClusterAtRest(context: ShootContext, reading: ClusterReading): Decision {
  if (!reading.readable) return pauseUnreadable(context, reading.problem);
  const { cluster } = reading;
  const lifecycle = judgeLifecycle(cluster);
  const because = lifecycle.kind === 'start' ? 'the shoot is about to be probed' : lifecycle.reason;
  return pause({ ...context, cluster }, because, { interrupted: false });
}

export function markGone(context: ShootContext): Decision {
  return pause({ ...context, cluster: null }, 'the shoot is gone', { interrupted: false });
}

/** A pause ends the flow, takes back its writes that still wait, and starts all counts anew (S3). */
export function standDown(context: ShootContext): Decision {
  const { paths, ...rest } = context;
  const fresh = paths === undefined ? {} : { paths: firstPaths };
  const said = { ...context.said, partial: null, late: false, unjudged: null };
  // Whoever scales now knows nothing of what we tried.
  const untried = Object.fromEntries(Object.entries(rest.known).map(([key, one]) => [key, { ...one, tries: null }]));
  // Nobody waits for its answers any more.
  const probe = { ...rest.probe, asked: null };
  const rested = {
    ...rest,
    ...fresh,
    probe,
    known: untried,
    flow: null,
    descents: null,
    outage: null,
    streak: noStreak,
    seen: null,
    said,
  };
  return remember(rested, withdrawals(context));
}

function pauseUnreadable(context: ShootContext, problem: string): Decision {
  // Without a pause the shoot was probed; before its first readable Cluster there was no probe either.
  const probed = context.cluster !== null && context.pause === null;
  return pause(context, problem, { interrupted: context.pause?.interrupted === true || probed });
}

function pause(context: ShootContext, because: string, { interrupted }: Readonly<{ interrupted: boolean }>): Decision {
  const isSaid = context.pause?.because === because;
  const paused = note({ kind: 'paused', reason: because });
  return remember({ ...context, pause: { because, interrupted } }, isSaid ? [] : [paused]);
}
