import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { AccessAsked } from '@dwd/simulator/api/access.ts';
import { permissionsOf, permits } from './gardener-rbac.ts';

const granted = {
  prober: permissionsOf('base/prober/rbac.yaml'),
  weeder: permissionsOf('base/weeder/rbac.yaml'),
};

/** Whether Gardener's RBAC lets the role do this in the seed. Everything that is not named is forbidden. */
export function gardenerGrants(asked: AccessAsked, role: RoleName = 'prober'): boolean {
  const isServerItself = asked.resource.startsWith('/') && asked.verb === 'get';
  return isServerItself || granted[role].some((permission) => permits(permission, asked));
}
