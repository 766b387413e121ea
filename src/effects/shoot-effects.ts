import { EMPTY, Subject, defer, map, mergeMap, of, takeUntil, type Observable } from 'rxjs';
import type { ShootNamespace } from '../domain/shoot-namespace.ts';
import type { ShootCommands, ShootEvent } from '../machines/shoot-language.ts';
import { fromAbortable } from './from-abortable.ts';
import type { Clock, MachineApi, Scaler, ShootApi } from './ports.ts';

export type ShootPorts = Readonly<{ clock: Clock; shoots: ShootApi; machines: MachineApi; scaler: Scaler }>;

/** One effect for each command, none left out: a missing one does not compile. */
export type ShootEffects = Readonly<{
  [Name in Exclude<keyof ShootCommands, 'note'>]: (params: ShootCommands[Name]) => Observable<ShootEvent>;
}>;

/** Carries out what one shoot's machine commands, each once, and reports back as events. Decides nothing. */
export function shootEffects(shoot: ShootNamespace, { clock, shoots, machines, scaler }: ShootPorts): ShootEffects {
  const replaced$ = new Subject<void>();
  const withdrawals = new Map<number, AbortController>();

  return {
    wake: ({ at }) =>
      defer(() => {
        // The one before is over, and not merely silent: the runtime would keep its subscription for ever.
        replaced$.next();
        return clock.wakeAt(at).pipe(
          map((woke): ShootEvent => ({ type: 'woken', at: woke })),
          takeUntil(replaced$),
        );
      }),

    probe: ({ number, deadlineAt }) =>
      fromAbortable(async (signal) => {
        // The leases are as old as the question: a slow answer must not make them look expired (SPEC 5.1).
        const askedAt = clock.now();
        return { askedAt, answer: await shoots.listLeases(shoot, deadlineAt, signal) };
      }).pipe(
        map(({ askedAt, answer }): ShootEvent => {
          const at = clock.now();
          return answer.ok
            ? { type: 'probe.answered', at, number, askedAt, leases: answer.value }
            : { type: 'probe.failed', at, number, failure: answer.failure };
        }),
      ),

    listCandidates: ({ number, deadlineAt }) =>
      fromAbortable((signal) =>
        Promise.all([shoots.listNodes(shoot, deadlineAt, signal), machines.listMachines(shoot, deadlineAt, signal)]),
      ).pipe(
        map(([nodes, listed]): ShootEvent => {
          const at = clock.now();
          if (!nodes.ok) return { type: 'candidates.failed', at, number, failure: nodes.failure };
          if (!listed.ok) return { type: 'candidates.failed', at, number, failure: listed.failure };
          return { type: 'candidates.answered', at, number, nodes: nodes.value, machines: listed.value };
        }),
      ),

    scale: ({ number, key, ref, seen, change, urgent }) =>
      fromAbortable(async (ended) => {
        const withdrawal = new AbortController();
        withdrawals.set(number, withdrawal);
        // A machine that ends takes back what was not sent; what was sent is not cut half-way (SPEC 1.4).
        const withdrawn = AbortSignal.any([ended, withdrawal.signal]);
        try {
          return await scaler.write(shoot, ref, seen, change, { urgent, withdrawn });
        } finally {
          withdrawals.delete(number);
        }
      }).pipe(map((answer): ShootEvent => ({ type: 'scale.answered', at: clock.now(), number, key, answer }))),

    withdraw: ({ number }) =>
      of(number).pipe(
        mergeMap((withdrawn) => {
          withdrawals.get(withdrawn)?.abort();
          return EMPTY;
        }),
      ),

    read: ({ number, key, ref, urgent }) =>
      fromAbortable(() => scaler.read(shoot, ref, { urgent })).pipe(
        map((answer): ShootEvent => ({ type: 'read.answered', at: clock.now(), number, key, answer })),
      ),
  };
}
