import { SeedHistory } from '../../adapters/reflector/seed-history.ts';
import { heldWhileBlind, oncePerIncarnation, podRemover } from '../../adapters/weeder-seed/pod-remover.ts';
import { podWatch } from '../../adapters/weeder-seed/pod-watch.ts';
import { serviceWatch } from '../../adapters/weeder-seed/service-watch.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import type { WeederTurn } from '../../effects/turn.ts';
import { weedServices } from '../../effects/weed-services.ts';
import type { Assembled, RoleHooks, RoleParts } from './role.ts';
import { whileLeading } from './while-leading.ts';

export type WeederParts = Omit<RoleParts<WeederConfig>, 'hooks'> &
  Readonly<{ hooks: Pick<RoleHooks, 'onStreamNotice'> }>;

/** The names of its streams. Those of pods come and go with the windows. */
export const weederStreams: readonly string[] = ['endpointslices', 'pods'];

/** Assembles the weeder from its parts. Nothing runs yet. */
export function assembleWeeder({
  clock,
  chance,
  config,
  client,
  hooks,
  history = new SeedHistory(),
}: WeederParts): Assembled<WeederTurn> {
  const streams = { client, clock, chance, history, notice: hooks.onStreamNotice };
  const services = serviceWatch({ ...streams, config });
  const pods = podWatch({ ...streams, config });
  const remover = heldWhileBlind(oncePerIncarnation(podRemover(client, pods.versionOf), history), services.live$);
  return {
    synced$: services.synced$,
    turns: (leads$) =>
      whileLeading(leads$, services.services$, () => weedServices({ clock, chance, config, services, pods, remover })),
  };
}
