/**
 * Imported before the program's sources, in the process that is measured (`--import`): how long it takes from the instant at which a machine has
 * decided a scale-down until the bytes of that write are handed to the socket. It puts itself around the machine and listens to undici, so
 * that the program needs no code for it. To any message of its parent process it answers with what it saw so far.
 */
import { subscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';

/** `delays` in ms, of each write. `unsent`: commanded, and not on its way so far; it may have been withdrawn. */
export type VerdictToWrite = Readonly<{ delays: readonly number[]; unsent: number }>;

/** undici says this in the same turn of the event loop in which it then writes head and body to the socket. */
const sending = 'undici:client:sendHeaders';

const delays: number[] = [];
/** By the resourceVersion that the command and the body of its patch share: no two objects of a kind have the same one. */
const decided = new Map<string, number>();

const { take } = pureMachines.shoot;
Object.assign(pureMachines.shoot, {
  take: ((before, event) => {
    const outcome = take(before, event);
    for (const { type, params } of outcome.commands)
      if (type === 'scale' && params.change.replicas === 0) decided.set(params.seen.resourceVersion, performance.now());
    return outcome;
  }) satisfies typeof take,
});

subscribe(sending, (message) => {
  const { request } = message as Readonly<{ request: Readonly<{ method: string; body: unknown }> }>;
  if (request.method !== 'PATCH' || !Buffer.isBuffer(request.body)) return;
  const [, version = ''] = /"resourceVersion":"([^"]*)"/.exec(request.body.toString()) ?? [];
  const decidedAt = decided.get(version);
  if (decidedAt === undefined) return;
  decided.delete(version);
  delays.push(performance.now() - decidedAt);
});

process.on('message', () => process.send?.({ delays, unsent: decided.size } satisfies VerdictToWrite));
// The program ends when it wants to.
process.channel?.unref();
