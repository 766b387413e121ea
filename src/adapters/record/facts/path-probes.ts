import type { ProbeFailure } from '../../../domain/prober/probe-failure.ts';
import { judgePath, type PathTold, type ShootPath } from '../../../domain/prober/shoot-path.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ShootEventOf } from '../../../machines/shoot-language.ts';
import type { ShootNamespace } from '../../../domain/names.ts';

/** What a turn tells of the probe under way; a journal has no more. */
export type PathTurn = Readonly<Pick<ShootTurn, 'event' | 'to' | 'commands' | 'notes'>>;

type Probe = Readonly<{
  number: number;
  told: Readonly<Record<ShootPath, PathTold | 'asked' | 'notAsked'>>;
  failures: Readonly<Partial<Record<ShootPath, ProbeFailure>>>;
}>;

/**
 * Follows the probes of two paths of one shoot (SPEC 4.9). Two answers make one probe, and one that came too late counts for nothing, so no event alone
 * tells that a probe failed: it did if it is over, and its turn has no verdict.
 */
export function pathProbes() {
  let probe: Probe | undefined;
  let external: ProbeFailure | undefined;

  return {
    observe,
    /** Why the external path failed, by the last verdict; undefined where it answered, and where nobody saw. */
    external: () => external,
  };

  /** Every turn of the shoot must pass, in order. Gives why the probe told nothing that ended in this turn, asked on paths or for leases; undefined where none did. */
  function observe({ event, to, commands, notes }: PathTurn): ProbeFailure | undefined {
    const failure = event.type === 'path.answered' ? afterAnswer(event, { commands, notes }) : failureIn(event);
    const verdict = notes.find((note) => note.kind === 'verdict');
    if (verdict !== undefined) external = verdict.verdict === 'cutOff' ? probe?.failures.external : undefined;
    const isLost = notes.some(({ kind }) => kind === 'probeLost');
    if (isLost || to === 'idle' || event.type === 'started' || event.type === 'ended') probe = undefined;
    for (const { type, params } of commands) if (type === 'askPath') probe = asking(params.number, params.path);
    return failure;
  }

  function afterAnswer(
    { number, path, failure }: ShootEventOf<'path.answered'>,
    { commands, notes }: Pick<PathTurn, 'commands' | 'notes'>,
  ): ProbeFailure | undefined {
    if (probe?.number !== number || probe.told[path] !== 'asked') return undefined;
    const told = { ...probe.told, [path]: judgePath(failure) };
    const failures = failure === undefined ? probe.failures : { ...probe.failures, [path]: failure };
    probe = { number, told, failures };
    if (told.internal === 'failed' || told.internal === 'untold') {
      probe = undefined;
      return failures.internal;
    }
    const goesOn = Object.values(told).some((one) => one === 'asked' || one === 'notAsked');
    if (goesOn || notes.some(({ kind }) => kind === 'verdict') || commands.some(({ type }) => type === 'readCluster'))
      return undefined;
    return failures.external;
  }

  function asking(number: number, path: ShootPath): Probe {
    if (probe?.number === number) return { ...probe, told: { ...probe.told, [path]: 'asked' } };
    return { number, told: { internal: 'notAsked', external: 'notAsked', [path]: 'asked' }, failures: {} };
  }
}

function failureIn(event: PathTurn['event']): ProbeFailure | undefined {
  return event.type === 'probe.failed' || event.type === 'candidates.failed' ? event.failure : undefined;
}

/** The same of all shoots; those that are judged by their leases cost a look at the commands of each turn. */
export function allPathProbes() {
  const byShoot = new Map<ShootNamespace, ReturnType<typeof pathProbes>>();
  return {
    observe(turn: PathTurn & Readonly<{ subject: ShootNamespace }>): ProbeFailure | undefined {
      const { subject: shoot, commands } = turn;
      let probes = byShoot.get(shoot);
      if (probes === undefined && commands.some(({ type }) => type === 'askPath'))
        byShoot.set(shoot, (probes = pathProbes()));
      return probes === undefined ? failureIn(turn.event) : probes.observe(turn);
    },
    external: (shoot: ShootNamespace) => byShoot.get(shoot)?.external(),
    forget: (shoot: ShootNamespace) => void byShoot.delete(shoot),
  };
}
