import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import { pathProbes, type PathProbes, type Told } from './path-probes.ts';

/** The same of all shoots; those that are judged by their leases cost a look at the commands of each turn. */
export function allPathProbes() {
  const byShoot = new Map<ShootNamespace, PathProbes>();
  return {
    /** Every turn of all shoots must pass, in order. Gives why the probe told nothing that ended in this turn. */
    observe(turn: Told & Readonly<{ subject: ShootNamespace }>): ProbeFailure | undefined {
      const { subject: shoot, commands } = turn;
      let probes = byShoot.get(shoot);
      if (probes === undefined && commands.some(({ type }) => type === 'askPath'))
        byShoot.set(shoot, (probes = pathProbes()));
      return probes?.observe(turn);
    },
    /** Why the external path of this shoot failed, by its last verdict. */
    external: (shoot: ShootNamespace) => byShoot.get(shoot)?.external(),
    forget: (shoot: ShootNamespace) => void byShoot.delete(shoot),
  };
}
