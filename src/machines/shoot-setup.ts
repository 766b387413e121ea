import { setup } from 'xstate';
import { command } from './chart-actions.ts';
import type { Decision, MachineEvent, ShootContext } from './shoot-context.ts';
import type { ShootCommands, ShootInput } from './shoot-language.ts';

/** What a shoot's chart speaks: its events, and an action for each command, which only lists it. */
export const shootSetup = setup({
  types: { input: {} as ShootInput, context: {} as ShootContext, events: {} as MachineEvent },
  actions: {
    wake: command<ShootCommands['wake']>(),
    probe: command<ShootCommands['probe']>(),
    listCandidates: command<ShootCommands['listCandidates']>(),
    askPath: command<ShootCommands['askPath']>(),
    readCluster: command<ShootCommands['readCluster']>(),
    reserveProbe: command<ShootCommands['reserveProbe']>(),
    scale: command<ShootCommands['scale']>(),
    withdraw: command<ShootCommands['withdraw']>(),
    read: command<ShootCommands['read']>(),
    note: command<ShootCommands['note']>(),
  },
});

/** Turns a pure decision into an XState action: remember, command, raise. */
export function does(decide: (context: ShootContext, event: MachineEvent) => Decision) {
  return shootSetup.enqueueActions(({ context, event, enqueue }) => {
    const { context: next, commands, verdict } = decide(context, event);
    // XState makes a whole snapshot for each. An event is heard by both regions, and often only one of them has to remember anything.
    if (next !== context) enqueue.assign(() => next);
    for (const one of commands) enqueue(one);
    if (verdict !== undefined) enqueue.raise(verdict);
  });
}
