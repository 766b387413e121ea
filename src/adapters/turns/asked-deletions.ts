import type { ServiceKey } from '../../domain/weeder/service-ref.ts';
import type { Instant } from '../../domain/time.ts';
import type { WeederTurn } from '../../effects/turn.ts';

/** A deletion as it was commanded; `containers`: which of them waited in CrashLoopBackOff. */
export type AskedDeletion = Readonly<{ at: Instant; containers: readonly string[] }>;

type ServiceMemory = Readonly<{
  /** By uid, those of the pods that crash-loop, while their window is open. */
  containers: Map<string, readonly string[]>;
  /** By the command's number. */
  pending: Map<number, AskedDeletion>;
}>;

/**
 * Finds the deletion that a turn's `deletion.answered` belongs to, and why it was asked for, which the answer does not
 * tell. Every turn must pass through it, in order, once. What a machine asked for is forgotten with it.
 */
export function askedDeletions(): (turn: WeederTurn) => AskedDeletion | undefined {
  const memories = new Map<ServiceKey, ServiceMemory>();

  return ({ subject: service, event, at, commands, notes }) => {
    if (event.type === 'ended' || event.type === 'started') memories.delete(service);
    if (event.type === 'ended') return undefined;
    const memory = memories.get(service) ?? { containers: new Map(), pending: new Map() };
    memories.set(service, memory);
    const { containers, pending } = memory;

    if (event.type === 'pod.gone') containers.delete(event.pod.uid);
    if (event.type === 'pod.changed') {
      if (event.pod.state === 'crashLooping') containers.set(event.pod.uid, event.pod.containers);
      else containers.delete(event.pod.uid);
    }
    if (notes.some(({ kind }) => kind === 'windowClosed')) containers.clear();
    for (const command of commands) {
      if (command.type !== 'deletePod') continue;
      const { number, pod } = command.params;
      pending.set(number, { at, containers: containers.get(pod.uid) ?? [] });
    }
    if (event.type !== 'deletion.answered') return undefined;
    const asked = pending.get(event.number);
    pending.delete(event.number);
    return asked;
  };
}
