/**
 * One machine weeds the dependants of one service in one namespace.
 *
 *                          may have failed unseen
 *                              ┌────────────────────────┐
 *             available        ▼        window over     │
 *    down ─────────────────► recovering ───────────► settled
 *    ▲  ▲                      │     ▲                  │
 *    │  │ window over     down │     │ available:       │ down
 *    │  └──────────────────┐   ▼     │ the time anew    │
 *    │                     relapsed ─┘                  │
 *    └──────────────────────────────────────────────────┘
 *
 * The window is open while the service is recovering or relapsed; so long, and no longer, its dependants are watched.
 *
 * S8 A deletion is commanded only in `recovering`, before the window's end, for a pod that was last seen to crash-loop,
 *    and never again for an incarnation of which the seed has said that it is deleted, gone or replaced. What is under way
 *    at the window's end is remembered until it is answered, so that the next window does not ask for the same again.
 *    Where a pod no longer crash-loops, what still waits for the rate limit is taken back.
 * Nothing is done while the service is down (SPEC 7.2): on the way to `relapsed` what still waits for the rate limit is
 * taken back. The watch stays open, so that a service which flaps costs no list each time.
 * What happened while the stream of slices was out may have been a failure: then the time begins anew in `recovering`, too.
 */
import { setup } from 'xstate';
import { beginsWith, command, decisionOn } from './chart-actions.ts';
import { firstWeederContext, type WeederContext, type WeederDecision } from './weeder-context.ts';
import { weederGuards } from './weeder-window.ts';
import type { WeederCommands, WeederEvent, WeederInput } from './weeder-language.ts';
import * as window from './weeder-window.ts';

const base = setup({
  types: { input: {} as WeederInput, context: {} as WeederContext, events: {} as WeederEvent },
  actions: {
    wake: command<WeederCommands['wake']>(),
    watchPods: command<WeederCommands['watchPods']>(),
    listPods: command<WeederCommands['listPods']>(),
    leavePods: command<WeederCommands['leavePods']>(),
    deletePod: command<WeederCommands['deletePod']>(),
    withdraw: command<WeederCommands['withdraw']>(),
    note: command<WeederCommands['note']>(),
  },
});

/** Turns a pure decision into an XState action: remember, and command. */
function does(decide: (context: WeederContext, event: WeederEvent) => WeederDecision) {
  return base.enqueueActions(({ context, event, enqueue }) => {
    const { context: next, commands } = decide(context, event);
    enqueue.assign(() => next);
    for (const one of commands) enqueue(one);
  });
}

const on = decisionOn<WeederContext, WeederEvent, WeederDecision>();

export const weederMachine = base
  .extend({
    guards: weederGuards,
    actions: {
      recordSlices: does(on('slices.changed', window.recordSlices)),
      openWindow: does((context, event) => window.openWindow(context, event.at)),
      holdBack: does(window.holdBack),
      closeWindow: does(window.closeWindow),
      recordPod: does(on('pod.changed', window.recordNews)),
      recordPodGone: does(on('pod.gone', window.recordNews)),
      applyDeletionAnswer: does(on('deletion.answered', window.applyDeletionAnswer)),
      weed: does(window.weed),
    },
  })
  .createMachine({
    id: 'weeder',
    context: beginsWith(firstWeederContext),
    initial: 'down',
    on: {
      'service.gone': { target: '.down', actions: 'closeWindow' },
      'slices.changed': { actions: 'recordSlices' },
      'pod.changed': { actions: 'recordPod' },
      'pod.gone': { actions: 'recordPodGone' },
      'deletion.answered': { actions: 'applyDeletionAnswer' },
    },
    states: {
      down: {
        on: {
          'slices.changed': [
            { guard: 'isAvailable', target: 'recovering', actions: ['recordSlices', 'openWindow'] },
            { actions: 'recordSlices' },
          ],
        },
      },
      recovering: {
        on: {
          'slices.changed': [
            { guard: 'isDown', target: 'relapsed', actions: ['recordSlices', 'holdBack'] },
            { guard: 'mayHaveFailed', actions: ['recordSlices', 'openWindow', 'weed'] },
            { actions: 'recordSlices' },
          ],
          woken: [{ guard: 'isWindowOver', target: 'settled', actions: 'closeWindow' }, { actions: 'weed' }],
          'pod.changed': { actions: ['recordPod', 'weed'] },
          'deletion.answered': { actions: ['applyDeletionAnswer', 'weed'] },
        },
      },
      relapsed: {
        on: {
          'slices.changed': [
            { guard: 'isAvailable', target: 'recovering', actions: ['recordSlices', 'openWindow', 'weed'] },
            { actions: 'recordSlices' },
          ],
          woken: { guard: 'isWindowOver', target: 'down', actions: 'closeWindow' },
        },
      },
      settled: {
        on: {
          'slices.changed': [
            { guard: 'isDown', target: 'down', actions: 'recordSlices' },
            { guard: 'mayHaveFailed', target: 'recovering', actions: ['recordSlices', 'openWindow'] },
            { actions: 'recordSlices' },
          ],
        },
      },
    },
  });
