import { oncePerIncarnation } from '../../adapters/weeder-seed/once-per-incarnation.ts';
import { podRemover } from '../../adapters/weeder-seed/pod-remover.ts';
import { podWatch } from '../../adapters/weeder-seed/pod-watch.ts';
import { serviceWatch } from '../../adapters/weeder-seed/service-watch.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import type { WeederTurn } from '../../effects/turn.ts';
import { weedServices } from '../../effects/weed-services.ts';
import type { Assembled, RoleParts } from '../role/role.ts';
import { whileLeading } from '../role/while-leading.ts';

export type WeederParts = Omit<RoleParts<WeederConfig>, 'told'> &
  Readonly<{ told: Pick<RoleParts<WeederConfig>['told'], 'stream'> }>;

/** Puts the weeder together from its parts, on the wire; nothing runs yet. */
export function assembleWeeder({ clock, chance, config, client, told }: WeederParts): Assembled<WeederTurn> {
  const services = serviceWatch({ client, clock, chance, config, notice: told.stream });
  const pods = podWatch({ client, clock, chance, notice: told.stream });
  const remover = oncePerIncarnation(podRemover(client));
  return {
    synced$: services.synced$,
    turns: (leads$) =>
      whileLeading(leads$, services.services$, () => weedServices({ clock, chance, config, services, pods, remover })),
  };
}
